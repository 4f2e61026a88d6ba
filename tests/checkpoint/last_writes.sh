#!/bin/sh
# The last accesses to COUNT words, by the past and by a trace (tests/checkpoint/last_writes.py): a guest that reads a disk again
# and again, so that devices write to many of them.
#
#     tests/checkpoint/last_writes.sh SIMOS COUNT
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-words.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
truncate -s 4M "$dir/disk.img"
job='while :; do dd if=/dev/vda of=/dev/null bs=16k count=20 2>/dev/null; echo 3 >/proc/sys/vm/drop_caches; done'
for model in embra mipsy; do
    python3 "$(dirname "$0")/last_writes.py" "$1" "$dir" "$2" 1995 360000000 15000000 --cpu $model --disk "$dir/disk.img" -- sh -c "$job" ||
        exit 1
done
