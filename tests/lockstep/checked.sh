#!/bin/sh
# Eight CPUs boot, the first time, and run threads that contend for locks and share lines. At a fixed interval of accesses all invariants
# of the caches are checked: single writer, no stale copies, inclusion, agreement of all levels (docs/reference/memory-system.md).
# A violation aborts the run. The results of the threads must not depend on the caches.
#
#     tests/lockstep/checked.sh SIMOS INITRD
set -u
simos=$1 initrd=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0

# checked NAME COMMAND OPTIONS: simos COMMAND
checked()
{
    name=$1
    shift
    tests/limit.sh 600 "$simos" "$@" --quiet --set cache.check_interval=100000 --stats "$dir/stats.json" -- \
        /stress 1 locks linked condition local copies >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    shared=$(jq '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value | .l1d, .l2, .l3 | select(. != null) |
        .invalidations, .updates_received | select(. != null)] | add' "$dir/stats.json")
    [ -s "$dir/expected" ] || cp "$dir/out" "$dir/expected"
    if [ "$status" = 0 ] && [ "$(wc -l <"$dir/out")" = 5 ] && cmp -s "$dir/expected" "$dir/out" &&
        [ "$shared" -gt 10000 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: status $status, $shared lines lost or updated"
        cat "$dir/out"
        tail -n 5 "$dir/err"
    fi
}

checked '1994' run --cpus 8 --initrd "$initrd"

# The others go on from a boot without caches.
tests/limit.sh 600 "$simos" run --quiet --cpu embra --cpus 8 --initrd "$initrd" --set cache.model=none \
    --checkpoint "$dir/boot.ckpt@boot" -- true >"$dir/out" 2>"$dir/err" </dev/null
# from_boot NAME OPTIONS
from_boot()
{
    name=$1
    shift
    checked "$name" restore "$dir/boot.ckpt" --set cache.model=two-level "$@"
}
from_boot 'Illinois, second level not inclusive' --cpu mipsy --set cache.protocol=mesi --set cache.l2.inclusive=off --set cache.l2.ways=2
from_boot 'Firefly' --set cache.protocol=firefly --cpu embra
from_boot 'three levels, stores around and through the first' --set cache.model=three-level --set cache.l1d.write=through \
    --set cache.l1d.write_allocate=off --set cache.l2.replacement=plru --set cache.l2.ways=4 --set cache.l2.size=128K \
    --set cache.l3.size=1M --set cache.protocol=mesi --cpu embra
from_boot 'one level, virtually indexed, random' --set cache.model=one-level --set cache.protocol=mesi \
    --set cache.l1i.index=virtual --set cache.l1d.index=virtual --set cache.l1d.replacement=random --cpu embra
from_boot 'one level, index hashed with the address space' --cpu mipsy --set cache.model=one-level \
    --set cache.l1i.index=virtual --set cache.l1i.hash=space --set cache.l1i.ways=1 \
    --set cache.l1d.index=virtual --set cache.l1d.hash=space --set cache.l1d.ways=1
from_boot 'allocation without a read' --set cache.l1d.write_allocate=validate --set cache.l2.write_allocate=validate \
    --set cache.l1d.prepare_for_store=allocate --set cache.l2.size=128K --set cache.l2.ways=2 --cpu embra
echo "checked: $passed passed, $failed failed"
[ "$failed" = 0 ]
