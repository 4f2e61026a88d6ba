#!/bin/sh
# Eight CPUs boot and run threads that share, with all invariants of the caches checked every few thousand accesses: one
# writer, no stale reader, inclusion, agreement of all levels (docs/memory-system.md). A violation aborts the run.
. "$(dirname "$0")/harness.sh"

job='for i in 1 2 3 4 5 6 7 8; do (seq 300 | sort -r | md5sum) & done; wait'

# check_configuration NAME OPTION...
check_configuration()
{
    name=$1
    shift
    simos run --quiet --cpus 8 --set cache.check_interval=100000 --stats "$work/checked.json" "$@" -- sh -c "$job"
    check_equal "$name: the job's status" 0 "$status"
    check_equal "$name: the job's output" 8 "$(wc -l <"$work/out")"
    check_between "$name: lines were shared" 1000 1000000000 "$(jq '[to_entries[] | select(.key | test("^cpu[0-9]+$")) |
        .value | .l1d, .l2, .l3 | select(. != null) | .invalidations, .updates_received | select(. != null)] | add' "$work/checked.json")"
}

check_configuration '1994'
check_configuration 'Illinois, not inclusive' --set cache.protocol=mesi --set cache.l2.inclusive=off --set cache.l2.ways=2
check_configuration 'Firefly' --set cache.protocol=firefly --cpu embra
check_configuration 'three levels, write-through first level' --set cache.model=three-level --set cache.l1d.write=through \
    --set cache.l1d.write_allocate=off --set cache.l2.replacement=plru --set cache.l2.ways=4 \
    --set cache.l2.size=128K --set cache.l3.size=1M --cpu embra
check_configuration 'one level, virtually indexed, random' --set cache.model=one-level --set cache.protocol=mesi \
    --set cache.l1i.index=virtual --set cache.l1d.index=virtual --set cache.l1d.replacement=random --cpu embra
finish
