#!/bin/sh
# Every built-in machine (docs/reference/machines.md) boots the guest to userland and runs a command there, with the CPUs it says.
. "$(dirname "$0")/harness.sh"

# The memory systems of machines of the other architecture are tested with this guest too.
on_this_board()
{
    case $1 in
    *-r3000 | decstation-*) echo "--set machine.board=simos --set cpu.architecture=mips32r2 --set cpu.tlb_entries=32 --memory 128M" ;;
    esac
}

# boot NAME OPTIONS: the machine up to userland in $work/NAME.ckpt. Its caches come into play behind that: with them a boot takes
# three times as long.
boot()
{
    booted=$1
    shift
    # shellcheck disable=SC2046 # words
    simos run --quiet --machine "$booted" $(on_this_board "$booted") --cpu embra --set cache.model=none \
        --checkpoint "$work/$booted.ckpt@boot" "$@" -- true
}

# machine NAME CPUS: OPTIONS follow
machine()
{
    name=$1 cpus=$2
    shift 2
    [ -e "$work/$name.ckpt" ] || boot "$name"
    simos restore "$work/$name.ckpt" --quiet --machine "$name" --stats "$work/stats.json" "$@" -- sh -c 'nproc; exit 5'
    check_equal "$name: the command's exit status" 5 "$status"
    check_equal "$name: CPUs that the guest sees" "$cpus" "$(cat "$work/out")"
    check_match "$name: the results name it" "^machine $name: $cpus CPU" "$work/err"
}

# row TEXT: the total in the row of the result table that begins with TEXT
row()
{
    sed -n "s/^$1 .* \([0-9]*\)\$/\1/p" "$work/err" | head -n 1
}

simos machines
machines=$(awk '{ print $1 }' "$work/out")
check_equal "the machines that there are" "$(find "$root/src/machines" -name '*.tcl' -exec basename {} .tcl \; | sort | xargs)" \
    "$(echo "$machines" | sort | xargs)"

# One level: every miss is answered by memory, so an instruction miss stalls for its whole latency.
machine decstation-3100 1
check_equal "decstation-3100: 5 cycles an instruction miss (Monster section 4.2)" "$((5 * $(row 'misses L1-I')))" "$(row 'stall L1-I miss')"
machine hp-720 1
check_equal "hp-720: 20 cycles an instruction miss" "$((20 * $(row 'misses L1-I')))" "$(row 'stall L1-I miss')"
machine hp-712 1
machine hp-755 1
machine ar9344 1
machine indigo2-r4400 1
machine challenge-r4400 1
machine router-34k 1
check_equal "router-34k: 80 cycles an instruction miss" "$((80 * $(row 'misses L1-I')))" "$(row 'stall L1-I miss')"

machine ultra-1 1
machine dash-cluster 4
machine dash-4x4 16
machine origin-2000 4
machine xia-torrellas 4
machine xia-torrellas-4x 4
machine 1994-mp8 8
machine 1996-mp8 8
machine origin-200 4
machine 1998-mp8 8
machine 2015 1
machine 2015-mp8 8
machine 2019-mp8 8
machine mt7621 2
machine interaptiv-4 4

# All models see the same machine (architecture: "architectural state is the meeting point"; and the caches with it).
for name in $machines; do
    simos run --quiet --machine "$name" $(on_this_board "$name") --cpu mipsy --lockstep embra --max-insns 8000000 -- true
    check_equal "$name: mipsy and embra in lockstep" 124 "$status"
    check_match "$name: they are the same" '^lockstep: mipsy and embra are the same after 8000000' "$work/err"
done

# What mipsy does without asking the memory system, which a trace sees all the same, changes no figure.
# figures NAME OPTIONS
figures()
{
    into=$1
    shift
    simos run --quiet --machine "$name" $(on_this_board "$name") --cpu mipsy --max-insns 12000000 --stats "$work/stats.json" "$@" -- true
    jq 'del(.simos, .parameters, .trace, .machine.models)' "$work/stats.json" >"$work/$into.json"
}
for name in $machines; do
    figures alone
    figures interpreted --set mipsy.translate_after=0
    figures traced --trace "$work/trace" --set trace.kinds=flush
    check_match "$name: there are figures" '"stall"' "$work/alone.json"
    check_same_file "$name: the same figures without translation" "$work/alone.json" "$work/interpreted.json"
    check_same_file "$name: the same figures with a trace" "$work/alone.json" "$work/traced.json"
done

# The memory systems of the machines that have a dynamically scheduled CPU, as figure 4.5 compares them; and that CPU.
machine 1996 1 --cpu mipsy
machine 1998 1 --cpu mipsy
machine 1996 1
boot 1998 --cpus 4
machine 1998 4 --set mxs.check=on

finish
