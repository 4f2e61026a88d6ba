# What is collected besides the statistics (docs/how-to/annotations.md, "Over time, stacks, time line"; SOSP'95 figures 4.1 and
# 5.1): every cycle once, slices that nest, and nothing of the run changed by it.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

job='ls / | head -n 3; simos-mark here; (sleep 0.01; echo a) & wait'

# Two CPUs, with and without all of it; intervals that are short beside a turn of the processors.
simos run --cpu embra --cpus 2 --set cache.model=none --quiet --checkpoint "$work/boot.ckpt@boot" -- true
simos restore "$work/boot.ckpt" --machine 1994 --cpu embra --quiet --script services --stats "$work/without.json" -- sh -c "$job"
cp "$work/out" "$work/said"
simos restore "$work/boot.ckpt" --machine 1994 --cpu embra --quiet --script services --stats "$work/with.json" --over-time 700us \
    --stacks "$work/run.folded,every=30us" --timeline "$work/run.trace" -- sh -c "$job"
check_equal "exit status" 0 "$status"
check_same_file "what the job says" "$work/said" "$work/out"
for file in without with; do
    jq -S 'del(.over_time, .machine.models)' "$work/$file.json" >"$work/$file"
done
check_same_file "all statistics and services are the same with it" "$work/without" "$work/with"

stats=$work/with.json
for mode in user kernel idle; do
    for figure in cycles insns wait stall.l1i stall.l2i stall.l1d stall.l2d stall.upgrade; do
        check_equal "over time: the intervals have every one of $mode $figure" \
            "$(json "$stats" "[.cpu0, .cpu1 | .mode.$mode.$figure] | add")" \
            "$(json "$stats" "[.over_time.rows[].$mode.$figure] | add")"
    done
done
cycles=$(json "$stats" '[.cpu0, .cpu1 | .mode[].cycles] | add')
check_equal "over time: groups of services have every cycle" "$cycles" \
    "$(json "$stats" '[.over_time.rows[].groups[].cycles] | add')"
check_equal "over time: TLB refills are those of the services" \
    "$(json "$stats" '.annotations.services | .UTLB.cycles + .KTLB.cycles')" \
    "$(json "$stats" '[.over_time.rows[].groups["TLB refills"].cycles] | add')"
check_equal "over time: no interval has less than nothing, or ends before the one before" true \
    "$(json "$stats" '[.over_time.rows[] | (.user, .kernel, .idle, .groups[]) | .cycles] | (min >= 0 and max <= 10000000)')"
check_equal "over time: the intervals end in order" true "$(json "$stats" '[.over_time.rows[].end] | . == sort')"
check_equal "over time: an interval of 700 us is 140000 cycles" 140000 "$(json "$stats" .over_time.interval)"

check_equal "stacks: they have every cycle" "$cycles" "$(awk '{ sum += $NF } END { printf "%d", sum }' "$work/run.folded")"
check_equal "stacks: those that end in TLB refills have all of theirs" "$(json "$stats" .annotations.services.UTLB.cycles)" \
    "$(awk '/;UTLB(;[^;]*)? [0-9]+$/ { sum += $NF } END { printf "%d", sum }' "$work/run.folded")"
check_match "stacks: process, service, routine" '^(sh|ls|init);execve;[a-z_0-9]+ [0-9]+$' "$work/run.folded"
check_no_match "stacks: nothing else than stacks and numbers" '^[^;]* [0-9]+$|[^0-9]$' "$work/run.folded"

# Slices of a track are in order of time, those that hold others first: each lies in the one that it begins in.
cat >"$work/nest.jq" <<'EOJ'
def ns: . * 1000 | round;
[.traceEvents[] | select(.ph == "X")] | group_by([.pid, .tid])[] |
    reduce .[] as $e ({open: [], bad: 0};
        ($e.ts | ns) as $from | ($from + ($e.dur | ns)) as $to |
        .open |= (until(length == 0 or .[-1] > $from; .[:-1])) |
        (if (.open | length) > 0 and .open[-1] < $to then .bad += 1 else . end) |
        .open += [$to]) | .bad
EOJ
trace=$work/run.trace
check_equal "time line: slices of both processors nest" "0 0" "$(jq -f "$work/nest.jq" "$trace" | xargs)"
check_equal "time line: every event is as the format has it, every track has one name" "" \
    "$(jq -r -f "$root/tests/guest/trace_format.jq" "$trace")"
jq '(.traceEvents | map(.ph == "X") | index(true)) as $x | .traceEvents[$x].dur = -1 | .traceEvents[$x + 1].tid = 77 |
    .traceEvents[$x + 2] |= del(.name) | .traceEvents[$x + 3].colour = "red"' "$trace" >"$work/wrong.trace"
check_equal "time line: and what is not is found" "3 times event X,1 times no name for track [1,77]," \
    "$(jq -r -f "$root/tests/guest/trace_format.jq" "$work/wrong.trace" | cut -d : -f 1 | tr '\n' ',')"
check_equal "time line: it is complete" true "$(json "$trace" .otherData.complete)"
for service in UTLB KTLB "CPU INT"; do # none of them can be left for another process
    check_equal "time line: every call of $service" "$(json "$stats" ".annotations.services[\"$service\"].calls")" \
        "$(json "$trace" "[.traceEvents[] | select(.ph == \"X\" and .name == \"$service\")] | length")"
done
check_between "time line: processes take all of the first processor's time" -1 1 \
    $(($(json "$trace" '[.traceEvents[] | select(.cat == "process" and .tid == 0) | .dur * 1000 | round] | add') / 1000 - \
       $(json "$stats" '.cpu0 | (.cycles - .before.cycles) / 200 | floor')))
check_equal "time line: the job's mark" 1 "$(json "$trace" '[.traceEvents[] | select(.ph == "i" and .name == "here")] | length')"

# The counter of instructions where a slice begins is for `back to`: TLB refills begin at the vector of the refill handler.
json "$trace" '(.traceEvents | map(select(.ph == "C") | {key: "\(.ts)", value: .args.insn}) | from_entries) as $insn |
    [.traceEvents[] | select(.name == "UTLB")] | .[0, 20, -1] | "\(.tid) \($insn["\(.ts)"])"' >"$work/refills"
{
    echo "restore $work/boot.ckpt -machine 1994 cpu.model embra -- sh -c {$job}; run; set ebase 0x80038000"
    while read -r cpu insn; do
        echo "back to insn $insn; cpu $cpu; puts [expr {[register pc] == \$ebase}]"
    done <"$work/refills"
} >"$work/back.tcl"
simos shell --history --quiet "$work/back.tcl"
check_equal "time line: where TLB refills begin" "1 1 1" "$(tail -n 3 "$work/out" | xargs)"

# Reports: execution over time; stall hidden, where two files are one machine in order and out of order.
simos report "$work/with.json"
cp "$work/out" "$work/report"
check_match "report: execution over time" '^execution over time: with, in % of each interval' "$work/report"
check_between "report: in at most 40 lines" 30 40 "$(grep -cE '^ +[0-9.]+( +[0-9.]+){6}  [UuKks.]+$' "$work/report")"
check_equal "report: the shares of each are 100 %" 0 \
    "$(awk 'NF == 8 && $8 ~ /^[UuKks.]+$/ { sum = $2 + $3 + $4 + $5 + $6 + $7; if (sum < 99.96 || sum > 100.04 || length($8) != 50) bad++ } END { print bad + 0 }' "$work/report")"
jq '.machine.model = "mxs" | (.. | objects | select(has("l2i") and has("upgrade")) | .l2i) |= . / 4 |
    (.. | numbers) |= floor' "$work/with.json" >"$work/ooo.json"
simos report --svg "$work" "$work/with.json" "$work/ooo.json"
check_equal "report: figures: exit status" 0 "$status"
check_match "report: three quarters of the kernel's L2-I stall are hidden" '^ +L2-I .* 7[45]\.[0-9] %$' "$work/out"
check_match "report: and none of its L1-I stall" '^ooo +L1-I .* 0\.0 %$' "$work/out"
for figure in report execution-time mcpi hidden services over-time-with over-time-ooo; do
    check_match "report: $figure.svg" '</svg>$' "$work/$figure.svg"
done

# Bounded: in number, and by a window.
simos run --cpu embra --set cache.model=none --quiet --timeline "$work/few.trace,events=50" -- true
check_between "time line of at most 50 slices, and what was under way" 50 80 \
    "$(json "$work/few.trace" '[.traceEvents[] | select(.ph == "X")] | length')"
check_equal "it says that it is not complete" false "$(json "$work/few.trace" .otherData.complete)"
check_match "so does stderr" 'truncated after [0-9]+ slices' "$work/err"
simos run --cpu embra --set cache.model=none --quiet --stats "$work/part.json" --timeline "$work/part.trace,from=boot,to=mark:end" \
    -- sh -c 'ls / >/dev/null; simos-mark end; ls /bin >/dev/null'
check_equal "time line of a window: from boot to a mark" "0 < from < to < end" "$(jq -r --slurpfile stats "$work/part.json" \
    '.otherData | if 0 < .from_cycle and .from_cycle < .to_cycle and .to_cycle < $stats[0].machine.time
    then "0 < from < to < end" else . end' "$work/part.trace")"
check_equal "nothing in it is outside of the window" 0 "$(json "$work/part.trace" '.otherData as $window |
    [.traceEvents[] | select(.ph == "X") | select(.ts * 200 < $window.from_cycle - 1 or (.ts + .dur) * 200 > $window.to_cycle + 1)] | length')"

finish
