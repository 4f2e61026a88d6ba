#!/bin/sh
# Traces (docs/how-to/trace.md): watching changes nothing, all models make the same references, and what a level is asked is
# what the counters say the level above it missed.
. "$(dirname "$0")/harness.sh"

job='seq 300 | sort -r | md5sum'
# from_boot CPUS OPTIONS: a job on mipsy, behind a boot without caches
from_boot()
{
    from=$work/boot-$1.ckpt
    shift
    simos restore "$from" --quiet --machine 1994 --cpu mipsy "$@"
}
for cpus in 1 4; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- sh -c "$job"
    from_boot $cpus --stats "$work/plain.json"
    cp "$work/out" "$work/plain.out"
    for model in mipsy embra; do
        from_boot $cpus --cpu $model --trace "$work/$model.trace" --stats "$work/traced.json"
        check_equal "$cpus CPUs, $model: the status with a trace" 0 "$status"
        check_same_file "$cpus CPUs, $model: the output with a trace" "$work/plain.out" "$work/out"
        check_equal "$cpus CPUs, $model: the same caches, instructions and time with a trace" \
            "$(jq -c '[.cpu0.l1i, .cpu0.l1d, .cpu0.l2, .memory, .machine.insns, .machine.time]' "$work/plain.json")" \
            "$(jq -c '[.cpu0.l1i, .cpu0.l1d, .cpu0.l2, .memory, .machine.insns, .machine.time]' "$work/traced.json")"
        "$SIMOS" trace "$work/$model.trace" >"$work/$model.din"
    done
    check_between "$cpus CPUs: references after boot" 1000000 100000000 "$(wc -l <"$work/mipsy.din")"
    check_same_file "$cpus CPUs: mipsy and embra make the same references" "$work/mipsy.din" "$work/embra.din"
done

# Level 2 from power-on, which is of fewer instructions than a job: the loads, stores and fetches that it is asked are level 1's misses.
simos run --quiet --max-insns 30000000 --trace "$work/two.trace" --set trace.level=2 \
    --set trace.kinds=fetch,read,write --stats "$work/two.json"
check_equal "level 2: status of a limit" 124 "$status"
"$SIMOS" trace "$work/two.trace" | cut -c 1 | sort | uniq -c | awk '{ print $2, $1 }' >"$work/labels"
check_equal "level 2: what it is asked is what level 1 missed (read, write, fetch)" \
    "$(jq -r '.cpu0 | "0 \(.l1d.read_misses)\n1 \(.l1d.write_misses)\n2 \(.l1i.misses)"' "$work/two.json")" \
    "$(cat "$work/labels")"

# Filters: every reference is in exactly one of the parts.
from_boot 4 --window 4000000 --trace "$work/all.trace"
"$SIMOS" trace "$work/all.trace" | sort >"$work/all.din"
for part in trace.modes=user trace.modes=kernel,idle; do
    "$SIMOS" trace --set $part "$work/all.trace"
done | sort >"$work/modes.din"
for part in trace.cpus=0 trace.cpus=1-3; do
    "$SIMOS" trace --set $part "$work/all.trace"
done | sort >"$work/cpus.din"
for part in 0-0xfffff 0x100000-0xffffffff; do
    "$SIMOS" trace --set trace.addresses=$part "$work/all.trace"
done | sort >"$work/addresses.din"
check_between "4 million instructions make references" 1000000 20000000 "$(wc -l <"$work/all.din")"
check_same_file "the modes together are all" "$work/all.din" "$work/modes.din"
check_same_file "the CPUs together are all" "$work/all.din" "$work/cpus.din"
check_same_file "below and above 1 MB together are all" "$work/all.din" "$work/addresses.din"
# A filter while writing is the same as one while reading.
from_boot 4 --window 4000000 --trace "$work/kernel.din" --set trace.format=din --set trace.modes=kernel --set trace.cpus=1
"$SIMOS" trace --set trace.modes=kernel --set trace.cpus=1 "$work/all.trace" >"$work/kernel.read"
check_same_file "the same filter while writing and while reading" "$work/kernel.read" "$work/kernel.din"

# A full disk ends the run at once, whatever the guest does.
simos run --quiet --trace /dev/full -- sleep 1000
check_equal "full disk: status" 125 "$status"
check_match "full disk: one line says so" '^simos: trace /dev/full: No space left on device$' "$work/err"
finish
