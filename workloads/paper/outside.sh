#!/bin/sh
# The compiler of the workload pmake in the same Debian under another emulator, QEMU's for user programs: the system calls of
# its compilations, for the page to compare with those of the run of the whole workload (SOSP'95, section 2.1.2).
#
#     workloads/paper/outside.sh CHECKPOINTS OUT
#
# Makes OUT/outside.tsv, a line for each system call: its name, and how many of them; if that is not there, or older than the
# checkpoint. The assembler's file has another name there than gcc gives it. Needs debugfs and qemu-mipsel-static, and root or user
# namespaces.
set -eu
checkpoints=$1 out=$2
[ ! "$out/outside.tsv" -nt "$checkpoints/pmake.ckpt" ] || exit 0
echo "pmake's compiler under QEMU"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/sources"
debugfs -R "rdump / $tree" "$checkpoints/pmake.root.img" >"$out/outside.err" 2>&1
debugfs -R "rdump / $tree/sources" "$checkpoints/pmake.sources.img" >>"$out/outside.err" 2>&1
cp "$(command -v qemu-mipsel-static)" "$tree/qemu"
enter=chroot
[ "$(id -u)" = 0 ] || enter="unshare -Ur chroot"
for file in "$tree"/sources/zlib/*.c "$tree"/sources/zlib/test/example.c "$tree"/sources/zlib/test/minigzip.c; do
    name=$(basename "$file" .c)
    # As gcc calls it.
    $enter "$tree" /qemu -strace /usr/lib/gcc/mipsel-linux-gnu/12/cc1 -quiet -I /sources/zlib -imultiarch mipsel-linux-gnu \
        -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN "${file#"$tree"}" -mel -dumpbase "$name.c" -dumpbase-ext .c -march=mips32r2 \
        -mfpxx -mllsc -mno-lxc1-sxc1 -mno-madd4 -mips32r2 -mabi=32 -o /tmp/assembly.s 2>&1
done >"$tree/calls" || {
    tail -n 1 "$tree/calls" >&2
    exit 1
}
{
    printf 'call\tcount\n'
    sed -n 's/^[0-9][0-9]* \([a-z_][a-z0-9_]*\)(.*/\1/p' "$tree/calls" | sort | uniq -c | awk '{ print $2 "\t" $1 }'
} >"$out/outside.tsv"
