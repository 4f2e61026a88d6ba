#!/bin/sh
# Series of checkpoints and windows of a run (docs/how-to/series.md): taking a series does not disturb the run; each of its
# files restores exactly; what it needs must be what it was; windows give the same together whether one process or two
# simulate them, and after an interruption; side by side they are the whole run; the means from a few of them are
# near those of all.
. "$(dirname "$0")/../guest/harness.sh"
PATH=$PATH:/usr/sbin:/sbin
mkdir "$work/files"
head -c 300001 "$guest/vmlinux" >"$work/files/data"
mke2fs -q -t ext4 -F -d "$work/files" "$work/a.img" 4M >/dev/null 2>&1
job='seq 1 2000 | sort -r | md5sum; cat /mnt/data /mnt/data >/mnt/new; sync
awk "BEGIN { for (i = 1; i < 2000; i++) s += 1 / i; print s }"; cp /mnt/new /mnt/again; sync; md5sum /mnt/again; exit 3'

# comparable FILE: statistics without what the model says of its own work
comparable()
{
    jq 'del(.machine.models)' "$1"
}

set -- --cpu embra --cpus 2 --set cache.model=two-level --disk "$work/a.img"
every=9000000
simos run "$@" --quiet --stats "$work/plain.json" -- sh -c "$job"
check_equal "the plain run: exit status" 3 "$status"
cp "$work/out" "$work/plain.out"
comparable "$work/plain.json" >"$work/plain.stats"
simos run "$@" --quiet --stats "$work/run.json" --series "$work/s,every=$every,from=boot" -- sh -c "$job"
check_equal "a run with a series: exit status" 3 "$status"
check_same_file "a run with a series: output" "$work/plain.out" "$work/out"
comparable "$work/run.json" >"$work/run.stats"
check_same_file "a run with a series: statistics" "$work/plain.stats" "$work/run.stats"
files=$(find "$work/s" -name '*.ckpt' | wc -l)
check_between "there is a series" 8 20 "$files"

# Every file of it goes on as the run did, to its end.
for file in "$work"/s/*.ckpt; do
    simos restore "$file" --quiet --stats "$work/run.json"
    check_equal "$(basename "$file"): exit status" 3 "$status"
    tail -n "$(wc -l <"$work/out")" "$work/plain.out" >"$work/rest.out"
    check_same_file "$(basename "$file"): output" "$work/rest.out" "$work/out"
    comparable "$work/run.json" >"$work/run.stats"
    check_same_file "$(basename "$file"): statistics" "$work/plain.stats" "$work/run.stats"
done
first=$(stat -c %s "$work/s/0000.ckpt")
for file in "$work"/s/000[1-9].ckpt; do
    check_between "$(basename "$file") holds only what has changed" 1 $((first / 3)) "$(stat -c %s "$file")"
done
"$SIMOS" info "$work/s/0003.ckpt" >"$work/info"
check_match "info of a file of a series" '^series  *text  *[0-9]+ bytes' "$work/info"
# The first one was taken at boot: it runs any command.
simos restore "$work/s/0000.ckpt" --quiet -- sh -c 'echo other; exit 5'
check_equal "the first file runs another command" "5 other" "$status $(cat "$work/out")"

# refused RULE PATTERN ARGUMENT...: exit status 125 and one line
refused()
{
    rule=$1 pattern=$2
    shift 2
    simos "$@"
    check_equal "$rule: status, lines" "125 1" "$status $(wc -l <"$work/err")"
    check_match "$rule" "$pattern" "$work/err"
}
mv "$work/s/0000.ckpt" "$work/first"
refused "a file that needs one that is missing" '0004.ckpt needs another file of its series: .*0000.ckpt: No such file' \
    restore "$work/s/0004.ckpt"
cp "$work/s/0001.ckpt" "$work/s/0000.ckpt"
refused "a file that needs one that is another now" '0004.ckpt needs .*0000.ckpt, which has been changed' \
    restore "$work/s/0004.ckpt"
mv "$work/first" "$work/s/0000.ckpt"
refused "a folder with a series" "the folder already contains a series" run "$@" --series "$work/s,every=$every" -- true
refused "a series that never begins" 'the run ended before mark:never: no checkpoint in' \
    run "$@" --quiet --table none --series "$work/never,every=$every,from=mark:never" -- true
check_equal "a series that never begins leaves no folder" 1 "$([ -e "$work/never" ] && echo 0 || echo 1)"
# A series has its record: keys come again between its files, and behind them; the whole run is the past of a shell.
mkfifo "$work/keys"
set -- --cpu embra --cpus 2 --set cache.model=two-level
"$SIMOS" run "$@" --stats "$work/typed.json" --series "$work/typed,every=30000000" <"$work/keys" >"$work/console" 2>"$work/err" &
running=$!
exec 3>"$work/keys"
wait_until 'grep -q "# " "$work/console"'
echo 'seq 1 3000 | sort -r | md5sum; echo done$((1 + 1))' >&3
wait_until 'grep -q done2 "$work/console"'
echo 'seq 1 3000 | sort | sha1sum; exit 3' >&3
exec 3>&-
wait $running
check_equal "a run with keys and a series: exit status" 3 $?
running=
comparable "$work/typed.json" >"$work/typed.stats"
check_equal "its record has the keys" 2 "$(grep -c '^in .*seq' "$work/typed/record")"
for file in $(find "$work/typed" -name '*.ckpt' | sort | awk 'NR % 3 == 1'); do
    simos restore "$file" --replay "$work/typed/record" --quiet --stats "$work/run.json"
    check_equal "a record entered at $(basename "$file"): exit status" 3 "$status"
    comparable "$work/run.json" >"$work/run.stats"
    check_same_file "a record entered at $(basename "$file"): statistics" "$work/typed.stats" "$work/run.stats"
done
refused "a record entered where its run was not" 'neither was restored from checkpoint .* nor saved it' \
    restore "$work/s/0004.ckpt" --replay "$work/typed/record"
end=$(json "$work/typed.json" .machine.insns)
cat >"$work/look.tcl" <<EOF
proc look {} {
    set state [where]
    foreach cpu {0 1} {cpu \$cpu; lappend state [registers]}
    foreach {name value} [stats] {
        if {![string match *models* \$name] && ![string match parameters* \$name]} {lappend state \$name \$value}
    }
    puts "[insns] \$state"
}
set instants {}
for {set i 1} {\$i < 12} {incr i} {lappend instants [expr {$end / 12 * \$i + \$i}]}
EOF
cat "$work/look.tcl" - >"$work/straight.tcl" <<'EOF'
build
foreach instant $instants {run -insns [expr {$instant - [insns]}]; look}
EOF
cat "$work/look.tcl" - >"$work/back.tcl" <<'EOF'
foreach instant [lreverse $instants] {back to insn $instant}
foreach instant $instants {back to insn $instant; look}
EOF
simos shell "$@" --replay "$work/typed/record" --quiet "$work/straight.tcl"
grep '^[0-9]* {*cpu' "$work/out" >"$work/straight"
check_equal "the run as it was, instant by instant" 11 "$(wc -l <"$work/straight")"
simos shell --history=series="$work/typed" "$work/back.tcl"
check_equal "the past of a run that has ended: exit status, messages" "0 0" "$status $(wc -l <"$work/err")"
check_same_file "the past of a run that has ended" "$work/straight" "$work/out"
mv "$work/typed/0004.ckpt" "$work/kept"
simos shell --history=series="$work/typed" "$work/back.tcl"
check_match "a file is missing from the past: a line" 'typed/0004.ckpt.*No such file' "$work/err"
check_same_file "a file is missing from the past: the one before is as good" "$work/straight" "$work/out"
cp "$work/s/0000.ckpt" "$work/typed/0004.ckpt"
simos shell --history=series="$work/typed" "$work/back.tcl"
check_match "a file of the past is another now: a line" 'neither was restored from checkpoint .*/0004.ckpt nor saved' "$work/err"
check_same_file "a file of the past is another now: the one before is as good" "$work/straight" "$work/out"
mv "$work/kept" "$work/typed/0004.ckpt"
refused "a past that is too large for memory=" 'memory=.*M at least' shell --history=series="$work/typed",memory=9M
refused "a series without a record" 's.without/record: No such file' shell --history=series="$work/s.without"
mkdir "$work/bare"
grep -v '^checkpoint' "$work/typed/record" >"$work/bare/record"
refused "a record with lines missing" 'line [0-9]*: damaged' shell --history=series="$work/bare"
rm "$work/bare/record"
simos run --max-insns 1000 --quiet --table none --record "$work/bare/record" -- true
refused "a record without checkpoints" 'the recorded run saved no checkpoint' shell --history=series="$work/bare"
refused "a past that is recorded again" 'recorded already: not together with --record' \
    shell --history=series="$work/typed" --record "$work/again.record"
refused "a past of the shell only" 'series=.* is for .simos shell' run --gdb 0 --history=series="$work/typed" -- true

mkdir "$work/none"
refused "windows of no series" '0000.ckpt: not there' windows "$work/none" --window 5
refused "windows that are too long" 'more than the 9000000 instructions' windows "$work/s" --window 9000001
refused "windows of nothing" 'windows. needs --window N' windows "$work/s"
refused "an option that windows have not" '`windows. has no such option' windows "$work/s" --window 5 --stats x

# Windows by one process, by two, and by two that were killed on the way: the same figures.
set -- windows "$work/s" --cpu mipsy --warmup 100000 --window 200000
simos "$@" --quiet --jobs 1 --out "$work/one"
check_equal "windows by one process: exit status" 0 "$status"
simos "$@" --quiet --jobs 2 --out "$work/two"
check_equal "windows by two processes: exit status" 0 "$status"
: >"$work/err" # of the run before
"$SIMOS" "$@" --jobs 2 --out "$work/again" >"$work/out" 2>"$work/err" &
running=$!
wait_until 'grep -q "^\[1/" "$work/err"'
kill -9 $running
wait $running 2>/dev/null
running=
check_equal "windows that were killed: nothing is merged" 1 "$([ -e "$work/again.merged.json" ] && echo 0 || echo 1)"
finished=$(sed -n 's/^\[1\/[0-9]*\] \([^:]*\): .*/\1/p' "$work/err")
find "$work/again.work" -name "$finished*.json" | head -n 1 >"$work/kept"
stat -c %Y.%i "$(cat "$work/kept")" >"$work/before"
simos "$@" --jobs 2 --out "$work/again"
check_equal "windows that were killed: exit status of the second run" 0 "$status"
check_match "windows that were killed: what was done is kept" 'were done already' "$work/err"
check_equal "windows that were killed: a finished one is not done again" "$(cat "$work/before")" \
    "$(stat -c %Y.%i "$(cat "$work/kept")")"
for name in two again; do
    for kind in json txt merged.json merged.txt; do
        check_same_file "windows, $name: $kind" "$work/one.$kind" "$work/$name.$kind"
    done
done
check_equal "windows: what they were" "$((files - 1)) 200000 100000 embra []" \
    "$(json "$work/one.merged.json" '.window | "\(.count) \(.length) \(.warmup) \(.warmup_model) \(.left_out)"')"

# Windows without gaps are the run: the same machine goes on exactly, so their sums are its figures.
total=$(((files - 1) * every))
simos windows "$work/s" --cpu mipsy --window $every --quiet --out "$work/tiles"
check_equal "windows without gaps: exit status" 0 "$status"
simos restore "$work/s/0000.ckpt" --cpu mipsy --window $total --quiet --stats "$work/whole.json"
check_equal "one window of everything: exit status" 0 "$status"
for name in tiles.merged whole; do
    jq 'del(.window, .sampling, .machine.seconds, .machine.models)' "$work/$name.json" >"$work/$name.counts"
done
check_same_file "windows without gaps: their sums are the whole run's figures" "$work/whole.counts" \
    "$work/tiles.merged.counts"

# The whole run's CPI and stalls lie in the intervals of the sample.
cpi=$(json "$work/whole.json" '[.cpu0, .cpu1 | .mode[] | .cycles - .wait] | add') 
insns=$(json "$work/whole.json" .machine.insns)
low_and_high=$(json "$work/one.merged.json" '.sampling.total.cpi | "\(.mean - .half_width) \(.mean + .half_width)"')
check_equal "the whole run's CPI ($cpi / $insns) is in the interval ($low_and_high)" 1 \
    "$(echo "$low_and_high" | awk "{ cpi = $cpi / $insns; print (\$1 <= cpi && cpi <= \$2) }")"
check_match "the table of the sample" "^mean and 95 % confidence interval \(Student's t, $((files - 2)) degrees" \
    "$work/one.merged.txt"
# With services: those of all windows are all cycles and instructions of the modes, and there is nothing but sums.
simos windows "$work/s" --cpu mipsy --warmup 100000 --window 200000 --script services --quiet --out "$work/services"
check_equal "windows with services: exit status" 0 "$status"
check_equal "windows with services: services make up the modes" 0 "$(json "$work/services.merged.json" \
    '[([.annotations.services[] | .cycles, .insns] | add), ([.cpu0, .cpu1 | .mode[] | .cycles, .insns] | add)] | .[0] - .[1]')"
check_equal "windows with services: the same counts as without" \
    "$(json "$work/one.merged.json" '[.cpu0.mode[].cycles]')" "$(json "$work/services.merged.json" '[.cpu0.mode[].cycles]')"
check_equal "windows with services: members" "events locks seconds services" \
    "$(json "$work/services.merged.json" '.annotations | keys | join(" ")')"
"$SIMOS" report --services "$work/services.merged.json" >"$work/report" 2>"$work/err"
check_equal "the report of windows: exit status" 0 $?
check_match "the report of windows: a service" '^CLOCK INT ' "$work/report"
# On another machine: windows of the same instructions, with its caches, warm.
simos windows "$work/s" --machine 1998 --cpu mipsy --warmup 100000 --window 200000 --quiet --out "$work/other"
check_equal "windows on another machine: exit status" 0 "$status"
check_equal "windows on another machine: which" "1998 4M" \
    "$(json "$work/other.merged.json" '"\(.machine.name) \(.parameters.cache.l2.size)"')"
finish
