#!/bin/sh
# Prints annotations/linux/syscalls.tcl: the o32 system calls by name, from <asm/unistd_o32.h> of the package
# linux-libc-dev-mipsel-cross (or the file given).
#
#     workloads/system-calls.sh >annotations/linux/syscalls.tcl
set -eu
header=${1:-/usr/mipsel-linux-gnu/include/asm/unistd_o32.h}
echo "# The o32 system calls by number, from the kernel's <asm/unistd_o32.h>: made by workloads/system-calls.sh."
awk '$1 == "#define" && $2 ~ /^__NR_/ && $3 == "(__NR_Linux" {
    name = substr($2, 6)
    sub(/\).*/, "", $5)
    print "service syscall " 4000 + $5 " " name
}' "$header"
