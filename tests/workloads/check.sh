# Shared by the tests of workloads, behind tests/guest/harness.sh.
# shellcheck shell=sh disable=SC2154 # $root, $work, $status are the harness's

workloads=$root/build/workloads

# check_workload NAME MACHINE MODEL: goes on from where NAME is positioned to its end, and it says what it said under embra
# when it was positioned.
check_workload()
{
    simos restore "$workloads/$1.ckpt" --machine "$2" --cpu "$3" --quiet
    check_equal "$1, machine $2, $3: it ends well" 0 "$status"
    check_same_file "$1, machine $2, $3: what came out of it" "$workloads/$1.answer" "$work/out"
}

# check_models NAME: NAME and its short form on every CPU model. NAME itself under mxs takes up to half an hour: only with
# MXS=whole.
check_models()
{
    check_workload "$1-short" 1994 embra
    check_workload "$1-short" 1994 mipsy
    check_workload "$1-short" 1996 mxs
    check_workload "$1" 1994 embra
    check_workload "$1" 1994 mipsy
    [ "${MXS-}" != whole ] || check_workload "$1" 1996 mxs
}

# Compiles the 17 files in the same Debian under another emulator, QEMU's for user programs, and prints the checksums of
# the objects. Compiler and assembler are called as gcc would: it cannot start programs of the guest there. Folders of
# headers are named as the host sees them, because QEMU looks for folders in the host's own tree.
objects_of_qemu()
{
    tree=$work/debian
    programs=$tree/usr/lib/gcc/mipsel-linux-gnu/12
    mkdir -p "$tree/sources" "$work/objects"
    debugfs -R "rdump / $tree" "$root/build/guest/development.img" >/dev/null 2>&1
    debugfs -R "rdump / $tree/sources" "$workloads/pmake.sources.img" >/dev/null 2>&1
    for file in "$tree"/sources/zlib/*.c "$tree"/sources/zlib/test/example.c "$tree"/sources/zlib/test/minigzip.c; do
        name=$(basename "$file" .c)
        qemu-mipsel -L "$tree" "$programs/cc1" -quiet -nostdinc -I "$tree/sources/zlib" -isystem "$programs/include" \
            -isystem "$tree/usr/include/mipsel-linux-gnu" -isystem "$tree/usr/include" -D_LARGEFILE64_SOURCE=1 \
            -DHAVE_HIDDEN "$file" -mel -dumpbase "$name.c" -dumpbase-ext .c -march=mips32r2 -mfpxx -mllsc \
            -mno-lxc1-sxc1 -mno-madd4 -mips32r2 -mabi=32 -o "$work/assembly.s" &&
            qemu-mipsel -L "$tree" "$tree/usr/bin/as" -EL -mips32r2 -O1 -mabi=32 -march=mips32r2 -mfpxx -KPIC \
                -o "$work/objects/$name.o" "$work/assembly.s"
    done
    (cd "$work/objects" && LC_ALL=C sha256sum ./*.o)
}
