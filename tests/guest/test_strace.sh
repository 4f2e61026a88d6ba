# System calls are counted as strace counts them: of the same processes, in the same run, strace -c -f in the guest and the
# services' names of the calls that these processes made. strace makes calls too; those are its own processes'.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

packages=$("$root/workloads/fetch.sh" image-strace 2>"$work/fetch") || fail "strace for mipsel" "$(cat "$work/fetch")"
dpkg-deb --fsys-tarfile "$(echo "$packages" | sed -n 's,^[0-9a-f]*  \(.*/strace_.*\),\1,p')" | tar -xO ./usr/bin/strace >"$work/strace"
chmod +x "$work/strace"

# bash and what it starts; the job itself is run by sh, and what bash was before its execve is called strace.
cat >"$work/count.tcl" <<'TCL'
library services
foreach name {bash ls wc find cat} {
    annotation set exc syscall -process $name { incr calls($SERVICE) }
}
annotation set exc syscall -process strace { if {$SERVICE eq "execve"} { incr calls(execve) } }
annotation set simos exit { foreach name [array names calls] { log "calls: $name $calls($name)" } }
TCL
traced='ls -l /etc | wc -l; (cat /etc/passwd; find /usr/share/base-files) >/tmp/a & wait; exit 3'
simos run --cpu embra --set cache.model=none --quiet --disk "$guest/base.img" --copy-in "$work/strace" --script "$work/count.tcl" \
    --stats "$work/stats" --timeline "$work/trace" \
    -- sh -c "/root/strace -c -f -o /tmp/count bash -c '$traced'; echo status \$?; head -n 100 /tmp/count"
check_equal "exit status" 0 "$status"
check_match "the traced shell's exit status" '^status 3' "$work/out"
# What does not return is not in strace's table.
awk '$1 ~ /^[0-9.]+$/ && $4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4 }' "$work/out" | sort >"$work/strace.calls"
sed -n 's/^calls: //p' "$work/err" | grep -v '^exit_group ' | sort >"$work/simos.calls"
check_between "strace has counted" 30 200 "$(wc -l <"$work/strace.calls")"
check_same_file "every system call is counted as strace does" "$work/strace.calls" "$work/simos.calls"
check_equal "each process has ended once" "$(($(awk '$1 == "clone" || $1 == "fork" || $1 == "vfork" { n += $2 } END { print n }' \
    "$work/strace.calls") + 1))" "$(sed -n 's/^calls: exit_group //p' "$work/err")"

# The same run had a disk: the time line has each of its requests, one after the other, for as long as the drive was busy.
check_equal "time line: a slice a request" \
    "$(json "$work/stats" '.disk0 | .reads + .writes + .flushes + .others')" \
    "$(json "$work/trace" '[.traceEvents[] | select(.cat == "disk")] | length')"
check_between "time line: they take the drive's service time, to some microseconds" -5 5 \
    $(($(json "$work/stats" '.disk0.service_time / 1000 | round') - \
       $(json "$work/trace" '[.traceEvents[] | select(.cat == "disk") | .dur] | add | round')))
check_equal "time line: one after the other" 0 "$(json "$work/trace" '[.traceEvents[] | select(.cat == "disk")] |
    [range(1; length) as $i | select(.[$i].ts < .[$i - 1].ts + .[$i - 1].dur - 0.0015)] | length')"

finish
