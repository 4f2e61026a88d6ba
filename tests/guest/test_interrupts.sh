#!/bin/sh
# `make interrupts` (docs/how-to/interrupts.md): a program in the guest counts the cache misses of disk and network
# interrupts as section 2 of Schaelicke, Davis and McKee 1999 has it, and simos says who displaced each line.
. "$(dirname "$0")/harness.sh"

"$root/tests/limit.sh" 300 "$root/workloads/mkworkload.sh" "$SIMOS" interrupts-ultra-1-short "$work/workloads" >"$work/log" 2>&1
check_equal "the workload is positioned" 0 "$?"
interrupts()
{
    # The larger caches under the disk only: the network's runs differ from it in what all runs of the network do.
    EXPERIMENTS="disk large-disk network threaded" JOBS=2 \
        "$root/tests/limit.sh" 900 "$root/workloads/interrupts/interrupts.sh" "$SIMOS" "$work/workloads" "$1" -short >"$work/log" 2>&1
}
interrupts "$work/one"
check_equal "all runs come to their end" 0 "$?"
runs=$work/one/runs.json
check_equal "each experiment has its runs, the disk's and the network's" "88 60" \
    "$(json "$runs" '[.[] | select(.caches == "" and .mode != "exception")] | [[.[] | select(.scenario | test("network") | not)],
    [.[] | select(.scenario | test("network"))] | length] | "\(.[0]) \(.[1])"')"
check_equal "... and those with a larger first level, of the disk" "16 0" \
    "$(json "$runs" '[.[] | select(.caches == "larger")] | [[.[] | select(.scenario | test("network") | not)],
    [.[] | select(.scenario | test("network"))] | length] | "\(.[0]) \(.[1])"')"
# Between taking an interrupt and saving its registers a few lines are missed, fewer than in all of the kernel.
check_equal "a part of the kernel's misses is at exception level" "true true" "$(json "$runs" \
    '[.[] | select(.mode == "kernel" and .scenario == "network" and .done)] | [([.[] | .exception <= .count] | all),
    ([.[] | select(.cache == "l1d") | .exception > 0] | all)] | "\(.[0]) \(.[1])"')"
# In user mode the guest counts what simos sees but for a few misses between the marks and the system calls.
check_equal "in user mode the causes add up to the count" "" "$(json "$runs" '.[] | select(.mode == "user")
    | {cache, scenario, run, count, seen: (.misses.USER | add)} | select(.count < .seen or .count > .seen + 150)')"
check_equal "disk interrupts displace lines where there are some" true "$(json "$runs" \
    '[.[] | select((.scenario == "disk" or .scenario == "direct") and .mode == "user" and .done) | .misses.USER["DISK INT"] > 0] | all')"
check_equal "the interrupt of a direct read wakes no thread that reads" 0 "$(json "$runs" \
    '[.[] | select(.scenario == "direct") | .misses | select(has("pread64") or has("futex"))] | length')"
check_equal "the clock's interrupts are seen in each window of 25 ms" true "$(json "$runs" \
    '[.[] | select(.scenario == "idle" and .pattern == "repeat") | .events["CLOCK INT"] >= 6] | all')"
# A kernel thread for the network does what the softirq does; threadirqs of the stock kernel makes none for the disk.
check_equal "no answer comes before counting begins" true "$(json "$runs" '[.[] | select(.scenario == "network") | .done] | all')"
check_equal "the softirq receives, or the thread for the network" "true true" "$(json "$runs" \
    '[.[] | select(.scenario == "network" and .done)] | [([.[] | select(.kernel == "") | .events | has("SW INT")] | all),
    ([.[] | select(.kernel == "threaded" and .events["NET INT"] > 0) | .misses | has("DAEMONS")] | all)] | "\(.[0]) \(.[1])"')"
for table in 2 3 4 5 6 7 8 9; do
    check_match "the page has table $table" "<h2>Table $table: " "$work/one/index.html"
done
check_match "... and says how far off the method is" 'the median error of the method is [0-9.]* %' "$work/one/index.html"
rm "$work/one/large-disk-ultra-1.out"
for part in 'Of [0-9]* findings' 'Why more is counted than in the paper' 'Distributions with two modes' 'A thread for the network'; do
    check_match "the page has: $part" "$part" "$work/one/index.html"
done
bootargs=$("$SIMOS" params guest.bootargs | sed -n 's/^ *default: *//p')
simos run --quiet --cpu embra --set cache.model=none --set "guest.bootargs=$bootargs threadirqs" -- sh -c \
    'mount -t proc proc /proc 2>/dev/null; cat /proc/[0-9]*/comm | grep -c ^irq/; dmesg | grep -c setup_forced_irqthreads'
check_equal "threadirqs: the stock kernel warns, and makes no thread of a handler" "0 1" "$(tr '\n' ' ' <"$work/out" | sed 's/ $//')"
cp "$work/one/index.html" "$work/first"
interrupts "$work/one"
check_same_file "a second time it is the same" "$work/first" "$work/one/index.html"
check_equal "nothing ends off the right edge" "" "$("$root/tests/limit.sh" 60 python3 "$root/tests/guest/page_edges.py" "$work" "$work/one/index.html" 1300 700 2>&1)"
finish
