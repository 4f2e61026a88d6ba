#!/bin/sh
# mkgdb.sh FOLDER DEBUG: makes FOLDER/vmlinux.gdb, the kernel there for a debugger: its symbols (mkgdb.c); or, if DEBUG is
# not empty, a link to that file, which has types and lines too, if it is of this kernel.
set -eu
folder=$1 debug=$2 output=$1/vmlinux.gdb

# The guest runs without symbols too.
[ -s "$folder/kernel.sym" ] || {
    rm -f "$output"
    exit 0
}
if [ -n "$debug" ]; then
    "$folder/mkgdb" --same "$folder/kernel.sym" "$debug"
    rm -f "$output"
    ln -s "$(realpath "$debug")" "$output"
    echo "$output: $debug"
else
    rm -f "$output"
    "$folder/mkgdb" "$folder/vmlinux" "$folder/kernel.sym" "$output"
    echo "$output: built"
fi
