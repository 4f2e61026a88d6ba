#!/bin/sh
# Builds the guest's busybox from the source package of the host's own Debian release, and prints the folder in the
# cache that holds the result: busybox, config and log.
#
#     source-busybox.sh [COMPILER]
#
# With a folder that source-mips1.sh has made, COMPILER, it is busybox for MIPS I. The configuration is that of Debian's
# busybox-static. The same inputs give the same bytes.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -le 1 ] || die "usage: source-busybox.sh [COMPILER]"
compiler=${1-}
# busybox passes addresses of other types to socket functions, as glibc's declarations allow and musl's do not: an error
# to gcc 14.
cc=${compiler:+$compiler/cc -Wno-error=incompatible-pointer-types}
cc=${cc:-${cross}gcc}
need_cross_compiler
# shellcheck source=workloads/source-package.sh
. "$here/source-package.sh"
find_source busybox

key=$({
    cat "$sums" "$here/source-busybox.sh"
    print_toolchain
    if [ -n "$compiler" ]; then
        basename "$compiler"
    else
        dpkg-query -W -f '${Version}\n' libc6-dev-mipsel-cross 2>/dev/null || true
    fi
} | sha256sum | cut -c 1-16)

make_busybox() {
    make -C "$source" -j"${JOBS:-$(nproc)}" ARCH=mips CROSS_COMPILE=$cross KCONFIG_NOTIMESTAMP=1 \
        CC="$cc -ffile-prefix-map=$source=busybox" "$@"
}

build_busybox() {
    source=$work/busybox
    rm -rf "$source"
    mkdir "$source"
    tar -x -f "$(echo "$sources"/busybox_*.orig.tar.*[!c])" -C "$source" --strip-components 1
    tar -x -f "$(echo "$sources"/busybox_*.debian.tar.*)" -C "$source"
    sed -n 's/^\([^# ][^ ]*\).*/\1/p' "$source/debian/patches/series" | while read -r patch; do
        patch -s -p1 -d "$source" <"$source/debian/patches/$patch"
    done >"$log" 2>&1 || failed
    SOURCE_DATE_EPOCH=$(stat -c %Y "$source/Makefile.flags")
    export SOURCE_DATE_EPOCH
    # Without what the cross compiler's library does not have (libcrypt), and the applet for traffic control, which the
    # headers of newer kernels broke.
    sed -e '/^CONFIG_\(TC\|FEATURE_TC_INGRESS\)=/d' -e '/CONFIG_USE_BB_CRYPT\(_SHA\)\?[ =]/d' \
        "$source/debian/config/pkg/static" >"$source/.config"
    printf '%s\n' '# CONFIG_TC is not set' CONFIG_USE_BB_CRYPT=y CONFIG_USE_BB_CRYPT_SHA=y >>"$source/.config"
    # musl has no regular expressions but POSIX's; awk has to compute in floating point on the R3010 too.
    [ -z "$compiler" ] || sed -i -e 's/^\(CONFIG_EXTRA_COMPAT\|CONFIG_FEATURE_VI_REGEX_SEARCH\)=y/# \1 is not set/' \
        -e 's/^# \(CONFIG_FEATURE_AWK_LIBM\) is not set/\1=y/' "$source/.config"
    yes '' | make_busybox oldconfig >>"$log" 2>&1 || failed
    make_busybox busybox >>"$log" 2>&1 || failed
    cp "$source/busybox" "$source/.config" "$log" "$work/result/"
    mv "$work/result/.config" "$work/result/config"
}

make_once busybox "$key" build_busybox
