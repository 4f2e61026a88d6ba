#!/bin/sh
# Ten windows of one workload: the merged figures are the same on two processes, on one, and as one array of Slurm
# (docs/how-to/sweep.md; the windows: src/sweep/windows_command.c).
. "$(dirname "$0")/../guest/harness.sh"
. "$(dirname "$0")/slurm.sh"
trap '[ -z "$slurm_pids" ] || kill $slurm_pids 2>/dev/null; rm -rf "$work"' EXIT
if why=$(slurm_missing); then
    echo "$(basename "$0"): skipped: $why"
    echo "$(basename "$0"): 0 passed, 0 failed, 1 skipped"
    exit 0
fi
slurm_start >"$work/why" || {
    fail "a Slurm of one node comes up" "$(cat "$work/why")"
    finish
    exit
}
cd "$work" || exit

simos run --cpu embra --set cache.model=none --quiet --series ten,every=12000000,from=boot --max-insns 420000000 -- \
    sh -c 'seq 20000 | sort -r | md5sum; sleep 1000'
set -- windows ten --machine 1996 --cpu mipsy --warmup 400000 --window 300000
windows=$(($(ls ten | wc -l) - 1))
check_between "the series has ten windows" 10 10 "$windows"
simos "$@" --jobs 2 --out two
check_equal "two processes: status" 0 "$status"
check_equal "two processes: ten windows are done" 10 "$(jq '[.jobs[] | select(.state == "finished")] | length' two.json)"
simos "$@" --jobs 1 --out one
check_same_file "one process: the same results" two.json one.json
check_same_file "one process: the same merged figures" two.merged.json one.merged.json
simos "$@" --out array --slurm
check_match "submitted" '^array [0-9]+ of 10 tasks, results by job [0-9]+$' "$work/out"
slurm_wait 120 && pass "the array ends" || fail "the array ends" "$(squeue)"
check_same_file "an array of Slurm: the same results" two.json array.json
check_same_file "an array of Slurm: the same merged figures" two.merged.json array.merged.json
check_same_file "an array of Slurm: the same table" two.merged.txt array.merged.txt
slurm_stop
finish
