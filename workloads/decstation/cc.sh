#!/bin/sh
# cc: the cross compiler for static programs for MIPS I, with the C library in include and lib beside it.
#
# -fno-pic calls a function by one jump, as compilers of the R3000's time did. A line that ends in an executable gets
# start-up code and libraries; which those are, gcc's own options -c, -S, -E, -M and -r tell.
root=$(cd "$(dirname "$0")" && pwd)
compiler="mipsel-linux-gnu-gcc -march=r3000 -mabi=32 -mhard-float -mfp32 -fno-pic -nostdinc -isystem $root/include"
compiler="$compiler -isystem $(mipsel-linux-gnu-gcc -print-file-name=include)"
for argument; do
    case $argument in
    # shellcheck disable=SC2086 # words
    -c | -S | -E | -M | -MM | -r | -print* | -dump* | -v | --version | -) exec $compiler "$@" ;;
    esac
done
# shellcheck disable=SC2086 # words
exec $compiler -static -no-pie -nostdlib -L"$root/lib" "$root/lib/crt1.o" "$@" -Wl,--start-group -lc -lgcc -Wl,--end-group
