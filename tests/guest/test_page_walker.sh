# The hardware page-table walker under the stock kernel, which turns it on by itself: no TLB refill is an exception any more,
# on any CPU model; the same with mipsy and embra, in lockstep; with several processors, after a checkpoint, and with `nohtw`.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# Programs that come and go, pages that are written after a fork, a module in mapped kernel memory, and much memory.
job='dmesg | grep -c "Hardware Page Table Walker enabled"
insmod /lib/modules/crc16.ko && grep -c "^crc16 " /proc/modules
(seq 1 500 | sort -r | md5sum) & (awk "BEGIN { for (i = 0; i < 4000; i++) a[i] = i * i; for (i in a) s += a[i]; print s }") & wait
ls -R /bin /lib | md5sum'

# statistic FILE NAME: the sum of a statistic of all processors' TLBs
statistic()
{
    jq "[to_entries[] | select(.key | test(\"^cpu[0-9]+\$\")) | .value.tlb.$2] | add" "$1"
}
# check_walks RULE FILE: walks and no refills, and all rules about sums
check_walks()
{
    check_equal "$1: TLB refill exceptions" 0 "$(($(statistic "$2" refills_load) + $(statistic "$2" refills_store)))"
    walks=$(($(statistic "$2" walks_load) + $(statistic "$2" walks_store)))
    check_between "$1: walks" 2000 20000000 "$walks"
    check_between "$1: loads of walks, three each if none is on a wrong path" $((3 * walks)) $((4 * walks)) "$(statistic "$2" walk_loads)"
    check_between "$1: entries written, also by the kernel's handlers" "$walks" 20000000 "$(statistic "$2" writes)"
    "$BUILD/simos" check "$2" >"$work/check" 2>&1
    check_equal "$1: sums" 0 $?
}

simos run --quiet --cpu mipsy --lockstep embra --set mipsy.translate_after=0 --set cpu.page_walker=on --set cpu.tlb_entries=16 -- sh -c "$job"
check_equal "mipsy and embra in lockstep: the job ends well" 0 "$status"
check_match "mipsy and embra in lockstep" '^lockstep: mipsy and embra are the same' "$work/err"
cp "$work/out" "$work/expected"
check_equal "the kernel has turned the walker on, once, and loaded the module" "1 1" "$(head -n 2 "$work/out" | paste -sd' ')"

simos run --quiet --cpu mipsy --set cpu.page_walker=on --set cpu.tlb_entries=16 --stats "$work/plain.json" --checkpoint "$work/boot.ckpt@boot" \
    -- sh -c "$job"
check_same_file "mipsy: the same output" "$work/expected" "$work/out"
check_walks mipsy "$work/plain.json"
check_between "mipsy: cycles of walks" 20000 100000000 "$(jq '[.cpu0.mode[].stall.page_walk] | add' "$work/plain.json")"

for cpu in embra mipsy mxs; do
    simos restore "$work/boot.ckpt" --trust --quiet --cpu $cpu --stats "$work/s.json" -- sh -c "$job"
    check_same_file "$cpu, from a checkpoint: the same output" "$work/expected" "$work/out"
    [ $cpu != mipsy ] || check_equal "mipsy, from a checkpoint: its cycles" "$(json "$work/plain.json" .cpu0.cycles)" "$(json "$work/s.json" .cpu0.cycles)"
    check_equal "$cpu, from a checkpoint: TLB refill exceptions" 0 "$(($(statistic "$work/s.json" refills_load) + $(statistic "$work/s.json" refills_store)))"
    "$BUILD/simos" check "$work/s.json" >"$work/check" 2>&1
    check_equal "$cpu, from a checkpoint: sums" 0 $?
done

# Loads of walks that are in a trace, by their kind; elsewhere they are reads.
simos restore "$work/boot.ckpt" --trust --quiet --cpu mipsy --trace "$work/walks.trace" --set trace.kinds=read --stats "$work/s.json" -- sh -c "$job"
before=$(statistic "$work/plain.json" walk_loads) # from the boot on, which the run from power-on has counted
check_equal "with a trace: the same loads of walks" "$before" "$(statistic "$work/s.json" walk_loads)"
"$SIMOS" trace --format references "$work/walks.trace" >"$work/references"
check_between "a trace marks those behind the checkpoint" 2000 "$before" "$(grep -c ' walk ' "$work/references")"
check_equal "... all of them are of page tables, in kseg0, and the processor's" 0 "$(grep ' walk ' "$work/references" | grep -vc '^0 .* 0x8')"
simos restore "$work/boot.ckpt" --trust --quiet --cpu mipsy --stats "$work/none.json" --max-insns 1
check_equal "... none is missing" "$((before - $(statistic "$work/none.json" walk_loads)))" "$(grep -c ' walk ' "$work/references")"

# A second-level TLB and a page-walk cache make walks rarer and shorter, and change nothing else. The machine of a checkpoint may
# get them. mipsy makes a load for each entry of a directory that is not kept, and two for the page table.
for cpu in mipsy embra mxs; do
    simos restore "$work/boot.ckpt" --trust --quiet --cpu $cpu --set cpu.tlb2_entries=256 --set cpu.page_walk_cache=8 --stats "$work/s.json" -- sh -c "$job"
    check_same_file "$cpu, with a second-level TLB: the same output" "$work/expected" "$work/out"
    walks=$(($(statistic "$work/s.json" walks_load) + $(statistic "$work/s.json" walks_store))) hits=$(statistic "$work/s.json" tlb2_hits)
    check_between "$cpu: misses of the TLB that it has" $((walks / 2)) 20000000 "$hits"
    check_between "$cpu: directories that the page-walk cache has" $((walks / 2)) 20000000 "$(statistic "$work/s.json" walk_cache_hits)"
    [ $cpu = mxs ] || check_equal "$cpu: loads of walks" \
        "$(($(statistic "$work/s.json" walk_cache_misses) + 2 * (walks - $(statistic "$work/s.json" walks_failed))))" "$(statistic "$work/s.json" walk_loads)"
    "$BUILD/simos" check "$work/s.json" >"$work/check" 2>&1
    check_equal "$cpu, with a second-level TLB: sums" 0 $?
done

simos run --quiet --cpu embra --cpus 4 --set cache.model=none --set cpu.page_walker=on --stats "$work/s.json" -- sh -c "$job"
check_equal "four CPUs: each has turned it on" 4 "$(head -n 1 "$work/out")"
sed -n '2,$p' "$work/expected" >"$work/rest"
sed -n '2,$p' "$work/out" >"$work/rest.out"
check_same_file "four CPUs: the same output" "$work/rest" "$work/rest.out"
check_walks "four CPUs" "$work/s.json"

arguments=$("$BUILD/simos" params guest.bootargs | sed -n 's/^ *value: *//p')
simos run --quiet --cpu embra --set cache.model=none --set cpu.page_walker=on --set guest.bootargs="$arguments nohtw" --stats "$work/s.json" \
    -- sh -c "$job"
check_equal "nohtw: it stays off" 0 "$(head -n 1 "$work/out")"
check_equal "nohtw: no walks" 0 "$(($(statistic "$work/s.json" walks_load) + $(statistic "$work/s.json" walks_store)))"
check_between "nohtw: TLB refill exceptions" 2000 1000000 "$(statistic "$work/s.json" refills_load)"

simos run --quiet --cpu embra --set cache.model=none --stats "$work/s.json" -- sh -c "$job"
check_equal "without the parameter there is none" 0 "$(head -n 1 "$work/out")"
check_equal "... and no statistic" null "$(json "$work/s.json" .cpu0.tlb.walks_load)"
check_equal "... nor a cause" null "$(json "$work/s.json" .cpu0.mode.user.stall.page_walk)"
finish
