#!/bin/sh
# Journeys into the past (tests/checkpoint/round_trips.c) on three of the machines of `make stress-checkpoint`: disks at work, a
# network, instructions in flight; keys and changes of the CPU model on all.
. "$(dirname "$0")/../guest/harness.sh"
cd "$root" || exit
MACHINES='6 11 13' TEST=round_trips TMPDIR=$work tests/checkpoint/stress.sh "$BUILD" 6 >"$work/stress"
check_equal "wherever the past comes to an instant again, the state is the same" 0 $?
grep -v '^stress-checkpoint' "$work/stress"
passed=$((passed + $(sed -n 's/^stress-checkpoint: \([0-9]*\) passed.*/\1/p' "$work/stress")))

# What is said of the last access to a word is what a trace says.
tests/checkpoint/last_writes.sh "$BUILD/simos" 40 >"$work/words"
check_equal "the last accesses to words are those of a trace" 0 $?
grep FAIL "$work/words"
passed=$((passed + $(sed -n 's/^last_writes: \([0-9]*\) passed.*/\1/p' "$work/words" | awk '{ sum += $1 } END { print sum }')))

# When a line entered the first-level cache, left it, missed in it, and why, is what a model of the caches says.
simos run --cpu embra --set cache.model=none --quiet --table none --checkpoint "$work/boot.ckpt@boot" -- true
python3 tests/checkpoint/last_lines.py "$SIMOS" "$work/boot.ckpt" 40 1995 297000000 sh -c 'ls -l / | sort | md5sum; cat /bin/busybox | md5sum' >"$work/lines"
check_equal "when lines came and went is what a model says" 0 $?
grep FAIL "$work/lines"
passed=$((passed + $(sed -n 's/^last_lines: \([0-9]*\) passed.*/\1/p' "$work/lines")))
finish
