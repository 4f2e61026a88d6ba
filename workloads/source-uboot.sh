#!/bin/sh
# Builds U-Boot for the boot ROM from the source package of the host's own Debian release, and prints the folder in the
# cache that holds the result: u-boot.bin (with its device tree), u-boot (ELF, for its symbols), config and log.
#
#     source-uboot.sh
#
# The configuration is imgtec_xilfpga_defconfig and uboot.config, the device tree uboot.dts. The same inputs give the same
# bytes.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 0 ] || die "usage: source-uboot.sh"
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
find_source u-boot

key=$({
    cat "$sums" "$here/source-uboot.sh" "$here/uboot.config" "$here/uboot.dts"
    print_toolchain
} | sha256sum | cut -c 1-16)

make_uboot() {
    make -C "$source" -j"${JOBS:-$(nproc)}" CROSS_COMPILE=$cross "$@" >>"$log" 2>&1 || failed
}

build_uboot() {
    source=$work/u-boot
    if [ ! -f "$work/unpacked" ]; then
        rm -rf "$source"
        mkdir "$source"
        tar -x -f "$(echo "$sources"/u-boot_*.orig.tar.*[!c])" -C "$source" --strip-components 1
        : >"$work/unpacked"
    fi
    SOURCE_DATE_EPOCH=$(stat -c %Y "$source/Makefile")
    export SOURCE_DATE_EPOCH
    : >"$log"
    (cd "$source" && scripts/kconfig/merge_config.sh -m configs/imgtec_xilfpga_defconfig "$here/uboot.config") \
        >>"$log" 2>&1 || failed
    make_uboot olddefconfig
    make_uboot u-boot-nodtb.bin
    "$source/scripts/dtc/dtc" -q -I dts -O dtb -o "$work/simos.dtb" "$here/uboot.dts" >>"$log" 2>&1 || failed
    # U-Boot looks for its device tree behind itself (CONFIG_OF_SEPARATE).
    cat "$source/u-boot-nodtb.bin" "$work/simos.dtb" >"$work/result/u-boot.bin"
    cp "$source/u-boot" "$log" "$work/result/"
    cp "$source/.config" "$work/result/config"
}

make_once u-boot "$key" build_uboot
