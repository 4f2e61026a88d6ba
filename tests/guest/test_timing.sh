#!/bin/sh
# A guest on a machine in which accesses wait for write buffers, caches, the bus and a memory bank (docs/reference/memory-timing.md):
# both CPU models make the same accesses at the same times, runs repeat, and what is waited for is in the statistics.
. "$(dirname "$0")/harness.sh"
model=${LOCKSTEP_MODEL:-embra}

# Three levels with buffers between them, a split-transaction bus, one bank: 4 CPUs at work.
job='for i in 1 2 3 4; do seq 1 300 | sort -r | md5sum & done; wait'
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
simos restore "$work/boot.ckpt" --quiet --machine xia-torrellas --cpu mipsy --stats "$work/both.json" --lockstep "$model"
check_equal "xia-torrellas: the job runs" 0 "$status"
check_match "xia-torrellas: mipsy and $model wait for the same" "^lockstep: mipsy and $model are the same" "$work/err"
simos restore "$work/boot.ckpt" --quiet --machine xia-torrellas --cpu mipsy --stats "$work/alone.json"
check_same_file "xia-torrellas: another run is the same" "$work/both.json" "$work/alone.json"
check_between "xia-torrellas: CPUs waited for the bus" 1 100000000000 "$(json "$work/alone.json" .bus.data.wait)"
check_between "xia-torrellas: ... and for memory" 1 100000000000 "$(json "$work/alone.json" .dram.bank0.wait)"
check_between "xia-torrellas: ... and for the write buffer" 1 100000000000 \
    "$(json "$work/alone.json" .cpu0.l1d.write_buffer.full_wait)"
check_equal "xia-torrellas: no request came too late for the bus to remember" 0 \
    "$(json "$work/alone.json" '.bus.data.late + .bus.address.late')"

# The same wires cannot carry more than all the time there is.
check_equal "xia-torrellas: the bus is used for less than the time" true \
    "$(json "$work/alone.json" '.bus.data.busy < .machine.time and .bus.data.utilisation < 1')"

# One CPU has nobody in its way but its own write-backs.
simos run --quiet --set memory.contention=on --max-insns 50000000 --stats "$work/bus.json"
simos run --quiet --max-insns 50000000 --stats "$work/none.json"
none=$(json "$work/none.json" .machine.time)
check_between "one CPU: a bus costs little" "$((none + 1))" "$((none + none / 100))" "$(json "$work/bus.json" .machine.time)"
finish
