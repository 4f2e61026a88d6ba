#!/bin/sh
# Was the answer of a run right? The run ended with the measured part and was saved there, on whatever CPU model; from
# there embra goes on to the workload's own end, where it says what it has come to.
#
#     workloads/paper/answer.sh SIMOS CHECKPOINTS OUT RUN [WORKLOAD]
#
# OUT/ends/RUN.ckpt is that instant, and CHECKPOINTS/WORKLOAD.answer the answer; WORKLOAD is the one that OUT/all.tcl names
# for RUN, if it is not given. Leaves OUT/ends/RUN.answer: `right`, when the checkpoint is removed, or `wrong`.
set -eu
simos=$1 checkpoints=$2 out=$3 run=$4
end=$out/ends/$run
workload=${5:-}
[ -n "$workload" ] || workload=$(sed -n "s|^job $run { checkpoint {[^}]*/\([^/}]*\)\.ckpt}.*|\1|p" "$out/all.tcl")
rm -f "$end.answer"
"$simos" restore "$end.ckpt" --quiet --cpu embra --set cache.model=none >"$end.out" 2>"$end.err" </dev/null || true
if cmp -s "$end.out" "$checkpoints/$workload.answer"; then
    echo right >"$end.answer"
    rm "$end.ckpt" "$end.out" "$end.err"
else
    echo "$run: the answer is wrong; it is in $end.out" >&2
    echo wrong >"$end.answer"
fi
