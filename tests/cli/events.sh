#!/bin/sh
# Events that options name and that do not come: a line each at the end of the run, status 125 instead of 0, results
# complete. Commands for bare programs, which nobody would run. Names in another case.
#
#     tests/cli/events.sh SIMOS
set -u
simos=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"

# lui $8, 0xb801; ori $9, $0, STATUS; sw $9, 0x14($8); b .; nop: reports an exit status
program "$dir/exit0" '\001\270\010\074' '\0\0\011\064' '\024\0\011\255' '\377\377\0\020' '\0\0\0\0'
program "$dir/exit7" '\001\270\010\074' '\007\0\011\064' '\024\0\011\255' '\377\377\0\020' '\0\0\0\0'
bare="--initrd none --set guest.symbols=none --stats $dir/s.json"

# ends STATUS LINE WORDS...: the status, the lines of simos (separated by "|"), statistics with all instructions
ends()
{
    status=$1 lines=$2
    shift 2
    rm -f "$dir/s.json"
    tests/limit.sh 20 "$simos" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    check "$*" "$status $lines $insns" \
        "$? $(sed -n 's/^simos: //p' "$dir/err" | sed "s|$dir/||g" | paste -s -d '|') $(jq .machine.insns "$dir/s.json" 2>/dev/null)"
}
# shellcheck disable=SC2086
{
    insns=3
    made="--kernel $dir/exit0 $bare"
    ends 0 '' run $made
    ends 125 '--checkpoint: the run ended before mark:never: c is not written' run $made --checkpoint "$dir/c@mark:never"
    ends 7 '--checkpoint: the run ended before mark:never: c is not written' run --kernel "$dir/exit7" $bare \
        --checkpoint "$dir/c@mark:never"
    ends 125 '--series: the run ended before boot: no checkpoint in series' run $made --series "$dir/series,every=1,from=boot"
    ends 125 '--switch: the run ended before mark:a b: no switch to embra|--switch: the run ended before time:5: no switch to mipsy' \
        run $made --switch 'embra@mark:a b' --switch mxs@insns:1 --switch mipsy@time:5
    ends 125 'trace.start: the run ended before mark:never|trace.stop: the run ended before insns:100' run $made \
        --trace "$dir/t" --set trace.start=mark:never --set trace.stop=insns:100
    ends 125 '--timeline, from: the run ended before boot|--timeline, to: the run ended before insns:9' run $made \
        --timeline "$dir/line,from=boot,to=insns:9"
    ends 125 '--bbv: the run ended before an interval of 9 instructions was complete: no vectors in v.bb' run $made \
        --bbv "$dir/v.bb,every=9"
    ends 0 '' run $made --bbv "$dir/v.bb,every=2"
    ends 0 'sweep.start: the run ended before boot: misses are counted from power-on' sweep $made --over figure-4.6
    ends 125 'sweep.start: the run ended before boot' sweep $made --over figure-4.6 --set sweep.start=boot
    insns=2
    ends 124 'stopped by the limit of --max-insns|--checkpoint: the run ended before insns:3: c is not written' run $made \
        --max-insns 2 --checkpoint "$dir/c@insns:3"
    rm -f "$dir/c"
    insns=1
    ends 124 'stopped by the limit of --seconds|--checkpoint: the run ended before time:1: c is not written' run $made \
        --seconds 1e-9 --checkpoint "$dir/c@time:1"
    check "a checkpoint whose event did not come" absent "$([ -e "$dir/c" ] && echo there || echo absent)"
    # A time of an event and a limit of the same time are one cycle: 0.000035 s are 6,999.999999999999 cycles in binary.
    program "$dir/loop" '\377\377\0\020' '\0\0\0\0'
    for seconds in 0.000035 0.000065 0.000139 0.00015; do
        insns=$(awk "BEGIN { printf \"%.0f\", $seconds * 200e6 }")
        ends 124 'stopped by the limit of --seconds' run --kernel "$dir/loop" $bare --machine 1994 --set cache.model=none \
            --seconds $seconds --checkpoint "$dir/at.ckpt@time:$seconds" --timeline "$dir/line,to=time:$seconds"
        rm -f "$dir/at.ckpt"
    done
    "$simos" run $made --checkpoint "$dir/one.ckpt@insns:1" >/dev/null 2>&1
    insns=2
    ends 125 '--window 5: the run ended before the window was complete' restore "$dir/one.ckpt" --window 5 --stats "$dir/s.json"
    insns=0
    ends 125 '--warmup 5: the run ended during the warm-up' restore "$dir/one.ckpt" --warmup 5 --window 5 --stats "$dir/s.json"
    printf 'node a --kernel %s --initrd none --switch embra@mark:never\n' "$dir/exit0" >"$dir/cluster.tcl"
    insns=
    ends 125 'node a: --switch: the run ended before mark:never: no switch to embra' cluster --trust "$dir/cluster.tcl"

    none='is not Linux, and without an initrd or a disk it has no user land to do this'
    ends 125 "the command for the guest: exit0 $none" run $made -- true
    ends 125 "--copy-in: exit0 $none" run $made --copy-in "$dir/exit7"
    ends 125 "--copy-out: exit0 $none" run $made --copy-out /root
    head -c 512 /dev/zero >"$dir/disk"
    insns=3
    ends 125 'the guest ended, with status 7, before it asked for its command, which did not run' run \
        --kernel "$dir/exit7" $bare --disk "$dir/disk" -- true
    insns=
    ends 125 '--initrd: not for a checkpoint, which holds it already' restore "$dir/one.ckpt" --initrd none
    ends 125 'kernel nosuch: No such file or directory' restore "$dir/one.ckpt" --kernel nosuch

    # The record of a restored run that takes no input is a record, and repeats it.
    ends 0 '' restore "$dir/one.ckpt" --record "$dir/record"
    ends 0 '' restore "$dir/one.ckpt" --replay "$dir/record"
    # Both machines of a lockstep are restored: two instructions are left.
    tests/limit.sh 20 "$simos" restore "$dir/one.ckpt" --lockstep embra --switch embra@insns:2 >/dev/null 2>"$dir/err"
    check "restore --lockstep" "0 1" "$? $(grep -c '^lockstep: mipsy and embra are the same after 3 instructions' "$dir/err")"
}
# A program that ends when Count is 4000: lui $8, 0xb801; mfc0 $9, $9; sltiu $10, $9, 4000; bnez $10, .-8; lw $11, 0x14($8);
# sw $0, 0x14($8); b .; nop. On a machine with slower uncached reads it executes less, and its last window has no end.
program "$dir/count" '\001\270\010\074' '\0\110\011\100' '\240\017\052\055' '\375\377\100\025' '\024\0\013\215' \
    '\024\0\0\255' '\377\377\0\020' '\0\0\0\0'
"$simos" run --kernel "$dir/count" --initrd none --series "$dir/counts,every=40" >/dev/null 2>&1
"$simos" windows "$dir/counts" --window 39 --set memory.uncached_latency=1us --out "$dir/windows" >"$dir/out" 2>&1
check "an incomplete window is left out, and said to be" "0 1 6 [\"0006\"]" \
    "$? $(grep -c 'left out' "$dir/out") $(jq -c '.window | .count, .left_out' "$dir/windows.merged.json" | paste -s -d ' ')"
printf 'catch {symbol Schedule} text\nputs $text\nbuild\ncatch {stats Machine.Insns} text\nputs $text\n' >"$dir/names.tcl"
"$simos" shell --kernel "$dir/exit0" --initrd none "$dir/names.tcl" >"$dir/out" 2>&1
check "statistics in another case" 1 "$(grep -c 'no statistic matches "Machine.Insns"; did you mean "machine.insns"?' "$dir/out")"

echo "events: $passed passed, $failed failed"
[ "$failed" = 0 ]
