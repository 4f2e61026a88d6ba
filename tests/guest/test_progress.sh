#!/bin/sh
# What `make run` shows on the way (.ci/progress.sh, workloads/plan.sh): the plan first, then how far it is, at least every
# ten seconds on a terminal; elsewhere lines of text.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

progress=$root/.ci/progress.sh
return=$(printf '\r')
unset PROGRESS PROGRESS_PERIOD SIMOS_BUNDLE
SIMOS_CACHE=$work/cache
export SIMOS_CACHE
cd "$root" || exit

# on_terminal COMMAND: on a terminal of its own, its output in $work/typed; $work/delays has the seconds before each output.
on_terminal()
{
    command -p script -q -e -T "$work/timing" -c "TERM=xterm; export TERM; stty cols 200; $1" "$work/typed" >"$work/out" 2>&1 </dev/null
    status=$?
    awk '{ print $1 }' "$work/timing" >"$work/delays"
}

# A server that takes twelve seconds for a file of 6 MB.
cat >"$work/server.py" <<'PYTHON'
import http.server, sys, time

class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '6000000')
        self.end_headers()
        for _ in range(12):
            self.wfile.write(bytes(500000))
            time.sleep(1)

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Slow)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
mkfifo "$work/port"
python3 "$work/server.py" >"$work/port" &
running=$!
read -r port <"$work/port"
cat >"$work/download.sh" <<SH
. workloads/lock.sh
. workloads/mirrors.sh
. workloads/plain.sh
plain=$work limit=300
echo "CC   build/obj/file.o"
echo begun
progress begin downloading bytes:6000000 $work/part
download http://127.0.0.1:$port/file $work/file || exit
progress end downloading
[ ! -e "\$PROGRESS/downloading.step" ] || echo "the step has not ended"
wc -c <$work/file
exit 3
SH
slow="workloads=$root/workloads sh $work/download.sh"
if has_terminals 6; then
    on_terminal "$progress run 'make run' env $slow"
    check_equal "the status is the command's" 3 "$status"
    check_equal "a slow server: no silence longer than ten seconds" "" "$(awk '$1 > 10' "$work/delays")"
    check_between "... and it takes longer than that" 11 1000 "$(awk '{ sum += $1 } END { printf "%d", sum }' "$work/delays")"
    check_match "a bar, how much of how much, and the time left" '^make run 0:[0-9]+  downloading \[#+\.+\] [1-5] of 6 MB, 0:[0-9]+ left' \
        "$(tr '\r' '\n' <"$work/typed" | sed 's/^.\[K//' >"$work/lines" && echo "$work/lines")"
    check_equal "what the command prints is there, but not each file that is compiled" "begun 6000000" \
        "$(grep -E '^(CC |begun|6000000|the step)' "$work/lines" | tr '\n' ' ' | sed 's/ $//')"
    on_terminal "$progress run 'make run' env $slow >$work/file.out"
    check_equal "no carriage return in a file, though the other output is a terminal" 0 "$(grep -c "$return" "$work/file.out")"
fi
PROGRESS_PERIOD=1 "$progress" run 'make run' env "workloads=$root/workloads" sh "$work/download.sh" >"$work/all" 2>&1 </dev/null
check_equal "not on a terminal: no carriage return" 0 "$(grep -c "$return" "$work/all")"
check_match "... but lines with the time left" '^make run: downloading [1-5] of 6 MB, 0:[0-9]+ left$' "$work/all"
check_match "... and all that the command prints" '^CC   build/obj/file.o$' "$work/all"

# How long a step took is known the next time. It lasts until it has been shown.
cat >"$work/step.sh" <<SH
"$progress" step "a step" seconds:100 - sh -c 'sleep 3; until grep -q "a step" "$work/all"; do sleep 0.1; done'
SH
PROGRESS_PERIOD=1 "$progress" run first sh "$work/step.sh" >"$work/all" 2>&1
check_match "a step of unknown length" '^first: a step, (1:[0-3][0-9]|0:[0-5][0-9]) left$' "$work/all"
check_between "its length, measured" 3 90 "$(cat "$work/cache/durations/a_step")"

# The plan: a machine on which nothing is installed, and a cache with nothing in it.
mkdir "$work/bin"
printf '#!/bin/sh\n' >"$work/bin/dpkg-query"
cat >"$work/bin/apt-get" <<'SH'
#!/bin/sh
echo "'http://m/pool/a_1_amd64.deb' a_1_amd64.deb 20000000 SHA256:0"
echo "'http://m/pool/b_1_all.deb' b_1_all.deb 11000000 SHA256:0"
SH
printf '#!/bin/sh\nprintf "Package: a\\nInstalled-Size: 50000\\n\\nPackage: b\\nInstalled-Size: 12000\\n"\n' >"$work/bin/apt-cache"
chmod +x "$work"/bin/*
megabytes=$(awk '$1 == "file" && (","$7",") ~ /,(kernel|busybox|image-development|source-zlib),/ { sum += $3 }
    END { printf "%d", sum / 1e6 + 0.5 }' "$root/workloads/guest.lock")
plan="env PATH=$work/bin:$PATH $root/workloads/plan.sh pmake-short $BUILD echo the command"
$plan >"$work/out" 2>"$work/err"
check_equal "the plan, in order, before the command" "make run, on this machine: install download the command" \
    "$(sed -n 's/^    \([a-z]*\) .*/\1/p; t; p' "$work/out" | grep -vx 'compile\|build' | tr '\n' ' ' | sed 's/ $//')"
check_match "what will be installed" '^    install   2 packages of Debian: 31 MB to download, 62 MB on disk$' "$work/out"
check_match "what will be downloaded" "^    download  $megabytes MB, [0-9]+ packages of the guest" "$work/out"
# The limit is of processor time: other programs' work does not count.
seconds=$(sh -c "$plan; times" | awk 'END { for (i = 1; i <= 2; i++) { split($i, time, /[ms]/); sum += 60 * time[1] + time[2] }; printf "%.1f", sum }')
check_equal "the plan takes less than five seconds" "" "$(awk -v seconds="$seconds" 'BEGIN { if (!(seconds > 0 && seconds < 5)) print seconds }')"
finish
