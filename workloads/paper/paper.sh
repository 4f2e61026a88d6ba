#!/bin/sh
# The paper redone: every run that its tables and figures need, from the positioned workloads, and one page of the results.
#
#     workloads/paper/paper.sh SIMOS CHECKPOINTS OUT FORM WORKLOAD...      (`make paper`)
#
# CHECKPOINTS/WORKLOAD[-mp8|-mp4]FORM.ckpt are there, as far as they are; FORM is empty or -short. Everything goes to the folder OUT; OUT/index.html
# is the page. What is done is not done again, so an interrupted command goes on where it was. JOBS=N: at most N processes.
set -eu
[ $# -ge 5 ] || { echo "usage: paper.sh SIMOS CHECKPOINTS OUT FORM WORKLOAD..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") checkpoints=$(realpath "$2") form=$4
mkdir -p "$3"
out=$(realpath "$3")
shift 4
jobs=${JOBS:-$(nproc)}

# What the list of the checkpoint $1 sets of its disks (a machine description sets all anew), a NAME=VALUE a line.
parameters() { sed -n 's/^set \(disk\.\)/\1/p' "$here/../jobs/$1$form.list"; }
has() { [ -e "$checkpoints/$1$form.ckpt" ]; }

# job CHECKPOINT NAME WORDS: one run, if that checkpoint is there.
job()
{
    has "$1" || return 0
    echo "job $2 { checkpoint {$checkpoints/$1$form.ckpt}; $3; $(parameters "$1" | sed 's/^/param /; s/=/ /; s/$/;/' | tr '\n' ' ')}"
}

# All runs, as a sweep (docs/sweep.md). Classes of misses only where a table has them.
{
    echo "option --quiet --warmup 0 --script {$here/annotations.tcl} --over-time 20ms"
    echo "input {$here/annotations.tcl}"
    for workload; do
        job "$workload" "$workload-1994" "machine 1994; cpu mipsy; param cache.classify full"
        for year in 1996 1998; do
            job "$workload" "$workload-$year" "machine $year; cpu mxs"
            job "$workload" "$workload-$year-static" "machine $year; cpu mipsy"
        done
        job "$workload-mp8" "$workload-mp8" "machine 1994-mp8; cpu mipsy; param cache.classify full"
        job "$workload-mp4" "$workload-dash" "machine dash-cluster; cpu mipsy"
    done
} >"$out/runs.tcl.new"
cmp -s "$out/runs.tcl.new" "$out/runs.tcl" || cp "$out/runs.tcl.new" "$out/runs.tcl"
rm "$out/runs.tcl.new"

# Figures 4.6, 4.7 and 5.3: one pass each over the same stretch. NAME SERIES...
caches()
{
    name=$1
    shift
    checkpoint=$checkpoints/$name$form.ckpt prefix=$out/caches-$name
    [ "$prefix.tsv" -nt "$checkpoint" ] && [ "$prefix.tsv" -nt "$simos" ] && return
    echo "caches of $name"
    set -- --machine "$([ "${name%-mp8}" = "$name" ] && echo 1994 || echo 1994-mp8)" --cpu embra "$@"
    for assignment in $(parameters "$name"); do
        set -- "$@" --set "$assignment"
    done
    "$simos" restore "$checkpoint" --quiet --warmup 0 --script "$here/annotations.tcl" --out "$prefix" "$@" \
        >"$prefix.out" 2>"$prefix.err" || { tail -n 1 "$prefix.err" >&2; rm -f "$prefix.tsv"; return 1; }
}

status=0
(
    for workload; do
        caches "$workload" --over figure-4.6 --over figure-4.7
        ! has "$workload-mp8" || caches "$workload-mp8" --over figure-5.3
    done
) &
others=$!
trap 'kill $others 2>/dev/null; exit 130' INT TERM
# One process for the caches as long as they take, the rest for the runs.
"$simos" sweep "$out/runs.tcl" --out "$out/runs" --jobs "$([ "$jobs" -gt 1 ] && echo $((jobs - 1)) || echo 1)" >"$out/runs.log" || status=$?
wait $others || status=1
"$here/page.sh" "$simos" "$out" "$form" >"$out/index.html.new"
mv "$out/index.html.new" "$out/index.html"
[ "$status" = 0 ] || echo "not every run came to its end (see $out/runs.txt): the page has what there is" >&2
echo "$out/index.html"
exit $status
