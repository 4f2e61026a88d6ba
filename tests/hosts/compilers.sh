#!/bin/sh
# Builds the tree and its unit tests, warnings as errors, with every compiler that is installed and every release of Tcl
# whose headers are.
#
#     tests/hosts/compilers.sh MAKE 'COMPILER...' 'TCL...'
#
# RUN=1   runs the unit tests too. Each build is in build/hosts/COMPILER-tclTCL, which a success removes.
set -u
make=$1 compilers=$2 tcls=$3
passed=0 failed=0 skipped=

# RUN is not the Makefile's.
run=${RUN-}
unset RUN
for compiler in $compilers; do
    command -v "$compiler" >/dev/null || { skipped="$skipped $compiler" && continue; }
    for tcl in $tcls; do
        [ -d "/usr/include/tcl$tcl" ] || pkg-config --exists "tcl$tcl" || { skipped="$skipped $compiler+tcl$tcl" && continue; }
        build=build/hosts/$compiler-tcl$tcl
        mkdir -p "$build"
        if $make --no-print-directory WERROR=1 CC="$compiler" TCL="$tcl" BUILD="$build" CFLAGS="-O2" all unit-tests \
            ${run:+test-unit} >"$build/log" 2>&1; then
            passed=$((passed + 1))
            echo "$compiler, Tcl $tcl: builds$(sed -n 's/^unit: /; unit tests: /p' "$build/log")"
            rm -rf "$build"
        else
            failed=$((failed + 1))
            grep -E 'warning:|error:|^FAIL|passed,' "$build/log" | head -n 20
            echo "$compiler, Tcl $tcl: FAIL ($build/log)"
        fi
    done
done
[ -z "$skipped" ] || echo "compilers: not installed, skipped:$skipped"
echo "compilers: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
