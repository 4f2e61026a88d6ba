#!/bin/sh
# Eight CPUs of 1996 and later, out of order, by windows of a workload (docs/how-to/paper.md): a series of checkpoints of it, or
# of its first INSNS instructions, from each of them a window in detail.
#
#     workloads/paper/windows.sh SIMOS CHECKPOINTS OUT NAME MACHINE [OPTION...]      NAME: pmake-mp8, ...
#
# Makes OUT/series/NAME, OUT/windows/WORKLOAD-MACHINE.merged.json and beside it what `simos windows` makes; what is there
# already stays. windows.tsv, or the file WINDOWS, has the lengths. The part behind the last checkpoint is executed to its end, or
# for as long as between two checkpoints, and answer.sh looks at what the workload comes to. OPTIONs go to `simos windows`: --slurm=write, --merge and the like.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 checkpoints=$2 out=$3 name=$4 machine=$5
shift 5
tab=$(printf '\t')
IFS=$tab read -r _ every warmup window <<END
$(grep "^$name$tab" "${WINDOWS:-$here/windows.tsv}")
END
series=$out/series/$name run=${name%-mp8}-$machine
mkdir -p "$out/series" "$out/windows"

# The series, in a folder of its final name only when all of it is there.
if [ ! "$series" -nt "$checkpoints/$name.ckpt" ] || [ ! "$series" -nt "$simos" ]; then
    echo "series of $name"
    rm -rf "$series" "$series.new"
    "$here/../limit.sh" "$simos" "$checkpoints/$name.ckpt" "${INSNS:-}" --quiet --cpu embra --script "$here/annotations.tcl" \
        --series "$series.new,every=$every" >"$series.out" 2>&1
    mv "$series.new" "$series"
    touch "$series"
fi

settings=$("$here/parameters.sh" "$name" | sed 's/^/--set /')
echo "windows of $run"
# shellcheck disable=SC2086 # words
"$simos" windows "$series" --machine "$machine" $settings --set cache.classify=replacement --script "$here/annotations.tcl" \
    --warmup "$warmup" --window "$window" --jobs "${JOBS:-$(nproc)}" --out "$out/windows/$run" "$@" >"$out/windows/$run.log" 2>&1 || {
    tail -n 1 "$out/windows/$run.log" >&2
    exit 1
}
[ -e "$out/windows/$run.merged.json" ] || exit 0

if [ ! "$out/ends/$run.answer" -nt "$out/windows/$run.merged.json" ]; then
    last=$(find "$series" -name '*.ckpt' | sort | tail -n 1)
    "$here/script.sh" "$out" "$run" "$every" >"$out/ends/$run.tcl"
    # shellcheck disable=SC2086 # words
    "$simos" restore "$last" --quiet --machine "$machine" $settings --script "$out/ends/$run.tcl" >/dev/null 2>&1
    "$here/answer.sh" "$simos" "$checkpoints" "$out" "$run" "$name"
fi
