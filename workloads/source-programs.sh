#!/bin/sh
# Builds programs of few files for the DECstation's guest, static and for MIPS I, from the source packages of the host's own
# Debian release, and prints the folder in the cache that holds them: tree, as it comes into the initramfs, and log. The C
# compiler, which takes longer to build, is source-pcc.sh's.
#
#     source-programs.sh COMPILER
#
# COMPILER is a folder that source-mips1.sh has made. docs/how-to/decstation.md lists the programs.
#
# Environment: SIMOS_CACHE.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 1 ] || die "usage: source-programs.sh COMPILER"
compiler=$1
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
packages='tinyscheme picosat cminpack byacc'
for package in $packages; do
    find_source "$package" upstream
done

key=$({
    for package in $packages; do
        cat "$cache/source/$package-$suite/SHA256SUMS"
    done
    cat "$here/source-programs.sh" "$here"/decstation/programs/*.*
    basename "$compiler"
} | sha256sum | cut -c 1-16)

# compile OUTPUT FILE...: a program, into the tree.
compile() {
    output=$tree/bin/$1
    shift
    "$compiler/cc" -O2 -w -s -ffile-prefix-map="$work=source" -o "$output" "$@"
}

compile_all() {
    # A Lisp interpreter.
    unpack_source tinyscheme
    compile scheme -DSTANDALONE=1 -DUSE_DL=0 -DUSE_INTERFACE=0 "-DInitFile=\"/usr/share/programs/init.scm\"" scheme.c
    cp init.scm "$data/"

    # A solver of satisfiability.
    unpack_source picosat
    mkdir sys
    : >sys/unistd.h
    printf '#define PICOSAT_%s\n' 'CC "cc"' 'CFLAGS "-O2"' 'VERSION "965"' >config.h
    compile picosat -DNDEBUG -I. app.c main.c picosat.c version.c

    # Floating point: least squares, and systems of nonlinear equations.
    unpack_source cminpack
    compile lmddrv -I. -Iexamples examples/lmddrv.c examples/ssqfcn.c examples/ssqjac.c examples/ssqipt.c \
        lmder1.c lmder.c lmpar.c qrfac.c qrsolv.c enorm.c dpmpar.c
    compile hybdrv -I. -Iexamples examples/hybdrv.c examples/vecfcn.c examples/neqipt.c \
        hybrd1.c hybrd.c dogleg.c fdjac1.c qform.c qrfac.c r1mpyq.c r1updt.c enorm.c dpmpar.c
    cp examples/testdata/ssq.data examples/testdata/neq.data "$data/"

    # A generator of parsers, and its source, which the compiler compiles.
    unpack_source byacc
    CC="$compiler/cc" ./configure --build=x86_64-linux-gnu --host=mipsel-linux-gnu
    rm -f btyaccpar.c
    compile yacc -DHAVE_CONFIG_H -I. ./*.c
    cp ./*.c ./*.h "$tree/usr/src/byacc/"
    cp test/code_calc.y test/calc.y "$data/"
}

build_programs() {
    tree=$work/result/tree
    data=$tree/usr/share/programs
    mkdir -p "$tree/bin" "$data" "$tree/usr/src/byacc"
    logged compile_all
    cp "$here"/decstation/programs/*.* "$data/"
    cp "$log" "$work/result/"
}

make_once programs "$key" build_programs
