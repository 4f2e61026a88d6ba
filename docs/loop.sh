#!/bin/sh
# Makes FILE, a bare program for 0x80002000 that loops (b .; nop), for pages that are made from a machine.
#
#     docs/loop.sh FILE
set -eu
{
    printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\10\0\1\0\0\0\0\040\0\200\064\0\0\0\0\0\0\0\0\020\0\160'
    printf '\064\0\040\0\1\0\0\0\0\0\0\0'
    printf '\1\0\0\0\124\0\0\0\0\040\0\200\0\040\0\0\040\0\0\0\040\0\0\0\7\0\0\0\020\0\0\0'
    printf '\377\377\0\020\0\0\0\0'
    head -c 24 /dev/zero
} >"$1"
