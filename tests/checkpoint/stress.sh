#!/bin/sh
# Machines that are saved and restored at random instants and go on byte for byte as if they had not been
# (tests/checkpoint/instants.c).
#
#     tests/checkpoint/stress.sh BUILD INSTANTS
#
# MACHINES   run only the machines whose number, from 1, is in this list
# SEED       of the instants (1995)
# TEST       instants, or round_trips (tests/checkpoint/round_trips.c): journeys into the past
# The last line: "stress-checkpoint: N passed, N failed"; exit status 0 if none failed.
set -u
build=$1 count=$2 seed=${SEED:-1995} program_of_test=${TEST:-instants}
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-instants.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 number=0
truncate -s 1M "$dir/a.img"
truncate -s 16M "$dir/b.img"

# Everything of a memory system that keeps something in flight: write buffers, a bus with contention, banks, streams,
# prefetches, the engine for blocks; and what misses are classified by.
everything='--set cache.l1d.size=4K --set cache.l1i.size=4K --set cache.l2.size=64K --set cache.classify=full
    --set memory.contention=on --set dram.banks=4 --set dram.bank_busy=100ns --set cache.l1d.write=through
    --set cache.l1d.write_buffer.depth=4 --set prefetch.insn.trigger=miss --set prefetch.insn.lines=2
    --set prefetch.insn.pages=all --set prefetch.stream.buffers=2 --set prefetch.stream.level=1 --set prefetch.data=on
    --set block.engine=on'

# machine PROGRAM OPTIONS...: it runs PROGRAM
machine()
{
    program=$1
    shift
    number=$((number + 1))
    case " ${MACHINES:-$number} " in *" $number "*) ;; *) return ;; esac
    tests/limit.sh 3600 "$build/$program_of_test" "$build/simos" "$dir" "$count" "$seed" \
        --quiet --memory 48M --initrd build/lockstep/initrd "$@" -- sh -c "$program" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    result=$(sed -n 's/^[a-z_]*: .*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$dir/out")
    if [ -n "$result" ]; then
        passed=$((passed + ${result% *})) failed=$((failed + ${result#* }))
    else
        failed=$((failed + 1))
    fi
    [ "$status" = 0 ] || { echo "FAIL machine $number: $*: status $status"; head -n 20 "$dir/out"; tail -n 3 "$dir/err"; }
    [ "$count" -lt 100 ] || tail -n 1 "$dir/out"
}

# Threads that fight for locks and share lines, processes that come and go, on eight CPUs.
fight='/stress 1 locks linked condition local copies forks pipes files'
# Two disks with several requests under way, data that is read back, and what the caches of Linux make of it.
disks='dd if=/dev/urandom of=/dev/vda bs=4k count=200 oflag=direct 2>/dev/null &
for i in 1 2 3; do dd if=/dev/vdb of=/dev/vdb seek=500 bs=16k count=30 iflag=direct oflag=direct conv=notrunc 2>/dev/null; done &
(cat /bin/busybox >/tmp/x; md5sum /tmp/x; yes | head -c 3000 | md5sum) & wait; dd if=/dev/vda bs=4k count=200 2>/dev/null | md5sum'

machine "$fight" --cpu embra --cpus 8
machine "$fight" --cpu embra --cpus 8 --set cache.model=none
machine "$fight" --cpu mipsy --switch embra@insns:1 --switch mipsy@boot --cpus 8
machine "$fight" --cpu mipsy --switch embra@insns:1 --switch mipsy@boot --cpus 8 --set cache.model=none
machine "$fight" --cpu embra --cpus 8 --set cache.model=three-level --set cache.protocol=mesi \
    --set cache.l1d.replacement=random --set cache.l1d.ways=4 --set cache.l1i.replacement=plru --set cache.l1i.ways=8 \
    --set cache.l2.size=1280K --set cache.l2.ways=20 --set cache.l3.size=1536K --set cache.l3.ways=8 --set cache.l3.sector_lines=2
machine "$disks" --cpu embra --cpus 4 --disk "$dir/a.img" --disk "$dir/b.img"
machine "$disks" --cpu embra --cpus 2 --disk "$dir/a.img" --disk "$dir/b.img" --set cache.model=none --set disk.model=fixed
machine "$disks" --cpu mipsy --switch embra@insns:1 --switch mipsy@boot --disk "$dir/a.img" --disk "$dir/b.img"
# shellcheck disable=SC2086 # many words
machine '/stress 1 locks linked copies' --cpu mipsy --switch embra@insns:1 --switch mipsy@boot --cpus 2 $everything
# shellcheck disable=SC2086
machine "$disks" --cpu embra --disk "$dir/a.img" --disk "$dir/b.img" $everything
# What a dynamically scheduled processor has in flight.
machine '/stress 1 locks linked pages' --machine 1996 --cpu mxs --switch embra@insns:1 --switch mxs@boot --cpus 2 \
    --set mxs.branch_predictor=tournament
machine "$fight" --machine 1998 --cpu mxs --switch embra@insns:1 --switch mxs@boot --cpus 8 --set mxs.window=200 \
    --set mxs.units.integer=2 --set cache.classify=full --set mxs.branch_predictor=tage
# The same with a network in use: what libslirp answers by itself takes no time of the host's.
machine "ping -c 200 -i 0.01 -s 1000 10.0.2.2 >/tmp/ping & $disks; wait; grep ' 0%' /tmp/ping" --cpu embra --cpus 8 --net user \
    --disk "$dir/a.img" --disk "$dir/b.img"
# The page-table walker, in the middle of walks.
machine '/stress 1 locks linked pages' --machine 1996 --cpu mxs --switch embra@insns:1 --switch mxs@boot --cpus 2 \
    --set cpu.page_walker=on --set cpu.tlb_entries=16 --set cpu.tlb2_entries=64 --set cpu.page_walk_cache=2
machine '/stress 1 locks linked copies' --cpu mipsy --switch embra@insns:1 --switch mipsy@boot --cpus 2 --set cpu.page_walker=on \
    --set cpu.tlb2_entries=32 --set cpu.page_walk_cache=4
# Caches that CPUs share, with all that is remembered of them and all that waits for them.
machine "$fight" --cpu embra --cpus 4 --set cache.model=three-level --set cache.protocol=mesi --set cache.l1d.size=4K --set cache.l1i.size=4K \
    --set cache.l2.size=64K --set cache.l2.ways=4 --set cache.l2.shared=2 --set cache.l2.partition=0:3,1:12 --set cache.l3.size=512K \
    --set cache.l3.shared=all --set cache.classify=full --set cache.l2.occupancy=10ns --set cache.l3.occupancy=20ns \
    --set cache.l3.banks=4 --set cache.l1d.write_buffer.depth=4 --set cache.l3.write_buffer.depth=4 --set prefetch.data=on
# Pages that move between nodes, by what caches and by what TLBs miss.
moves='--set memory.nodes=4 --set memory.home=round_robin --set memory.remote_time=1200ns --set memory.move_pages=both
    --set memory.move_threshold=16 --set memory.move_sharing_threshold=4 --set memory.move_time=20us --set memory.move_interval=5ms
    --set memory.home_occupancy=200ns --set memory.link_occupancy=100ns'
# shellcheck disable=SC2086
machine "$fight" --cpu embra --cpus 8 $moves
# shellcheck disable=SC2086
machine '/stress 1 locks linked copies' --machine 1996 --cpu mxs --switch embra@insns:1 --switch mxs@boot --cpus 4 $moves \
    --set memory.move_on=tlb_misses
# Exclusive levels, one of them shared.
machine "$fight" --cpu embra --cpus 8 --set cache.model=three-level --set cache.l1i.line=128 --set cache.l1d.line=128 --set cache.l2.size=64K \
    --set cache.l2.inclusive=off --set cache.l2.exclusive=on --set cache.l3.size=512K --set cache.l3.shared=all \
    --set cache.l3.inclusive=off --set cache.l3.exclusive=on --set cache.classify=full
echo "stress-checkpoint: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
