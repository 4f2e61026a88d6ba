#!/bin/sh
# Sweeps (docs/how-to/sweep.md) of the running guest: exact, whatever the method and the model, and the shape of SOSP'95's
# figures 4.6, 4.7 and 5.3.
. "$(dirname "$0")/harness.sh"

# sum FILE SERIES POINT CACHE MODE CAUSE: of the counts of these, patterns for awk
sum()
{
    awk -F '\t' -v series="$2" -v point="$3" -v cache="$4" -v mode="$5" -v cause="$6" \
        '$1 ~ series && $2 ~ ("^(" point ")$") && $3 ~ cache && $7 ~ mode && $9 ~ ("^(" cause ")$") { n += $10 } END { print n + 0 }' "$1"
}

# The first 10 million instructions of a job: a run, with the trace of the same; the trace again; side by side.
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c 'ls -l /bin | sort -r | md5sum'
# job OPTIONS
job()
{
    simos restore "$work/boot.ckpt" --quiet --machine 1994 --cpu mipsy --window 10000000 "$@"
}
over="--over figure-4.6 --over figure-4.7"
# shellcheck disable=SC2086 # words
{
    simos sweep --quiet --max-insns 1000000 --set sweep.start=power-on $over --out "$work/run"
    check_equal "a limit ends a sweep too" 124 "$status"
    job $over --out "$work/run"
    job $over --out "$work/embra" --cpu embra
    check_same_file "mipsy and embra: the same counts" "$work/run.tsv" "$work/embra.tsv"
    job --trace "$work/trace" --stats "$work/run.json"
    simos sweep $over --out "$work/replay" "$work/trace"
    check_equal "a trace can be swept" 0 "$status"
    check_same_file "a run, which is told what quick checks do not allow, and its trace: the same counts" \
        "$work/run.tsv" "$work/replay.tsv"
    simos sweep $over --set sweep.method=points --out "$work/points" "$work/trace"
    check_same_file "stacks and memory systems side by side: the same counts" "$work/replay.tsv" "$work/points.tsv"
}
# 48 KB in 12 ways and 3 MB in 3 ways, and sizes of other numbers of sets. Side by side, only the cache that varies is counted.
for series in "cache.l2.inclusive=off cache.l1d.line=64 cache.l1d.ways=12 cache.l1d.size=24K|36K|48K" \
    "cache.l2.inclusive=off cache.l2.ways=3 cache.l2.size=66K|1536K|3M"; do
    simos sweep --over "$series" --out "$work/other" "$work/trace"
    simos sweep --over "$series" --set sweep.method=points --out "$work/other-points" "$work/trace"
    check_match "swept as stacks: $series" 'in one pass \(stack distances\)' "$work/other.txt"
    grep -v 'l1i' "$work/other.tsv" >"$work/other.varied"
    check_same_file "... the same counts as side by side" "$work/other.varied" "$work/other-points.tsv"
done
check_match "figure 4.6 is swept as stacks" '^figure-4.6: 5 points .* in one pass \(stack distances\)' "$work/run.txt"
check_match "... and without stacks if that is asked for" '^figure-4.6: 5 points .* \(side by side\)' "$work/points.txt"
check_between "figure 4.6 is drawn" 1000 1000000 "$(wc -c <"$work/run-figure-4.6.svg")"
check_match "... as SVG" '<svg' "$work/run-figure-4.6.svg"

# The machine that runs, as one of the points: its own counters say the same.
simos sweep --quiet --max-insns 20000000 --set sweep.start=power-on --over 'cache.l2.size=1M|2M' --stats "$work/run.json" \
    --out "$work/own"
check_equal "the machine's own second level as a point: its counters" \
    "$(jq '.cpu0.l2 | .insn_misses + .read_misses + .write_misses' "$work/run.json")" "$(sum "$work/own.tsv" series-1 1M l2 . "cold|self|other|coherence|flushed")"
simos run --quiet --max-insns 20000000 --stats "$work/plain.json"
check_equal "a sweep changes nothing in the machine that runs" \
    "$(jq -c '[.cpu0.l1i, .cpu0.l1d, .cpu0.l2, .memory, .machine.insns, .machine.time]' "$work/plain.json")" \
    "$(jq -c '[.cpu0.l1i, .cpu0.l1d, .cpu0.l2, .memory, .machine.insns, .machine.time]' "$work/run.json")"

# A job, counted from its start. Section 4.4.1: larger caches take away self-inflicted misses.
simos sweep --quiet --over figure-4.6 --out "$work/job" -- sh -c 'seq 2000 | sort -r | md5sum; ls -lR /bin | wc -l'
check_equal "the job's status" 0 "$status"
for mode in user kernel; do
    check_between "figure 4.6: 256 KB miss less than half of what 16 KB miss, self-inflicted, $mode" 0 \
        "$(($(sum "$work/job.tsv" figure-4.6 16K . $mode self) / 2))" "$(sum "$work/job.tsv" figure-4.6 256K . $mode self)"
    check_equal "figure 4.6: cold misses do not depend on the size, $mode" \
        "$(sum "$work/job.tsv" figure-4.6 16K . $mode cold)" "$(sum "$work/job.tsv" figure-4.6 256K . $mode cold)"
done

# Figure 5.3: coherence misses of 8 CPUs do not shrink with the cache, capacity misses do.
simos run --quiet --cpu embra --cpus 8 --set cache.model=none --checkpoint "$work/eight.ckpt@boot" -- true
simos restore "$work/eight.ckpt" --quiet --machine 1994 --cpu embra --over figure-5.3 --out "$work/eight" -- \
    sh -c 'for i in 1 2 3 4 5 6 7 8; do (seq 1000 | sort -r | md5sum) & done; wait'
small=$(sum "$work/eight.tsv" figure-5.3 256K l2 kernel coherence) large=$(sum "$work/eight.tsv" figure-5.3 4M l2 kernel coherence)
check_between "figure 5.3: the kernel's coherence misses at 256 KB" 10000 100000000 "$small"
check_between "figure 5.3: ... and as many or more at 4 MB" "$((small * 9 / 10))" 100000000 "$large"
small=$(sum "$work/eight.tsv" figure-5.3 256K l2 kernel "self|other") large=$(sum "$work/eight.tsv" figure-5.3 4M l2 kernel "self|other")
check_between "figure 5.3: capacity misses at 4 MB are less than a quarter of those at 256 KB" 0 $((small / 4)) "$large"
check_match "figure 5.3: the table by class" '^4M  *l2  *4M  *128 ' "$work/eight.txt"
check_between "figure 5.3 is drawn" 1000 1000000 "$(wc -c <"$work/eight-figure-5.3-kernel.svg")"

# Two ways to the same classes: the machine's own classification (docs/reference/miss-classes.md), and the sweep's, of the point that
# is the machine's own second level.
simos run --quiet --cpu embra --cpus 2 --set cache.model=none --checkpoint "$work/two.ckpt@boot" -- true
simos restore "$work/two.ckpt" --quiet --machine 1994 --set cache.classify=full --over 'cache.l2.size=1M|4M' \
    --stats "$work/classes.json" --out "$work/classes" -- sh -c '(seq 500 | sort -r | md5sum) & seq 500 | md5sum; wait'
for cause in cold self other coherence upgrade; do
    for mode in user kernel; do
        prefix=kern
        [ $mode = kernel ] || prefix=user
        case $cause in
        cold) path=".miss[].$mode.cold" ;;
        coherence) path=".miss[].$mode | .true_sharing + .false_sharing" ;;
        upgrade) path=".miss.data.$mode.upgrade" ;;
        *) path=".evicted[].${prefix}_$cause" ;;
        esac
        [ "$mode $cause" != "kernel self" ] && [ "$mode $cause" != "kernel other" ] && where=^$mode || where='kernel|idle'
        check_equal "classification and sweep: $mode, $cause" "$(jq "[.cpu0.l2, .cpu1.l2 | $path] | add" "$work/classes.json")" \
            "$(sum "$work/classes.tsv" series-1 1M l2 "$where" $cause)"
    done
done
# From a checkpoint: the sweep's caches and the machine's own begin there, and the point that is the machine's second level
# says what its counters say; a warm-up fills them first.
simos restore "$work/boot.ckpt" --quiet --machine 1994 --over 'cache.l2.size=1M|2M' --stats "$work/own.json" --out "$work/own" \
    -- sh -c 'seq 300 | md5sum'
check_equal "a restored machine's own second level as a point: its counters" \
    "0 $(jq '.cpu0.l2 | .insn_misses + .read_misses + .write_misses' "$work/own.json")" \
    "$status $(sum "$work/own.tsv" series-1 1M l2 . "cold|self|other|coherence|flushed")"
check_match "... counted from where it begins" 'counted from the checkpoint$' "$work/own.txt"
cold=$(sum "$work/own.tsv" series-1 1M l2 . cold)
simos restore "$work/boot.ckpt" --quiet --machine 1994 --warmup 5000000 --over 'cache.l2.size=1M|2M' --out "$work/own" \
    -- sh -c 'seq 300 | md5sum'
check_match "... and after a warm-up from its end" 'counted from the end of the warm-up$' "$work/own.txt"
check_between "... which leaves fewer cold misses" 1 $((cold - 1)) "$(sum "$work/own.tsv" series-1 1M l2 . cold)"
finish
