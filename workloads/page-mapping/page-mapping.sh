#!/bin/sh
# Conflict misses by page mapping policy (docs/reference/page-mapping.md): runs a workload under each and makes the page of the results.
#
#     workloads/page-mapping/page-mapping.sh SIMOS CHECKPOINT OUT SEEDS      (`make page-mapping`)
#
# The machine has the first-level caches of the DECstation 3100 of Monster's part II, 64 KB each, direct-mapped, and nothing behind
# them. Policies that draw run with the seeds 1 to SEEDS. OUT/POLICY.RESERVED.SEED.json has the statistics of each run, OUT/index.html is
# the page. The policies with hints have those of OUT/hints.pages, of a run with the kernel's own frames. What is done is not done
# again. JOBS=N: at most N runs at a time. WINDOW=N: only N instructions.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# measure SIMOS CHECKPOINT NAME OPTIONS...: the messages are in NAME.log if it fails.
measure()
{
    simos=$1 checkpoint=$2 name=$3
    shift 3
    "$simos" restore "$checkpoint" --quiet --table none --machine 1994 --cpu mipsy --script "$here/end.tcl" ${WINDOW:+--window "$WINDOW"} \
        --set cache.model=one-level --set cache.l1i.size=64K --set cache.l1i.ways=1 --set cache.l1d.size=64K --set cache.l1d.ways=1 \
        "$@" >/dev/null 2>"$name.log" || {
        echo "page-mapping: $name failed: $(tail -n 3 "$name.log")" >&2
        exit 1
    }
    rm "$name.log"
}
if [ "${1-}" = run ]; then
    # run SIMOS CHECKPOINT OUT POLICY RESERVED SEED
    simos=$2 checkpoint=$3 out=$4 policy=$5 name=$4/$5.$6.$7
    [ ! -s "$name.json" ] || exit 0
    set -- --set cache.classify=full --set page_mapping.policy="$5" --set page_mapping.reserved="$6" --set page_mapping.seed="$7"
    case $policy in
    shading | numbering) set -- "$@" --set page_mapping.hints="@$out/hints.pages" ;;
    esac
    measure "$simos" "$checkpoint" "$name" "$@" --stats "$name.new"
    mv "$name.new" "$name.json"
    exit 0
fi
[ $# = 4 ] || { echo "usage: page-mapping.sh SIMOS CHECKPOINT OUT SEEDS" >&2; exit 2; }
simos=$(realpath "$1") checkpoint=$(realpath "$2") seeds=$4
mkdir -p "$3"
out=$(realpath "$3")
if [ ! -s "$out/hints.pages" ]; then
    measure "$simos" "$checkpoint" "$out/hints" --profile "$out/hints.new.pages"
    mv "$out/hints.new.pages" "$out/hints.pages"
fi
{
    echo arbitrary 0 1
    echo colouring 0 1
    for seed in $(seq "$seeds"); do
        # best-bin draws for pages of no process only.
        for policy in random bin-hopping best-bin shading numbering; do
            echo "$policy 0 $seed"
        done
        echo "random 4 $seed"
    done
} | xargs -P "${JOBS:-$(nproc)}" -L 1 "$0" run "$simos" "$checkpoint" "$out"
"$here/../pages/run.sh" page-mapping "$out"
echo "$out/index.html" >&2
