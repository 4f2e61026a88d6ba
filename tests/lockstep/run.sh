#!/bin/sh
# Boot and stress program under two CPU models in lockstep, on several machines.
#
#     tests/lockstep/run.sh SIMOS INITRD short|full
#
# LOCKSTEP   "FIRST SECOND", the models (mipsy embra)
# MACHINES   run only the machines whose number, from 1, is in this list
# The report of a difference is printed in full. The last lines: how many instructions were compared, and
# "lockstep: N passed, N failed"; exit status 0 if none failed.
set -u
simos=$1 initrd=$2 size=$3
# shellcheck disable=SC2086 # two words
set -- ${LOCKSTEP:-mipsy embra}
first=$1 second=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 instructions=0 number=0

# machine SCALE OPTIONS: run the stress program at SCALE on a machine with OPTIONS.
machine()
{
    scale=$1
    shift
    number=$((number + 1))
    case " ${MACHINES:-$number} " in *" $number "*) ;; *) return ;; esac
    started=$(date +%s)
    tests/limit.sh 3600 "$simos" run --quiet --cpu "$first" --lockstep "$second" --set mipsy.translate_after=0 \
        --initrd "$initrd" "$@" -- /stress "$scale" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    count=$(sed -n 's/^lockstep: .* are the same after \([0-9]*\) instructions;.*/\1/p' "$dir/err")
    parts=$(grep -c '^[a-z_]* [0-9a-f]\{8\}$' "$dir/out")
    if [ "$status" = 0 ] && [ -n "$count" ] && [ "$parts" = 25 ]; then
        passed=$((passed + 1))
        instructions=$((instructions + count))
        [ "$size" = short ] || echo "$count instructions are the same: $* ($(($(date +%s) - started)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL machine $number, stress $scale, $*: status $status, $parts of 25 parts"
        tail -n 3 "$dir/out"
        cat "$dir/err"
    fi
}

case $size in
short)
    machine 1 --set cache.model=none
    machine 1 --cpus 3 --set machine.quantum=97 --set cache.model=none --set cpu.tlb_entries=16
    machine 1 --set cpu.tlb_entries=512 --switch "$second@insns:100000000" --switch "$first@boot" \
        --switch "$second@insns:350000000" --switch "$first@insns:350000007"
    machine 1 --cpus 2 --set cpu.page_walker=on --set cpu.tlb_entries=16 --set cpu.tlb2_entries=64 --set cpu.page_walk_cache=4
    ;;
full)
    machine 12 --set cache.model=none
    machine 12
    machine 4 --set cache.model=none --set cpu.tlb_entries=16 --set cpu.fpu_denormals=compute
    machine 8 --cpus 4 --set cache.model=none --set machine.quantum=1000
    machine 4 --cpus 2
    machine 2 --cpus 3 --set machine.quantum=37 --set cache.l1d.size=1K --set cache.l1i.size=2K --set cpu.tlb_entries=64
    machine 2 --cpus 16 --set cache.model=none
    machine 2 --set cache.model=none --set embra.code_cache=1M
    machine 1 --cpus 2 --set embra.code_cache=1M --switch "$second@boot"
    machine 1 --machine decstation-3100 --set machine.board=simos --set cpu.architecture=mips32r2 --set cpu.tlb_entries=32 --memory 128M
    machine 4 --set cpu.page_walker=on
    machine 2 --cpus 4 --set cpu.page_walker=on --set cpu.tlb2_entries=120 --set cpu.tlb2_ways=3
    machine 2 --set mipsy.latency.exception=20 --set mipsy.latency.eret=7 --set mipsy.latency.load=2
    machine 2 --cpus 4 --set cpu.page_walker=on --set mipsy.latency.exception=15 --set machine.quantum=37 --set cache.model=none
    machine 1 --machine dash-cluster
    machine 1 --machine xia-torrellas --cpus 2
    machine 1 --machine 1998 --cpu "$first"
    machine 1 --cpus 2 --set cache.l1d.replacement=random --set cache.l1d.ways=4 --set cache.l1i.replacement=plru \
        --set cache.l1i.ways=8 --set cache.protocol=mesi
    ;;
*)
    echo "usage: run.sh SIMOS INITRD short|full" >&2
    exit 2
    ;;
esac
echo "$first and $second: $instructions instructions the same"
echo "lockstep: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
