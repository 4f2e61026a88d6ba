#!/bin/sh
# Builds the programs of the DECstation's guest, static and for MIPS I, from the source packages of the host's own Debian
# release, and prints the folder in the cache that holds them: tree, as it comes into the initramfs, and log.
#
#     source-programs.sh COMPILER
#
# COMPILER is a folder that source-mips1.sh has made. docs/how-to/decstation.md lists the programs.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 1 ] || die "usage: source-programs.sh COMPILER"
compiler=$1
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
packages='pcc binutils tinyscheme picosat cminpack byacc'
for package in $packages; do
    find_source "$package" upstream
done

key=$({
    for package in $packages; do
        cat "$cache/source/$package-$suite/SHA256SUMS"
    done
    cat "$here/source-programs.sh" "$here"/decstation/pcc.sed "$here"/decstation/programs/*
    basename "$compiler"
} | sha256sum | cut -c 1-16)

# unpack PACKAGE: its source is in the folder it is called in, but for what an interrupted build left there.
unpack() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    tar -x -f "$(echo "$cache/source/$1-$suite/$1"_*.orig.tar.*[!c])" -C "$work/$1" --strip-components 1
    cd "$work/$1"
}

# compile OUTPUT FILE...: a program of few files, into the tree.
compile() {
    output=$tree/bin/$1
    shift
    "$compiler/cc" -O2 -w -s -ffile-prefix-map="$work=source" -o "$output" "$@"
}

# The programs of few files.
build_small() {
    # A Lisp interpreter.
    unpack tinyscheme
    compile scheme -DSTANDALONE=1 -DUSE_DL=0 -DUSE_INTERFACE=0 "-DInitFile=\"/usr/share/programs/init.scm\"" scheme.c
    cp init.scm "$data/"

    # A solver of satisfiability.
    unpack picosat
    mkdir sys
    : >sys/unistd.h
    printf '#define PICOSAT_%s\n' 'CC "cc"' 'CFLAGS "-O2"' 'VERSION "965"' >config.h
    compile picosat -DNDEBUG -I. app.c main.c picosat.c version.c

    # Floating point: least squares, and systems of nonlinear equations.
    unpack cminpack
    compile lmddrv -I. -Iexamples examples/lmddrv.c examples/ssqfcn.c examples/ssqjac.c examples/ssqipt.c \
        lmder1.c lmder.c lmpar.c qrfac.c qrsolv.c enorm.c dpmpar.c
    compile hybdrv -I. -Iexamples examples/hybdrv.c examples/vecfcn.c examples/neqipt.c \
        hybrd1.c hybrd.c dogleg.c fdjac1.c qform.c qrfac.c r1mpyq.c r1updt.c enorm.c dpmpar.c
    cp examples/testdata/ssq.data examples/testdata/neq.data "$data/"

    # A generator of parsers, and its source, which the compiler compiles.
    unpack byacc
    CC="$compiler/cc" ./configure --build=x86_64-linux-gnu --host=mipsel-linux-gnu
    rm -f btyaccpar.c
    compile yacc -DHAVE_CONFIG_H -I. ./*.c
    cp ./*.c ./*.h "$tree/usr/src/byacc/"
    cp test/code_calc.y test/calc.y "$data/"
}

# The C compiler: preprocessor and compiler proper.
build_pcc() {
    unpack pcc
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
    unpack binutils
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

build_programs() {
    tree=$work/result/tree
    data=$tree/usr/share/programs
    mkdir -p "$tree/bin" "$tree/usr/include" "$tree/usr/lib" "$data" "$tree/usr/src/byacc"
    # A failure of one step ends it: a condition would hide it.
    set +e
    (
        set -e
        build_small
        build_pcc
        build_binutils
    ) >"$log" 2>&1
    status=$?
    set -e
    [ $status -eq 0 ] || failed
    cp "$here"/decstation/programs/*.* "$data/"
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

make_once programs "$key" build_programs
