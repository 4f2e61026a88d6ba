#!/bin/sh
# The paper on an operating system's memory hierarchy redone: runs the workloads under its schemes and makes the page of the results.
#
#     workloads/xia-torrellas/xia-torrellas.sh SIMOS WORKLOADS OUT FORM [WORKLOAD...]      (`make xia-torrellas`)
#
# WORKLOADS/NAME[FORM].ckpt are there, with their disks; FORM is empty or -short. Each WORKLOAD (all four) runs on the paper's machine
# (misses) and its machine of times, under each scheme in addition to those before it. OUT/index.html is the page. What is done is not
# done again. JOBS=N: at most N runs at a time. WINDOW=N: until N instructions have executed in user mode; of the long forms 60 million, of
# the short ones 10 million. REPETITIONS=N: perturbed repetitions of each run of the paper's order for times (5; of the short forms 2).
# WARMUP=N, SKIP=N, TRACE_WINDOW=N: as measure.sh has them.
set -eu
[ $# -ge 4 ] || { echo "usage: xia-torrellas.sh SIMOS WORKLOADS OUT FORM [WORKLOAD...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") workloads=$(realpath "$2") form=$4
mkdir -p "$3"
out=$(realpath "$3")
shift 4
[ $# -gt 0 ] || set -- trfd-4 trfd-make arc2d-fsck shell
jobs=${JOBS:-$(nproc)} window=60000000 repetitions=5
[ -z "$form" ] || { window=10000000 repetitions=2; }
window=${WINDOW:-$window}
repetitions=$(seq "${REPETITIONS:-$repetitions}")

# at_once: each line of the input is the words of one run.
at_once() { xargs -P "$jobs" -L 1 "$here/measure.sh" "$simos" "$workloads" "$out" "$window"; }

for workload; do
    echo "prepare $workload$form"
done | at_once
runs_of() { "$here/measure.sh" "$simos" "$workloads" "$out" "$window" runs "$1"; }
repeated=$(runs_of repeated) once=$(runs_of xia-torrellas-4x) misses=$(runs_of xia-torrellas)
# First what the paper's tables show, then schemes left out and conditions.
for repetition in $repetitions; do
    for run in $repeated; do
        for workload; do
            echo "$workload$form xia-torrellas-4x $run $repetition"
        done
    done
    [ "$repetition" = 1 ] || continue
    for run in $misses; do
        for workload; do
            echo "$workload$form xia-torrellas $run"
        done
    done
    for run in $once; do
        for workload; do
            echo "$workload$form xia-torrellas-4x $run 1"
        done
    done
done | at_once

SIMOS=$simos "$here/../pages/run.sh" xia-torrellas "$out"
echo "$out/index.html" >&2
