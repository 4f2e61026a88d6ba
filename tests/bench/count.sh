#!/bin/sh
# How many instructions the host executes for one of the guest, in rows of the comparison. Unlike times these hardly
# depend on what else the machine does.
#
#     tests/bench/count.sh SIMOS DIRECTORY ROW...
#
# DIRECTORY as for compare.sh, and from the environment BENCH_CPU and BENCH_FLAT as there. A row does a hundredth of the
# amount in tests/bench/rows; a run that only sets up is subtracted, except from the row boot. What it costs to
# translate the row's code is in the figure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/in-simos.sh
. "$here/in-simos.sh"
cpu=${BENCH_CPU:-embra}
options="--cpu $cpu ${BENCH_FLAT-"--set cache.model=none --set cpu.tlb_entries=64"}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# count ROW AMOUNT: prints the host's and the guest's instructions of a run
count()
{
    # shellcheck disable=SC2086 # a list of options
    host=$(in_simos "$1" "$2" "$here/instructions.sh" "$out/measure" "$simos" run --quiet --stats "$work/stats.json" \
        $options) || exit 1
    echo "$host $(sed -n 's/.*"insns": *\([0-9]*\).*/\1/p' "$work/stats.json" | head -n 1)"
}

# one ROW: prints its line
one()
{
    amount=$(awk -v row="$1" '$1 == row { print int(($2 + 99) / 100) }' "$here/rows")
    [ -n "$amount" ] || { echo "bench: no row '$1'" >&2; exit 1; }
    without="0 0"
    with=$(count "$1" "$amount") || exit 1
    if [ "$1" != boot ]; then
        without=$(count "$1" 0) || exit 1
    fi
    echo "$1 $with $without" | awk '{
        printf "%-8s %8.3f host instructions a guest instruction (%.1f million of the guest)\n", $1, ($2 - $4) / ($3 - $5), \
            ($3 - $5) / 1e6 }'
}

if [ "$1" = --one ]; then
    simos=$2 out=$3
    one "$4"
    exit 0
fi
simos=$1 out=$2
shift 2
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 "$0" --one "$simos" "$out"
