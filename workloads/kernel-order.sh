#!/bin/sh
# Prints a patch to Linux's source, for KERNEL_PATCH, with which the kernel's functions are linked in a given order:
#
#     workloads/kernel-order.sh ARCHIVE [FUNCTIONS]
#
# ARCHIVE: the source, as KERNEL_SOURCE. FUNCTIONS: names, a line each, as --profile FILE.functions writes them; they come first, in
# their order. Without it, functions have sections of their own, and are linked as ever. Modules stay as they are.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"
[ $# = 1 ] || [ $# = 2 ] || die "usage: kernel-order.sh ARCHIVE [FUNCTIONS]"
archive=$1 functions=${2:-/dev/null}
[ -e "$functions" ] || die "no file $functions"
script=include/asm-generic/vmlinux.lds.h order=include/asm-generic/function-order.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old"
tar -x -f "$archive" -C "$work/old" --strip-components 1 --wildcards --no-wildcards-match-slash '*/Makefile' "*/$script" 2>"$work/log" ||
    die "$archive has no $script"
mkdir -p "$work/new/${script%/*}"
awk '!done && /^ifdef CONFIG_SHADOW_CALL_STACK/ { print "KBUILD_CFLAGS_KERNEL += -ffunction-sections\n"; done = 1 } { print }' \
    "$work/old/Makefile" >"$work/new/Makefile"
awk '{ sub(/^#define TEXT_MAIN \.text$/, "& .text.[0-9a-zA-Z_]*") }
    /\*\(\.text\.hot / { print "\t\tFUNCTION_ORDER\t\t\t\t\t\\" }
    NR == 1 { print "#include <asm-generic/function-order.h>" }
    { print }' "$work/old/$script" >"$work/new/$script"
{
    echo '#define FUNCTION_ORDER \'
    sed 's/.*/\t*(.text.&) \\/' "$functions"
    echo
} >"$work/new/$order"
cd "$work"
grep -q -- '^KBUILD_CFLAGS_KERNEL += -ffunction-sections' new/Makefile || die "$archive: the Makefile is not as expected"
grep -q FUNCTION_ORDER new/$script && ! grep -q '^#define TEXT_MAIN \.text$' new/$script ||
    die "$archive: $script is not as expected"
for file in Makefile $script; do
    diff -u --label "a/$file" --label "b/$file" old/$file new/$file || [ $? = 1 ]
done
diff -u --label /dev/null --label "b/$order" /dev/null "new/$order" || [ $? = 1 ]
