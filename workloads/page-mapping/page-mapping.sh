#!/bin/sh
# Conflict misses by page mapping policy (docs/reference/page-mapping.md): runs a workload under each and makes the page of the results.
#
#     workloads/page-mapping/page-mapping.sh SIMOS CHECKPOINT OUT SEEDS      (`make page-mapping`)
#
# The machine has the first-level caches of the DECstation 3100 of Monster's part II, 64 KB each, direct-mapped, and nothing behind
# them. Policies that draw run with the seeds 1 to SEEDS. OUT/POLICY.RESERVED.LAYOUT.SEED.json has the statistics of each run,
# OUT/index.html is the page. LAYOUT is that of the programs' code: none, or programs, that of OUT/programs.layout. The policies with hints
# have those of OUT/LAYOUT.pages, of a run with the kernel's own frames. What is done is not done again. JOBS=N: at most N
# runs at a time. WINDOW=N: only N instructions, of which the page says that they decide nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# layout OUT LAYOUT: the value of cache.layout, which is empty without a layout
layout() { [ "$2" = none ] || echo "@$1/$2.layout"; }
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
    # run SIMOS CHECKPOINT OUT POLICY RESERVED LAYOUT SEED
    simos=$2 checkpoint=$3 out=$4 policy=$5 layout=$7 name=$4/$5.$6.$7.$8
    [ ! -s "$name.json" ] || exit 0
    set -- --set cache.classify=full --set page_mapping.policy="$5" --set page_mapping.reserved="$6" --set page_mapping.seed="$8" \
        --set cache.layout="$(layout "$out" "$layout")"
    case $policy in
    shading | numbering) set -- "$@" --set page_mapping.hints="@$out/$layout.pages" ;;
    esac
    measure "$simos" "$checkpoint" "$name" "$@" --stats "$name.new"
    mv "$name.new" "$name.json"
    exit 0
fi
[ $# = 4 ] || { echo "usage: page-mapping.sh SIMOS CHECKPOINT OUT SEEDS" >&2; exit 2; }
simos=$(realpath "$1") checkpoint=$(realpath "$2") seeds=$4
mkdir -p "$3"
out=$(realpath "$3")
# profile FILE OPTIONS...: OUT/FILE, of a run with OPTIONS; of a layout without its guards, which only prefetching needs
profile()
{
    file=$1
    shift
    [ ! -s "$out/$file" ] || return 0
    measure "$simos" "$checkpoint" "$out/$file" --profile "$out/new.$file" "$@"
    mv "$out/new.$file" "$out/$file"
    rm -f "$out/new.${file%.*}.guards"
}
profile programs.layout --set execution.layout.of=programs
for layout in none programs; do
    profile $layout.pages --set cache.layout="$(layout "$out" $layout)"
done
{
    echo arbitrary 0 none 1
    echo colouring 0 none 1
    echo arbitrary 0 programs 1
    for seed in $(seq "$seeds"); do
        # best-bin draws for pages of no process only.
        for policy in random bin-hopping best-bin shading numbering; do
            echo "$policy 0 none $seed"
        done
        echo "random 4 none $seed"
        for policy in random shading; do
            echo "$policy 0 programs $seed"
        done
    done
} | xargs -P "${JOBS:-$(nproc)}" -L 1 "$0" run "$simos" "$checkpoint" "$out"
echo "window ${WINDOW:-}" >"$out/settings"
SIMOS=$simos "$here/../pages/run.sh" page-mapping "$out"
echo "$out/index.html" >&2
