#!/bin/sh
# simos for 64-bit ARM, compiled on this machine and run by QEMU: unit tests, instructions, and boots whose statistics
# are those of this machine's simulator to the last digit.
#
#     tests/hosts/aarch64.sh all|part SIMOS MAKE ELF...        SIMOS: this machine's; ELF: the programs of tests/insn
#
# `part` compiles everything, but of the unit tests takes those of what depends most on a host, and of the instructions'
# variants one. What is left out is said.
set -u
what=$1 simos=$2 make=$3
shift 3
build=build/aarch64 root=$PWD
sysroot=$build/sysroot
part_tests="test_fpu test_fpu_oracle test_isa test_cp0 test_tlb test_vmap test_params test_saved test_stats test_block_engine"

skip()
{
    echo "aarch64: skipped: $*"
    exit 0
}

command -v aarch64-linux-gnu-gcc >/dev/null || skip "no aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu)"
command -v qemu-aarch64 >/dev/null || skip "no qemu-aarch64 (Debian: qemu-user)"
mkdir -p "$build"
if ! [ -e "$sysroot/.complete" ] || [ tests/hosts/sysroot.sh -nt "$sysroot/.complete" ]; then
    reason=$(tests/hosts/sysroot.sh arm64 "$sysroot") || skip "$reason"
    touch "$sysroot/.complete"
fi

# QEMU 7 keeps a record of every page that was ever mapped: within 128 GB of addresses they stay below 1 GB.
qemu="qemu-aarch64 -R 128G -L $root/$sysroot"
cat >"$build/simos.sh" <<END
#!/bin/sh
exec $qemu $root/$build/simos "\$@"
END
chmod +x "$build/simos.sh"

tests=$(cd tests/unit && echo test_*.c | sed 's/\.c\>//g; s/\<test_x86_assembler\>//; s/\<test_translate_[a-z]*\>//g')
fast=
[ "$what" = all ] || {
    tests=$part_tests
    # Little is run: with fewer shapes of an access, and not optimised further, the compiler takes a third of the time.
    fast="FAST= CFLAGS=-O1 CPPFLAGS=-DSHAPES_FEW"
}
programs=$(for test in $tests; do echo "$build/tests/$test"; done)
# shellcheck disable=SC2086 # a list of files
PKG_CONFIG_SYSROOT_DIR=$root/$sysroot \
    PKG_CONFIG_LIBDIR=$root/$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$root/$sysroot/usr/share/pkgconfig \
    $make --no-print-directory SAN= BUILD=$build $fast CC="aarch64-linux-gnu-gcc --sysroot=$root/$sysroot" \
    $build/simos $programs >"$build/make.log" 2>&1 || {
    tail -n 20 "$build/make.log"
    echo "aarch64: 0 passed, 1 failed"
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# boot NAME OPTIONS...: output, status and statistics as on this machine
boot()
{
    name=$1
    shift
    for side in here there; do
        program=$simos
        [ $side = here ] || program=$build/simos.sh
        tests/limit.sh 600 "$program" run --quiet --kernel build/guest/vmlinux --initrd build/guest/initrd.cpio \
            --set guest.symbols=none --stats "$work/$side.json" "$@" -- \
            sh -c 'uname -m; seq 300 | sort -r | md5sum; exit 3' >"$work/$side.out" 2>"$work/$side.err" </dev/null
        echo "status $?" >>"$work/$side.out"
    done
    if grep -q 'status 3' "$work/there.out" && cmp -s "$work/here.out" "$work/there.out" &&
        cmp -s "$work/here.json" "$work/there.json"; then
        echo "boots: 1 passed, 0 failed"
    else
        echo "FAIL boot $name: not as on this machine"
        diff "$work/here.out" "$work/there.out"
        diff "$work/here.json" "$work/there.json" | head -n 20
        tail -n 3 "$work/there.err"
        echo "boots: 0 passed, 1 failed"
    fi
}

{
    # shellcheck disable=SC2086 # a list of files
    TEST_RUNNER=$qemu TEST_TIMEOUT=1800 tests/unit/run.sh unit $programs
    if [ "$what" = all ]; then
        SIMOS=$build/simos.sh SIMOS_MODELS="mipsy mxs" tests/insn/run.sh "$@"
    else
        SIMOS=$build/simos.sh SIMOS_MODELS=mipsy SIMOS_VARIANTS=caches tests/insn/run.sh "$@"
    fi
    boot mipsy
    [ "$what" != all ] || boot "eight CPUs" --cpus 8
    boot mxs --switch mxs@boot
} >"$work/log"
grep -v '^[a-z]*: [0-9]* passed, [0-9]* failed$' "$work/log"
[ "$what" = all ] || echo "aarch64: a part: left out are the unit tests but $part_tests; the instructions but on mipsy with caches; the boot of eight CPUs (make test-aarch64)"
# shellcheck disable=SC2046 # two numbers
set -- $(awk '/^[a-z]+: [0-9]+ passed, [0-9]+ failed$/ { passed += $2; failed += $4 } END { print passed + 0, failed + 0 }' "$work/log")
echo "aarch64: $1 passed, $2 failed"
[ "$2" = 0 ] && [ "$1" -gt 0 ]
