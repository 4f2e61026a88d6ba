#!/bin/sh
# Two machines that are saved while they have requests under way over the network and to disks: none is lost, none comes
# twice, in the run that goes on and in the restored one. A little of `make stress-checkpoint`.
. "$(dirname "$0")/../guest/harness.sh"
cd "$root" || exit
TMPDIR=$work tests/checkpoint/transfer.sh "$BUILD" build/checkpoint/initrd 2 60 --cpus 2 --set cache.model=none \
    >"$work/transfer"
check_equal "requests of machines that are saved and restored" 0 $?
grep -v '^transfer:' "$work/transfer"
passed=$((passed + $(sed -n 's/^transfer: \([0-9]*\) passed.*/\1/p' "$work/transfer")))
finish
