#!/bin/sh
# Two CPU models in lockstep from the command line: the guest's output once, its status, the same statistics as alone; and
# what cannot be done is refused. That a difference is found, and where, is tests/unit/test_lockstep.c's; that there is
# none in a long run, tests/lockstep's.
. "$(dirname "$0")/harness.sh"
model=${LOCKSTEP_MODEL:-embra}

job='echo out; echo err >&2; simos-mark here; seq 1 200 | sort -r | md5sum; exit 7'
for cpus in 1 2; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- true
done
# from_boot CPUS OPTIONS: a job on mipsy, behind a boot without caches
from_boot()
{
    from=$work/boot-$1.ckpt
    shift
    simos restore "$from" --quiet --machine 1994 --cpu mipsy "$@"
}
from_boot 2 --stats "$work/alone.json" -- sh -c "$job"
cp "$work/out" "$work/alone.out"
from_boot 2 --stats "$work/both.json" --lockstep "$model" -- sh -c "$job"
check_equal "lockstep: the guest's exit status" 7 "$status"
check_same_file "lockstep: the guest's output, once" "$work/alone.out" "$work/out"
check_equal "lockstep: the guest's stderr, once" 1 "$(grep -c '^err' "$work/err")"
check_same_file "lockstep: the statistics are those of the first machine" "$work/alone.json" "$work/both.json"
insns=$(json "$work/alone.json" .machine.insns)
check_match "lockstep: says how much was compared" \
    "^lockstep: mipsy and $model are the same after $insns instructions; compared [0-9]{3,} times, all of RAM [0-9]+ times" \
    "$work/err"

# Caches whose index depends on the address space: translated and interpreted, the same misses.
from_boot 1 --machine hp-720 --lockstep embra --set mipsy.translate_after=0 -- sh -c 'seq 1 200 | sort -r | md5sum'
check_equal "lockstep: index hashed with the address space" 0 "$status"
check_match "lockstep: ... is the same" "^lockstep: mipsy and embra are the same after" "$work/err"

# An assist cache, with what the kernel's copy routines hint to it.
from_boot 1 --set cache.l1d.assist=64 --set cache.check_interval=100000 --stats "$work/assist.json" \
    --lockstep embra --set mipsy.translate_after=0 -- sh -c 'seq 1 200 | sort -r | md5sum'
check_equal "lockstep: assist cache" 0 "$status"
check_match "lockstep: ... is the same" "^lockstep: mipsy and embra are the same after" "$work/err"
check_equal "lockstep: ... is used" true "$(json "$work/assist.json" '.cpu0.l1d | .assist_hits > 100000 and
    .assist_moved > 100000 and .assist_dropped > 100')"

# Limits, exact; without a job nobody's keys reach the guest.
simos run --quiet --max-insns 20000001 --stats "$work/limit.json" --lockstep "$model"
check_equal "lockstep: --max-insns, status 124" "124 20000001" "$status $(json "$work/limit.json" .machine.insns)"
simos run --quiet --seconds 0.25 --lockstep "$model" -- true
check_equal "lockstep: --seconds, status 124" 124 "$status"

# A signal ends both, and the results are printed.
"$root/tests/signal.sh" INT 1 "$SIMOS" run --quiet --lockstep "$model" -- sh -c 'while :; do :; done' \
    >"$work/out" 2>"$work/err" </dev/null
check_equal "lockstep: SIGINT ends the run" 130 $?
check_match "lockstep: SIGINT: the results are printed" '^cycles +[0-9]' "$work/err"

# Disks: each machine has its own copy of what is written; a file that would really be written is refused.
mke2fs -q -t ext4 "$work/disk" 8M >"$work/mke2fs" 2>&1
cp "$work/disk" "$work/disk.before"
simos run --quiet --set cache.model=none --disk "$work/disk" --lockstep "$model" -- sh -c 'echo hello >/mnt/file && sync && cat /mnt/file'
check_equal "lockstep: a disk that is not changed" "0 hello" "$status $(cat "$work/out")"
check_same_file "lockstep: ... is not changed" "$work/disk.before" "$work/disk"
simos run --quiet --disk "$work/disk,write" --lockstep "$model" -- true
check_equal "lockstep: a disk that is written is refused, with one line" "125 1" "$status $(wc -l <"$work/err")"
check_match "... that names it" "^simos: --lockstep: disk $work/disk,write may not be written" "$work/err"
finish
