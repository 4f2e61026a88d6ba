#!/bin/sh
# Builds what it takes to compile static programs for MIPS I, the R3000's instruction set, and prints the folder in the
# cache that holds it: a compiler, cc, whose library, headers and start-up code are in include and lib beside it.
#
#     source-mips1.sh
#
# The C library is musl, from the source package of the host's own Debian release: that of the cross compiler is compiled
# for release 2, and so is its libgcc, whose place decstation/runtime.c takes. Floating point is the R3010's; a pair of
# registers holds a double. Programs have one thread (decstation/set_thread_area.c). The kernel emulates what MIPS I lacks
# and a C library cannot do without: ll, sc and sync.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 0 ] || die "usage: source-mips1.sh"
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
find_source musl upstream
decstation=$here/decstation

key=$({
    cat "$sums" "$here/source-mips1.sh" "$decstation/cc.sh" "$decstation/load-delay.awk" "$decstation/runtime.c" \
        "$decstation/set_thread_area.c"
    print_toolchain
    dpkg-query -W -f '${Version}\n' linux-libc-dev-mipsel-cross 2>/dev/null || true
} | sha256sum | cut -c 1-16)

build_library() {
    source=$work/musl
    result=$work/result
    rm -rf "$source"
    mkdir "$source"
    tar -x -f "$(echo "$sources"/musl_*.orig.tar.*[!c])" -C "$source" --strip-components 1
    # Its assembly is written for processors that wait for a load.
    (cd "$source" && grep -rl noreorder arch/mips crt/mips src/*/mips) | while read -r file; do
        awk -f "$decstation/load-delay.awk" "$source/$file" >"$work/file"
        cat "$work/file" >"$source/$file"
    done
    variable='extern uintptr_t __thread_pointer __attribute__((__visibility__("hidden")));'
    sed -i "s/^\t__asm__ (\".word 0x7c03e83b\".*/\t$variable tp = __thread_pointer;/" "$source/arch/mips/pthread_arch.h"
    grep -q "$variable" "$source/arch/mips/pthread_arch.h" || die "musl has another way to find a thread's data"
    cp "$decstation/set_thread_area.c" "$source/src/thread/mips/__set_thread_area.c"
    cp "$decstation/cc.sh" "$result/cc"
    chmod +x "$result/cc"
    (
        cd "$source" &&
            CC="$result/cc" CFLAGS="-O2 -ffile-prefix-map=$source=musl" CROSS_COMPILE=$cross LIBCC=" " ./configure \
                --target=mipsel-linux-musl --prefix=/ --disable-shared --disable-wrapper &&
            make -j"${JOBS:-$(nproc)}" && make install DESTDIR="$result"
    ) >"$log" 2>&1 || failed
    "$result/cc" -O2 -ffreestanding -Wall -Wextra -Werror -c -o "$work/runtime.o" "$decstation/runtime.c" >>"$log" 2>&1 ||
        failed
    ${cross}ar rcD "$result/lib/libgcc.a" "$work/runtime.o"
    # The kernel's headers, those of the cross compiler's packages.
    for headers in linux asm asm-generic mtd rdma scsi sound video; do
        [ ! -d /usr/mipsel-linux-gnu/include/$headers ] || cp -R /usr/mipsel-linux-gnu/include/$headers "$result/include/" 2>>"$log"
    done
    cp "$log" "$result/"
}

make_once mips1 "$key" build_library
