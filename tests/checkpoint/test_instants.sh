#!/bin/sh
# A few of the instants of `make stress-checkpoint`, on seven of its machines: eight CPUs, disks at work, instructions in
# flight, walks of page tables, shared caches, pages that move, exclusive levels.
. "$(dirname "$0")/../guest/harness.sh"
cd "$root" || exit
MACHINES='1 6 11 14 16 17 19' TMPDIR=$work tests/checkpoint/stress.sh "$BUILD" 3 >"$work/stress"
check_equal "machines restored at random instants go on exactly" 0 $?
grep -v '^stress-checkpoint' "$work/stress"
passed=$((passed + $(sed -n 's/^stress-checkpoint: \([0-9]*\) passed.*/\1/p' "$work/stress")))
finish
