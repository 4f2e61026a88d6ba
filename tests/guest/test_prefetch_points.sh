#!/bin/sh
# Prefetch points (docs/reference/prefetch.md): data are prefetched where the program has no PREF.
. "$(dirname "$0")/harness.sh"

# A program whose loads miss (points.S), 64 times each.
compile_bare points points
compile_bare points pref -DPREF=256
# run MACHINE CPU POINTS OPTION...: the program; its statistics in run.json
run()
{
    machine=$1 cpu=$2 points=$3
    shift 3
    simos run --quiet --kernel "$work/${program:-points}" --initrd none --machine "$machine" --cpu "$cpu" --set prefetch.data=on \
        --set cache.l1d.line=64 --set cache.l1d.size=8K --set cache.l2.line=64 --set prefetch.points="$points" \
        --stats "$work/run.json" "$@"
    check_equal "$cpu, $points: the program sees nothing of it" 0 "$status"
}
figures() { json "$work/run.json" '.cpu0 | "\(.prefetch.data.requests) \(.prefetch.data.useful) \(.l1d.read_misses)"'; }
cost() { json "$work/run.json" '.cpu0.mode.kernel.execute'; }
for of in "1994 mipsy" "1994 embra" "1996 mxs"; do
    model=${of#* }
    run "${of% *}" "$model" ""
    plain=$(json "$work/run.json" .cpu0.l1d.read_misses) alone=$(cost)
    # shellcheck disable=SC2086 # two words
    run $of 'strided:256($t0)'
    check_equal "$model: all but the first four lines of a stride are prefetched" "64 60 $((plain - 60))" "$(figures)"
    # shellcheck disable=SC2086
    run $of "strided+0x5c:256(t0)" # addiu
    check_equal "$model: in a delay slot too" "64 60 $((plain - 60))" "$(figures)"
    # shellcheck disable=SC2086
    run $of "first:0(zero),unmapped:0xc0000000(r0)"
    check_equal "$model: an address that is not mapped has no effect" "0 0 $plain" "$(figures)"
    check_between "$model: each execution of a point takes a cycle" $((alone + 2)) $((alone + 2)) "$(cost)"
    [ "$model" = mxs ] && continue # its window executes the load long before
    # shellcheck disable=SC2086
    run $of "chased:64(t0)"
    check_equal "$model: the next line of what a pointer points to" "64 64 $((plain - 64))" "$(figures)"
    # shellcheck disable=SC2086
    run $of "strided:256(t0),chased:64(\$8)"
    check_equal "$model: both" "128 124 $((plain - 124))" "$(figures)"
    check_between "$model: ... take as many cycles, and no instruction" $((alone + 128)) $((alone + 128)) "$(cost)"
    check_equal "$model: ... which are the program's" "$alone" "$(json "$work/run.json" .machine.insns)"
done
# A point is as good as the instruction: of data and execution the figures are those of a program that has the pref.
same() { json "$work/run.json" '.cpu0 | [.prefetch.data, .l1d, .l2.data_misses, .mode.kernel.execute, .mode.kernel.stall.l1d, .mode.kernel.stall.l2d]'; }
for model in mipsy embra; do
    run 1994 $model "strided:256(t0)"
    point=$(same)
    program=pref
    run 1994 $model ""
    check_equal "$model: a point does what a pref does" "$point" "$(same)"
    program=
done
# A logic analyser sees the cycles of points too.
printf 'analyser define time {\n recogniser kernel -mode kernel\n also kernel * -count kernel\n}\n' >"$work/time.tcl"
for of in "1994 mipsy" "1996 mxs"; do
    # shellcheck disable=SC2086
    run $of "strided:256(t0),chased:64(t0),strided+0x5c:64(t0),unmapped:0(gp),unmapped:4(gp)" --script "$work/time.tcl"
    check_equal "${of#* }: the cycles of an analyser are all" 0 \
        "$(json "$work/run.json" '.cpu0.mode.kernel.cycles - .annotations.analysers.time.counters.kernel')"
done
printf '# a comment: nothing\n\nstrided:256(t0) # also\n chased:0x40($t0)\n' >"$work/file"
run 1994 mipsy "@$work/file"
check_equal "points of a file" "128 124" "$(figures | cut -d ' ' -f 1,2)"
run 1994 mipsy "strided:256(t0)" --set prefetch.data=off
check_equal "nothing without prefetch.data" "$(json "$work/run.json" .machine.insns)" "$(cost)"

# Points that a profile proposes: for the strided load some iterations ahead, for the value of a node where its pointer is.
word() { echo "0x$(mipsel-linux-gnu-nm "$work/points" | sed -n "s/^.*\(........\) [Tt] $1$/\1/p"):$2"; }
run 1994 mipsy "" --profile "$work/made.points" --set execution.points=50
for point in "$(word strided '128(t0)')" "$(word chased '64(t0)')"; do
    check_match "$point is proposed" "^$(echo "$point" | sed "s/[()]/\\\\&/g") # " "$work/made.points"
done
run 1994 mipsy "@$work/made.points"
check_between "what is proposed is useful" 500 700 "$(figures | cut -d ' ' -f 2)"
run 1994 mipsy "" --profile "$work/made.points" --set execution.points=1
check_equal "one is asked for" 1 "$(grep -c '^0x' "$work/made.points")"

# The stock kernel, points anywhere and of any register, on four CPUs.
registers='zero v0 v1 a0 a1 a2 a3 t0 t1 s0 s1 s2 sp ra'
awk -v registers="$registers" 'BEGIN { n = split(registers, r, " ") }
    $2 ~ /[tT]/ && $1 !~ /000000$/ && ++i % 7 == 0 {
        printf "0x%s:%d(%s)\n", substr($1, length($1) - 7), i % 11 * 64 - 256, r[i % n + 1]
    }' "$guest/kernel.sym" >"$work/kernel.points"
check_between "points of the kernel" 1000 20000 "$(wc -l <"$work/kernel.points")"
job='ls -l /usr/bin | sort | md5sum; for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait'
points="--set prefetch.data=on --set prefetch.points=@$work/kernel.points"
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
sort "$work/out" >"$work/right"
# restore NAME OPTIONS...: statistics in NAME.json, without what the host's code changes
restore()
{
    name=$1
    shift
    simos restore "$work/boot.ckpt" --quiet --warmup 0 --window 600000 --stats "$work/$name.all" "$@"
    check_equal "$name: runs" 0 "$status"
    jq 'del(.parameters, .machine.command) | walk(if type == "object" then del(.code_bytes) else . end)' "$work/$name.all" >"$work/$name.json"
}
# shellcheck disable=SC2086 # words
{
    restore interpreted --machine 1994-mp8 --cpu mipsy --set mipsy.translate_after=0 $points
    restore translated --machine 1994-mp8 --cpu mipsy --set mipsy.translate_after=1 $points
    check_same_file "interpreted and translated are the same" "$work/interpreted.json" "$work/translated.json"
    check_between "... and do prefetch" 500 1000000000 "$(json "$work/translated.all" '[.cpu0, .cpu1, .cpu2, .cpu3 | .prefetch.data.requests] | add')"
    restore without --machine 1994-mp8 --cpu mipsy --set prefetch.data=off
    restore off --machine 1994-mp8 --cpu mipsy $points --set prefetch.data=off
    check_same_file "without prefetch.data they change no statistic" "$work/without.json" "$work/off.json"
    # The kernel's own hot spots
    restore profiled --machine 1994-mp8 --cpu mipsy --set prefetch.data=on --profile "$work/hot.points"
    restore hot --machine 1994-mp8 --cpu mipsy --set prefetch.data=on --set "prefetch.points=@$work/hot.points"
    check_equal "twelve points" 12 "$(grep -c '^0x' "$work/hot.points")"
    misses() { json "$work/$1.all" '[.cpu0, .cpu1, .cpu2, .cpu3 | .mode.kernel.miss.l1d_read] | add'; }
    check_between "points of the kernel's hot spots hide a twentieth of its misses" 1 $(($(misses profiled) / 20 * 19)) "$(misses hot)"
    for run in "mipsy xia-torrellas" "mxs 1996"; do
        simos restore "$work/boot.ckpt" --quiet --cpu "${run% *}" --machine "${run#* }" $points --set cache.check_interval=100000
        check_equal "${run% *}: the job runs, and the caches stay consistent" 0 "$status"
        sort "$work/out" >"$work/got"
        check_same_file "${run% *}: the programs' output is the same" "$work/right" "$work/got"
    done
    simos restore "$work/boot.ckpt" --quiet --cpu mipsy --machine 1994 --set mipsy.translate_after=0 --lockstep embra --max-insns 1000000 $points
    check_match "two models in lockstep: registers, memory, caches and time" 'are the same after' "$work/err"
}

simos run --quiet --initrd none --max-insns 1000 --set guest.symbols=none --profile "$work/x.points"
check_match "no symbols" 'x.points: needs the kernel.s symbols _text and _etext' "$work/err"
simos run --quiet --initrd none --max-insns 1000 --set cache.model=none --profile "$work/x.points"
check_match "no caches" 'x.points: needs a first-level data cache' "$work/err"

# Bad input names the culprit.
for bad in schedule nowhere:0'(a0)' schedule:0 schedule:'(a0)' schedule:4'(b0)' schedule:4'(pc)' schedule:5000000000'(a0)' \
    0x80100002:0'(a0)' 0x100000:0'(a0)' schedule+:4'(a0)' 12z:0'(a0)' @/nowhere; do
    simos run --quiet --set prefetch.points="$bad" -- true
    check_equal "prefetch.points=$bad: status, lines" "125 1" "$status $(grep -c '^simos: ' "$work/err")"
    check_match "prefetch.points=$bad: message" "^simos: prefetch.points:? .*$(echo "${bad#@}" | sed 's/[:(+].*//' | tr + .)" "$work/err"
done
finish
