#!/bin/sh
# Builds the guest's kernel from the host's own package of Linux's source, and prints the folder in the cache that holds
# the result.
#
#     source-kernel.sh
#
# The folder has vmlinux (with DWARF), System.map, lib/modules/RELEASE/kernel/... (the modules), release, config and
# log. It is called by a checksum over all it is made from (the source archive, source.config, this script, the versions
# of compiler and binutils), so it is made again when one of them changes, and not otherwise. The same inputs give the
# same bytes, wherever the cache is.
#
# Environment: KERNEL_SOURCE, the source archive (default: the newest /usr/src/linux-source-*.tar.xz); SIMOS_CACHE;
# JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 0 ] || die "usage: source-kernel.sh"
archive=${KERNEL_SOURCE:-$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
[ -s "$archive" ] || die "no source of Linux: install linux-source, or name the archive in KERNEL_SOURCE"
# Not an option, and not a host of tar's (HOST:FILE).
case $archive in /*) ;; *) archive=./$archive ;; esac
need_cross_compiler

key=$({
    sha256sum <"$archive"
    print_toolchain
    cat "$here/source.config" "$here/source-kernel.sh"
} | sha256sum | cut -c 1-16)

# The kernel's generic configuration for MIPS32 release 2, little endian, and source.config on top of it.
configure() {
    (
        cd "$source"
        g=arch/mips/configs
        KCONFIG_CONFIG=$build/.config scripts/kconfig/merge_config.sh -m -O "$build" $g/generic_defconfig \
            $g/generic/32r2.config $g/generic/el.config "$here/source.config"
    ) && make_kernel olddefconfig
}

# Paths of this build appear in nothing that it makes: they would be in the DWARF, and by way of the build identifier in
# what is loaded.
make_kernel() {
    make -C "$source" O="$build" -j"${JOBS:-$(nproc)}" ARCH=mips CROSS_COMPILE=$cross \
        CC="${cross}gcc -ffile-prefix-map=$source=linux -ffile-prefix-map=$build=build" \
        KBUILD_BUILD_TIMESTAMP="$(date -u -d "@$epoch")" KBUILD_BUILD_USER=simos KBUILD_BUILD_HOST=simos \
        KBUILD_BUILD_VERSION=1 "$@"
}

build_kernel() {
    mkdir -p "$work/source" "$work/build"
    build=$work/build
    source=$work/source
    if [ ! -f "$work/unpacked" ]; then
        tar -x -f "$archive" -C "$source" --strip-components 1 || die "$archive cannot be unpacked"
        [ -f "$source/Kconfig" ] || die "$archive is no source of Linux"
        : >"$work/unpacked"
    fi
    epoch=$(stat -c %Y "$source/Makefile")
    configure >"$log" 2>&1 || failed
    make_kernel vmlinux modules >>"$log" 2>&1 || failed
    release=$(cat "$build/include/config/kernel.release")
    (cd "$build" && find ./* -name '*.ko') | while read -r module; do
        into=$work/result/lib/modules/$release/kernel/${module#./}
        mkdir -p "$(dirname "$into")"
        ${cross}strip -g -o "$into" "$build/$module"
    done
    echo "$release" >"$work/result/release"
    cp "$build/.config" "$work/result/config"
    cp "$build/vmlinux" "$build/System.map" "$log" "$work/result/"
}

make_once kernel "$key" build_kernel
