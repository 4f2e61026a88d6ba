#!/bin/sh
# Several CPUs and high memory under the stock kernel: all CPUs come up, take timer and inter-processor interrupts (GIC),
# and work on shared memory ends right.
. "$(dirname "$0")/harness.sh"
unpack_busybox

# One run on eight CPUs. Pipelines and parallel checksums fork on all of them; the digests are Debian's own.
# shellcheck disable=SC2016 # for the guest
stress='
nproc
mkdir /tmp/work
i=0
while [ $i -lt 16 ]; do
    dd if=/bin/busybox of=/tmp/work/$i bs=50000 skip=$i count=1 2>/dev/null &
    i=$((i + 1))
done
wait
md5sum /tmp/work/0 /tmp/work/1 /tmp/work/2 /tmp/work/3 >/tmp/a &
md5sum /tmp/work/4 /tmp/work/5 /tmp/work/6 /tmp/work/7 >/tmp/b &
md5sum /tmp/work/8 /tmp/work/9 /tmp/work/10 /tmp/work/11 >/tmp/c &
md5sum /tmp/work/12 /tmp/work/13 /tmp/work/14 /tmp/work/15 >/tmp/d &
for word in 1 2 3 4 5 6; do
    (seq 1 300 | sort -r | grep -v 7 | sort -n | md5sum >/tmp/pipe.$word) &
done
wait
cat /tmp/a /tmp/b /tmp/c /tmp/d
cat /tmp/pipe.*
cat /proc/interrupts
exit 8'
simos run --quiet --cpus 8 --stats "$work/8.json" -- sh -c "$stress"
check_equal "--cpus 8: the job's status" 8 "$status"
check_equal "--cpus 8: nproc" 8 "$(head -n 1 "$work/out")"
for i in 0 1 2 3 4 5 6 7; do
    dd if="$busybox" bs=50000 skip=$i count=1 2>/dev/null | md5sum | sed "s|-$|/tmp/work/$i|"
done >"$work/expected"
for i in 8 9 10 11 12 13 14 15; do
    dd if="$busybox" bs=50000 skip=$i count=1 2>/dev/null | md5sum | sed "s|-$|/tmp/work/$i|"
done >>"$work/expected"
for i in 1 2 3 4 5 6; do
    seq 1 300 | sort -r | grep -v 7 | sort -n | md5sum
done >>"$work/expected"
grep -E '^[0-9a-f]{32} ' "$work/out" >"$work/digests"
check_same_file "parallel checksums and pipelines on eight CPUs give what they give elsewhere" \
    "$work/expected" "$work/digests"

# per_cpu WHAT: the sum of /proc/interrupts' lines that end so, for each CPU
per_cpu()
{
    awk -v what="$1" '$0 ~ what "$" { for (i = 2; i <= 9; i++) sum[i] += $i }
        END { for (i = 2; i <= 9; i++) printf "%d\n", sum[i] }' "$work/out"
}
check_equal "all eight CPUs take timer interrupts" 8 "$(per_cpu timer | awk '$1 > 10' | wc -l)"
check_equal "all eight CPUs take calls from other CPUs" 8 "$(per_cpu 'IPI call' | awk '$1 > 0' | wc -l)"
check_equal "all eight CPUs are told to reschedule" 8 "$(per_cpu 'IPI resched' | awk '$1 > 0' | wc -l)"
# The driver of a serial port that is opened makes it ask for an interrupt and takes that back on another CPU than the one
# that is interrupted, which then finds nothing.
asked=$(json "$work/8.json" '[.gic | .input0, .input1, .input2] | add')
answered=$(awk '/ ttyS[0-9]$/ { for (i = 2; i <= 9; i++) sum += $i } END { print sum + 0 }' "$work/out")
spurious=$(awk '$1 == "ERR:" { print $2 }' "$work/out")
check_between "no spurious interrupt but of a serial port that took its request back" 0 "$((asked - answered))" \
    "$spurious"
check_equal "every CPU counts its IPIs, and runs user code" 8 \
    "$(json "$work/8.json" '[.gic[]? | objects | select(.ipi > 0)] | length')"
check_equal "... and runs user code" 8 \
    "$(json "$work/8.json" '[.[] | objects | select(.mode?.user?.insns? // 0 > 10000)] | length')"
check_equal "CPUs take dirty lines from each other's caches" true \
    "$(json "$work/8.json" '[.[] | objects | .l2?.interventions? // 0] | add > 1000')"
check_equal "no warning of the guest misusing hardware" 0 "$(grep -c '^simos: ' "$work/err")"

# Every number of CPUs up to the kernel's 16; the highest here.
# shellcheck disable=SC2016
simos run --quiet --cpu embra --set cache.model=none --cpus 16 --set cpu.tlb_entries=512 -- sh -c 'nproc; grep -c "^tlb_entries.*: 512$" /proc/cpuinfo; dmesg | grep "Brought up"'
check_equal "16 CPUs come up" "0 16 16" "$status $(head -n 2 "$work/out" | tr '\n' ' ' | sed 's/ $//')"
check_match "... in the kernel's words" 'Brought up 1 node, 16 CPUs' "$work/out"
simos run --quiet --cpu embra --set cache.model=none --cpus 64 -- nproc
check_equal "on a board with 64 CPUs it starts 16" "0 16" "$status $(cat "$work/out")"
simos run --quiet --cpu embra --set cache.model=none --cpus 3 -- nproc
check_equal "3 CPUs come up" "0 3" "$status $(cat "$work/out")"

# 2 GB, of which all above 256 MB is high memory; files in memory go there first. What is written is read back.
# shellcheck disable=SC2016
simos run --quiet --memory 2G --cpus 2 --stats "$work/memory.json" -- sh -c '
meminfo() { sed -n "s/^\(MemTotal\|HighTotal\|HighFree\): *\([0-9]*\) kB/$1\1=\2/p" /proc/meminfo; }
meminfo
cat /bin/busybox /bin/busybox /bin/busybox /bin/busybox >/tmp/large
meminfo after_
md5sum </tmp/large
simos-mark "high memory"'
total=$(sed -n 's/^MemTotal=//p' "$work/out")
size=$(($(wc -c <"$busybox") * 4))
check_equal "--memory 2G: the job's status" 0 "$status"
check_between "--memory 2G: MemTotal, kB (the kernel keeps some)" 2040000 2097152 "$total"
check_equal "--memory 2G: 1792 MB are high memory" 1835008 "$(sed -n 's/^HighTotal=//p' "$work/out")"
# The kernel does not count as free what each processor keeps at hand: some of it was taken before.
check_between "a file went into high memory, kB" $((size / 1024 - 1000)) $((size / 1024 + 4000)) \
    $(($(sed -n 's/^HighFree=//p' "$work/out") - $(sed -n 's/^after_HighFree=//p' "$work/out")))
check_equal "... and keeps what was written" "$(cat "$busybox" "$busybox" "$busybox" "$busybox" | md5sum)" \
    "$(tail -n 1 "$work/out")"
check_equal "a mark's name reaches the simulator there too" 1 "$(json "$work/memory.json" .control.marks)"
simos run --quiet --cpu embra --set cache.model=none --memory 32M -- sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo
check_between "--memory 32M: MemTotal, kB" 10000 32768 "$(cat "$work/out")"
finish
