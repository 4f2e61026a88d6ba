#!/bin/sh
# The paper on an operating system's memory hierarchy redone: runs the workloads under its schemes and makes the page of the results.
#
#     workloads/xia-torrellas/xia-torrellas.sh SIMOS WORKLOADS OUT FORM [WORKLOAD...]      (`make xia-torrellas`)
#
# WORKLOADS/NAME[FORM].ckpt are there, with their disks; FORM is empty or -short. Each WORKLOAD (all four) runs on the paper's machine
# (misses) and its machine of times, under each scheme in addition to those before it. OUT/index.html is the page. What is done is not
# done again. JOBS=N: at most N runs at a time. WINDOW=N: at most N instructions of each; of the long forms 250 million. REPETITIONS=N:
# perturbed repetitions of each run for times (5).
set -eu
[ $# -ge 4 ] || { echo "usage: xia-torrellas.sh SIMOS WORKLOADS OUT FORM [WORKLOAD...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") workloads=$(realpath "$2") form=$4
mkdir -p "$3"
out=$(realpath "$3")
shift 4
[ $# -gt 0 ] || set -- trfd-4 trfd-make arc2d-fsck shell
jobs=${JOBS:-$(nproc)} window=${WINDOW-}
[ -n "$form$window" ] || window=250000000
repetitions=$(seq "${REPETITIONS:-5}")

# at_once: each line of the input is the words of one run.
at_once() { xargs -P "$jobs" -L 1 "$here/measure.sh" "$simos" "$workloads" "$out" "$window"; }

for workload; do
    echo "prepare $workload$form"
done | at_once
runs=$("$here/measure.sh" "$simos" "$workloads" "$out" "$window" runs)
for run in $runs; do
    # With one scheme left out times are of interest only.
    case $run in
    without-*) order=3 ;;
    *) order=1 ;;
    esac
    for workload; do
        for repetition in $repetitions; do
            echo "$order $workload$form xia-torrellas-4x $run $repetition"
        done
        [ $order = 3 ] || echo "2 $workload$form xia-torrellas $run"
    done
done | sort -s -n -k 1,1 | cut -d " " -f 2- | at_once

SIMOS=$simos "$here/../pages/run.sh" xia-torrellas "$out"
echo "$out/index.html" >&2
