#!/bin/sh
# Boot and stress program under mxs, with every graduating instruction executed again in order by the engine that mipsy
# and embra share, and compared (mxs.check; docs/design/mxs.md). The timing differs from mipsy's, so interrupts occur at other
# instructions; the program's results must be the same.
#
#     tests/lockstep/graduated.sh SIMOS INITRD
#
# MACHINES   run only the machines whose number, from 1, is in this list
# The last lines: how many instructions were compared, and "graduated: N passed, N failed"; exit status 0 if none failed.
set -u
simos=$1 initrd=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 instructions=0 number=0

run()
{
    tests/limit.sh 3600 "$simos" run --quiet --initrd "$initrd" "$@" -- /stress 1 \
        >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
}

# machine OPTIONS
machine()
{
    number=$((number + 1))
    case " ${MACHINES:-$number} " in *" $number "*) ;; *) return ;; esac
    started=$(date +%s)
    run --cpu mxs --set mxs.check=on --stats "$dir/stats.json" "$@"
    count=$(jq '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mxs.graduated] | add' "$dir/stats.json")
    if [ "$status" = 0 ] && [ "$(wc -l <"$dir/out")" = 25 ] && cmp -s "$dir/expected" "$dir/out"; then
        passed=$((passed + 1))
        instructions=$((instructions + count))
        echo "$count instructions are the same: $* ($(($(date +%s) - started)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL machine $number, $*: status $status"
        diff "$dir/expected" "$dir/out" | head -n 5
        tail -n 3 "$dir/err"
    fi
    rm -f "$dir/stats.json"
}

run --cpu mipsy --set cache.model=none
[ "$status" = 0 ] || { echo "FAIL mipsy: status $status"; exit 1; }
mv "$dir/out" "$dir/expected"
machine --machine 1996
machine --machine 1996 --cpus 8
machine --machine 1998 --cpus 2
machine --machine 1996 --set cpu.page_walker=on --set cpu.tlb_entries=16 --set cpu.tlb2_entries=32 --set cpu.page_walk_cache=2
machine --machine 1996 --cpus 4 --set machine.quantum=37 --set cpu.tlb_entries=16 --set mxs.window=256 --set mxs.fetch_width=8 \
    --set mxs.issue_width=8 --set mxs.graduate_width=8 --set mxs.branches=32 --set mxs.load_store_queue=128
echo "mxs and in-order execution: $instructions instructions the same"
echo "graduated: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
