#!/bin/sh
# Builds the C compiler of the DECstation's guest, static and for MIPS I, from the source packages of the host's own Debian
# release: pcc, and assembler and linker of binutils. Prints the folder in the cache that holds it: tree, as it comes into the
# initramfs, and log.
#
#     source-pcc.sh COMPILER
#
# COMPILER is a folder that source-mips1.sh has made; its headers and library are those of the guest's compiler too.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 1 ] || die "usage: source-pcc.sh COMPILER"
compiler=$1
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
packages='pcc binutils'
for package in $packages; do
    find_source "$package" upstream
done

key=$({
    for package in $packages; do
        cat "$cache/source/$package-$suite/SHA256SUMS"
    done
    cat "$here/source-pcc.sh" "$here/decstation/pcc.sed" "$here/decstation/programs/cc"
    basename "$compiler"
} | sha256sum | cut -c 1-16)

# The preprocessor and the compiler proper.
build_pcc() {
    unpack_source pcc
    for file in table.c local2.c; do
        sed -E -i -f "$here/decstation/pcc.sed" arch/mips/$file
    done
    # Its sets of bits are those of the machine that it is built on, otherwise.
    sed -i 's/if (sizeof(long) == 8)/if (0)/' mip/mkext.c
    ./configure --build=x86_64-linux-gnu --host=mipsel-linux-gnu --target=mipsel-linux-gnu CC="$compiler/cc" \
        CC_FOR_BUILD=cc CFLAGS="-O1 -w -ffile-prefix-map=$work=source"
    make -C cc/cpp
    make -C cc/ccom
    ${cross}strip -o "$tree/bin/cpp" cc/cpp/*cpp
    ${cross}strip -o "$tree/bin/ccom" cc/ccom/*ccom
}

# The assembler and the linker.
build_binutils() {
    unpack_source binutils
    mkdir build
    cd build
    ../configure --build=x86_64-linux-gnu --host=mipsel-linux-musl --target=mipsel-linux-gnu --prefix=/usr \
        CC="$compiler/cc" AR=${cross}ar RANLIB=${cross}ranlib CC_FOR_BUILD=cc \
        CFLAGS="-O2 -w -ffile-prefix-map=$work=source" \
        --disable-shared --disable-nls --disable-werror --disable-gdb --disable-gdbserver --disable-sim \
        --disable-gprof --disable-gprofng --disable-gold --disable-plugins --disable-compressed-debug-sections \
        --disable-separate-code --disable-multilib --without-zstd --without-debuginfod --enable-deterministic-archives
    make -j"${JOBS:-$(nproc)}" all-gas all-ld MAKEINFO=true
    ${cross}strip -o "$tree/bin/as" gas/as-new
    ${cross}strip -o "$tree/bin/ld" ld/ld-new
}

build_compiler() {
    tree=$work/result/tree
    mkdir -p "$tree/bin" "$tree/usr/include" "$tree/usr/lib"
    logged build_pcc
    logged build_binutils
    cp "$here/decstation/programs/cc" "$tree/bin/"
    chmod +x "$tree/bin/cc"
    # What the compiler reads. The kernel's headers are left out.
    (
        cd "$compiler/include"
        tar -c --exclude ./linux --exclude ./asm --exclude ./asm-generic --exclude ./mtd --exclude ./rdma \
            --exclude ./scsi --exclude ./sound --exclude ./video .
    ) | tar -x -C "$tree/usr/include"
    cp "$compiler/lib/crt1.o" "$compiler/lib/libc.a" "$compiler/lib/libgcc.a" "$tree/usr/lib/"
    cp "$log" "$work/result/"
}

make_once pcc "$key" build_compiler
