#!/bin/sh
# mkinitrd.sh MKCPIO INITRD PROGRAM OUTPUT: the guest's initial RAM disk with the benchmark behind it. The kernel unpacks
# both archives; for QEMU the second holds an /init of its own.
set -eu
mkcpio=$1 initrd=$2 program=$3 output=$4
here=$(cd "$(dirname "$0")/guest" && pwd)

cp "$initrd" "$output.new"
truncate -s %512 "$output.new"
printf '%s\n' "dir /bench 0755" "file /bench/bench 0755 $program" "file /bench/job 0755 $here/job" \
    "file /qemu 0755 $here/init" | "$mkcpio" "$output.second"
cat "$output.second" >>"$output.new"
rm -f "$output.second"
mv "$output.new" "$output"
