#!/bin/sh
# What eight CPUs make of the same instant of a workload with one memory, with one third level, and in NUMA nodes whose pages move: runs it
# on each memory system of systems.tsv, and makes the page of the results.
#
#     workloads/numa/numa.sh SIMOS CHECKPOINTS OUT INSNS WORKLOAD...      (`make numa`)
#
# OUT/WORKLOAD.SYSTEM.json has the statistics of a run from CHECKPOINTS/WORKLOAD.ckpt on, INSNS instructions of all CPUs together, or up to the
# workload's end. OUT/index.html is the page. What is done is not done again. JOBS=N: at most N runs at a time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tab=$(printf '\t')
if [ "${1-}" = run ]; then
    # run SIMOS CHECKPOINTS OUT INSNS WORKLOAD SYSTEM
    simos=$2 checkpoint=$3/$6.ckpt name=$4/$6.$7 insns=$5
    [ ! "$name.json" -nt "$checkpoint" ] || exit 0
    IFS=$tab read -r _ script _ options <<END
$(grep "^$7$tab" "$here/systems.tsv")
END
    # shellcheck disable=SC2086 # many words
    "$here/../limit.sh" "$simos" "$checkpoint" "$insns" --quiet --table none --machine 1994-mp8 --cpu embra --script "$here/$script.tcl" \
        --set cache.classify=sharing $(printf '%s' "$options" | sed 's/[^ ]*/--set &/g') --stats "$name.new" >/dev/null 2>"$name.log" || {
        echo "numa: $name failed: $(tail -n 3 "$name.log")" >&2
        exit 1
    }
    mv "$name.new" "$name.json"
    rm "$name.log"
    exit 0
fi
[ $# -ge 5 ] || { echo "usage: numa.sh SIMOS CHECKPOINTS OUT INSNS WORKLOAD..." >&2; exit 2; }
simos=$(realpath "$1") checkpoints=$(realpath "$2") insns=$4
mkdir -p "$3"
out=$(realpath "$3")
shift 4
for workload in "$@"; do
    sed "1d; s/$tab.*//; s/^/$workload /" "$here/systems.tsv"
done | xargs -P "${JOBS:-$(nproc)}" -L 1 "$0" run "$simos" "$checkpoints" "$out" "$insns"
SIMOS=$simos "$here/../pages/run.sh" numa "$out"
echo "$out/index.html" >&2
