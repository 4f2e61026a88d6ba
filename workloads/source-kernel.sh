#!/bin/sh
# Builds the guest's kernel from the host's own package of Linux's source, and prints the folder in the cache that holds
# the result.
#
#     source-kernel.sh [decstation | pages-16k | cpus-64]
#
# With "decstation" it is the kernel of the two DECstations, without modules, and decstation/kernel.config takes the
# place of source.config. With "pages-16k" it is the generic kernel with pages of 16 KB, without modules; with "cpus-64" the
# generic one for up to 64 CPUs, of which more than 32 need KERNEL_PATCH=workloads/cpus-64.patch.
#
# The folder has vmlinux (with DWARF), System.map, lib/modules/RELEASE/kernel/... (the modules), release, config and
# log. It is called by a checksum over all it is made from (the source, source.config, this script, the versions of
# compiler and binutils), so it is made again when one of them changes, and not otherwise. The same inputs give the
# same bytes, wherever the cache is.
#
# Environment: KERNEL_SOURCE, the source: an archive (default: the newest /usr/src/linux-source-*.tar.xz) or a tree, which
# is not written to; KERNEL_PATCH, a patch to an archive's source (for patch -p1); SIMOS_CACHE; JOBS, how many compilers
# run at once (default: one a processor).
#
# Of a tree, and of an archive with a patch, the folder of the build stays in the cache (2 GB), so that the next one
# compiles only what is different.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

board=${1-generic}
[ $# -le 1 ] || die "usage: source-kernel.sh [decstation | pages-16k | cpus-64]"
case $board in
generic) fragments=$here/source.config targets="vmlinux modules" ;;
decstation) fragments=$here/decstation/kernel.config targets=vmlinux ;;
pages-16k) fragments="$here/source.config $here/hardware/pages-16k.config" targets=vmlinux ;;
cpus-64) fragments="$here/source.config $here/cpus-64.config" targets="vmlinux modules" ;;
*) die "there is no configuration for the kernel $board" ;;
esac
given=${KERNEL_SOURCE:-$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
patch=${KERNEL_PATCH:-}
[ -e "$given" ] || die "no source of Linux: install linux-source, or name the archive or tree in KERNEL_SOURCE"
# Not an option, and not a host of tar's (HOST:FILE).
case $given in /*) ;; *) given=./$given ;; esac
case $patch in '' | /*) ;; *) patch=./$patch ;; esac
[ -z "$patch" ] || [ -f "$patch" ] || die "KERNEL_PATCH: there is no file $patch"
[ -z "$patch" ] || [ ! -d "$given" ] || die "KERNEL_PATCH: of an archive only; $given is a tree, which can be patched itself"
need_cross_compiler

# What a build of this source, patched or not, depends on.
print_inputs() {
    print_toolchain
    # shellcheck disable=SC2086 # a list of files
    cat $fragments "$here/source-kernel.sh"
}
# The content of the tree $1, without version control and editors' backups.
print_tree() {
    (cd "$1" && find . -name .git -prune -o -xtype f ! -name '*~' -print0 | LC_ALL=C sort -z |
        xargs -0 sha256sum)
}
sum() {
    sha256sum | cut -c 1-16
}

if [ -d "$given" ]; then
    given=$(cd "$given" && pwd)
    [ -f "$given/Kconfig" ] || die "$given is no source of Linux"
    [ ! -f "$given/.config" ] || die "$given has been built in: \"make mrproper\" there first"
    kept=tree-$({ echo "$given" && print_inputs; } | sum)
    key=$({ print_tree "$given" && print_inputs; } | sum)
else
    kept=
    [ -z "$patch" ] || kept=patched-$({ sha256sum <"$given" && print_inputs; } | sum)
    key=$({ sha256sum <"$given" && print_inputs && cat ${patch:+"$patch"} </dev/null; } | sum)
fi

# The kernel's own configuration (the generic one for MIPS32 release 2, little endian; or that of the DECstation), and
# ours on top of it.
configure() {
    (
        cd "$source"
        g=arch/mips/configs
        case $board in
        generic | pages-16k | cpus-64) own="$g/generic_defconfig $g/generic/32r2.config $g/generic/el.config" ;;
        *) own=$g/${board}_defconfig ;;
        esac
        # shellcheck disable=SC2086 # lists of files
        KCONFIG_CONFIG=$build/.config scripts/kconfig/merge_config.sh -m -O "$build" $own $fragments
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

# Unpack the archive into $1, unless that has been done.
unpack() {
    mkdir -p "$1"
    [ ! -f "$1.unpacked" ] || return 0
    tar -x -f "$given" -C "$1" --strip-components 1 || die "$given cannot be unpacked"
    [ -f "$1/Kconfig" ] || die "$given is no source of Linux"
    stat -c %Y "$1/Makefile" >"$1.unpacked"
}

# Replace the patch that $1, the source of a kept folder, has by ours.
apply() {
    if [ -f "$1.patch" ]; then
        patch -R -s -f -p1 -d "$1" <"$1.patch" >>"$log" 2>&1 || die "$1 is not as it was left: remove it, and $1.*"
        rm "$1.patch"
    fi
    patch -s -f -p1 -d "$1" --dry-run <"$patch" >>"$log" 2>&1 || die "$patch does not apply to $given ($log)"
    cp "$patch" "$1.patch"
    patch -s -f -p1 -d "$1" <"$patch" >>"$log" 2>&1
}

build_kernel() {
    : >"$log"
    place=${kept:+$cache/source/kept-$kept}
    place=${place:-$work}
    build=$place/build
    source=$place/source
    mkdir -p "$build"
    if [ -d "$given" ]; then
        source=$given
    else
        unpack "$source"
    fi
    [ -z "$patch" ] || apply "$source"
    epoch=0
    [ -d "$given" ] || epoch=$(cat "$source.unpacked") # of the archive, with any patch
    configure >>"$log" 2>&1 || failed
    # shellcheck disable=SC2086 # a list of targets
    make_kernel $targets >>"$log" 2>&1 || failed
    release=$(cat "$build/include/config/kernel.release")
    (cd "$build" && find . -name '*.ko' | sort) | while read -r module; do
        into=$work/result/lib/modules/$release/kernel/${module#./}
        mkdir -p "$(dirname "$into")"
        ${cross}strip -g -o "$into" "$build/$module"
    done
    echo "$release" >"$work/result/release"
    cp "$build/.config" "$work/result/config"
    cp "$build/vmlinux" "$build/System.map" "$log" "$work/result/"
}

make_once kernel "$key" build_kernel
