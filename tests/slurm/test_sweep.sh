#!/bin/sh
# A sweep as an array of Slurm: the results are those of the same sweep here, byte for byte; what is done is not done again;
# what Slurm refuses or ends early is said (docs/how-to/sweep.md).
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

# Two CPUs, so that tasks run side by side; a name with a blank, as paths may have one.
mkdir "a place"
simos run --cpu embra --set cache.model=none --quiet --checkpoint "a place/boot.ckpt@boot" -- true
cat >"a place/sweep.tcl" <<'END'
checkpoint "a place/boot.ckpt"
cpu mipsy
command sh -c {seq 300 | sort -r | md5sum; exit 3}
slurm --time=10
job machine { machine 1994 1996 1998 }
job cache { machine 1994; param cache.l2.size 256K 4M }
job short { seconds 1.47 }
job wrong { param machine.cpus 2 }
END
simos sweep "a place/sweep.tcl" --out here --jobs 2
check_equal "here: a job that fails makes the status" 125 "$status"
check_equal "here: what became of the jobs" "machine-1994 finished 3,machine-1996 finished 3,machine-1998 finished 3,\
cache-cache.l2.size=256K finished 3,cache-cache.l2.size=4M finished 3,short finished 124,wrong failed 125" \
    "$(jq -r '[.jobs[] | "\(.name) \(.state) \(.status)"] | join(",")' here.json)"

simos sweep "a place/sweep.tcl" --out there --slurm
check_equal "submitted" 0 "$status"
check_match "... and said what it is" '^array [0-9]+ of 7 tasks, results by job [0-9]+$' "$work/out"
slurm_wait 120 && pass "the array ends" || fail "the array ends" "$(squeue)"
check_same_file "an array's results are those of the same sweep here" here.json there.json
check_same_file "... and its table" here.txt there.txt
check_match "what a task said is kept" '^\[1/1\] machine-1994: status 3$' there.work/array-0.log
check_match "... and the merge" '^simos: job wrong: failed: ' there.work/merge.log

# What is done is not done again: the array has the tasks that are left.
rm there.json there.work/cache-*256K.job.json
simos sweep "a place/sweep.tcl" --out there --slurm
check_match "two tasks are left" '^#SBATCH --array=3,6$' there.work/array.sbatch
slurm_wait 120
check_same_file "... and the results are whole again" here.json there.json
sed -i '/job wrong/d' "a place/sweep.tcl"
rm there.json
simos sweep "a place/sweep.tcl" --out there --slurm
check_equal "nothing is left: the results at once" "1 6" "$status $(jq '.jobs | length' there.json)"
check_equal "... and no job of Slurm" "" "$(squeue -h)"

# Ended by somebody, or refused.
printf 'job long { machine 1998; command sh -c {while :; do :; done}; option --quiet }\n' >>"a place/sweep.tcl"
simos sweep "a place/sweep.tcl" --out there --slurm
for _ in $(seq 100); do
    [ -e there.work/long.out ] && break
    sleep 0.2
done
scancel "$(sed 's/^array \([0-9]*\).*/\1/' "$work/out")"
slurm_wait 60 && pass "a task that is cancelled ends" || fail "a task that is cancelled ends" "$(squeue)"
check_equal "... and its job is missing" "long missing" "$(jq -r '.jobs[] | select(.state != "finished") | "\(.name) \(.state)"' there.json)"
printf 'slurm --partition=none\n' >>"a place/sweep.tcl"
simos sweep "a place/sweep.tcl" --out there --slurm
check_equal "Slurm refuses: exit status" 125 "$status"
check_match "... and what it says" '^simos: sbatch: .*[Pp]artition' "$work/err"
PATH=/nonexistent "$SIMOS" sweep "a place/sweep.tcl" --out there --slurm >"$work/out" 2>"$work/err"
check_match "no sbatch: said" '^simos: sbatch: cannot be started: No such file' "$work/err"
slurm_stop
finish
