#!/bin/sh
# simos for 64-bit ARM, compiled on this machine and run by QEMU: unit tests, instructions, and boots whose statistics
# are those of this machine's simulator to the last digit.
#
#     tests/hosts/aarch64.sh all|part SIMOS MAKE ELF...        SIMOS: this machine's; ELF: the programs of tests/insn
#
# `part` compiles everything, but takes those unit tests and those programs of tests/insn that depend most on a host, and of
# the boots the beginning and what follows a checkpoint that this machine's simulator made at the event `boot`. What is left
# out is said.
set -u
what=$1 simos=$2 make=$3
shift 3
build=build/aarch64 root=$PWD
sysroot=$build/sysroot
part_tests="test_fpu test_fpu_oracle test_isa test_params test_saved test_stats test_block_engine"
# Floating point, signs, shifts, bytes in a word. A program takes 0.5 s, nearly all of it for QEMU to translate simos.
part_programs="fp_* div* madd* msub* mul* lb* lh* lw* sw* unaligned_word ll_sc clo clz ext ins sra* rotr* *_overflow"

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
    # Little is run: with fewer shapes of an access, and but cpu/ and cache/ not optimised, the compiler takes a quarter of
    # the time.
    fast="FAST=-O1 CFLAGS=-O0 CPPFLAGS=-Wp,-DSHAPES_FEW,-DRANDOM_PAIRS=6000"
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

# chosen ELF...: those of part_programs
chosen()
{
    for elf; do
        name=${elf##*/}
        for pattern in $part_programs; do
            # shellcheck disable=SC2254 # a pattern
            case ${name%.elf} in $pattern) echo "$elf" && break ;; esac
        done
    done
}

# same NAME STATUS COMMAND WORDS...: simos ends with STATUS, with output and statistics as on this machine
same()
{
    name=$1 expected=$2 command=$3
    shift 3
    for side in here there; do
        rm -f "$work/$side.json"
        program=$simos
        [ $side = here ] || program=$build/simos.sh
        tests/limit.sh 600 "$program" "$command" --stats "$work/$side.json" "$@" >"$work/$side.out" 2>"$work/$side.err" </dev/null
        echo "status $?" >>"$work/$side.out"
    done
    if grep -qx "status $expected" "$work/there.out" && cmp -s "$work/here.out" "$work/there.out" &&
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

# boot NAME OPTIONS...: a job from power-on
boot()
{
    name=$1
    shift
    same "$name" 3 run --quiet --kernel build/guest/vmlinux --initrd build/guest/initrd.cpio --set guest.symbols=none "$@" -- \
        sh -c 'uname -m; seq 300 | sort -r | md5sum; exit 3'
}

# boot_parts: the beginning of a boot, a job from this machine's checkpoint, and the beginning of one on mxs
boot_parts()
{
    same begins 124 run --quiet --kernel build/guest/vmlinux --initrd build/guest/initrd.cpio --set guest.symbols=none \
        --max-insns 20000000
    "$simos" run --quiet --table none --kernel build/guest/vmlinux --initrd build/guest/initrd.cpio --set guest.symbols=none \
        --checkpoint "$work/boot.ckpt@boot" -- true >"$work/here.out" 2>&1 </dev/null
    same restored 3 restore "$work/boot.ckpt" --quiet -- sh -c 'uname -m; exit 3'
    same "restored, mxs" 0 restore "$work/boot.ckpt" --quiet --cpu mxs --window 2000000 -- true
}

{
    # shellcheck disable=SC2086 # a list of files
    TEST_RUNNER=$qemu TEST_TIMEOUT=1800 tests/unit/run.sh unit $programs
    if [ "$what" = all ]; then
        SIMOS=$build/simos.sh SIMOS_MODELS="mipsy mxs" tests/insn/run.sh "$@"
        boot mipsy
        boot "eight CPUs" --cpus 8
        boot mxs --switch mxs@boot
    else
        # shellcheck disable=SC2046 # a list of files
        SIMOS=$build/simos.sh SIMOS_MODELS=mipsy SIMOS_VARIANTS=caches tests/insn/run.sh $(chosen "$@")
        boot_parts
    fi
} >"$work/log"
grep -v '^[a-z]*: [0-9]* passed, [0-9]* failed$' "$work/log"
[ "$what" = all ] || echo "aarch64: a part: left out are the unit tests but $part_tests, and of test_fpu_oracle nine tenths of the operands; the instructions but $part_programs on mipsy with caches; what a boot does between its first 20 million instructions and its job; most of a job on mxs; the boot of eight CPUs (make test-aarch64)"
# shellcheck disable=SC2046 # two numbers
set -- $(awk '/^[a-z]+: [0-9]+ passed, [0-9]+ failed$/ { passed += $2; failed += $4 } END { print passed + 0, failed + 0 }' "$work/log")
echo "aarch64: $1 passed, $2 failed"
[ "$2" = 0 ] && [ "$1" -gt 0 ]
