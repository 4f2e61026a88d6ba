#!/bin/sh
# Builds the guest's busybox from the source package of the host's own Debian release, and prints the folder in the
# cache that holds the result: busybox, config and log.
#
#     source-busybox.sh
#
# The source comes through a private apt state, as the stock guest's packages do (apt.sh). It is kept in the cache with
# its checksums; while they match, no network is used. The configuration is that of Debian's busybox-static. The same
# inputs give the same bytes.
#
# Environment: SIMOS_CACHE; JOBS, how many compilers run at once (default: one a processor).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=workloads/source-cache.sh
. "$here/source-cache.sh"

[ $# -eq 0 ] || die "usage: source-busybox.sh"
need_cross_compiler
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
[ -n "$suite" ] || die "/etc/os-release names no release of Debian"
architecture=$(dpkg --print-architecture)
# shellcheck source=workloads/mirrors.sh
. "$here/mirrors.sh"
# shellcheck source=workloads/apt.sh
. "$here/apt.sh"
sources=$cache/source/busybox-$suite
sums=$sources/SHA256SUMS

# Downloads the source package; apt compares it with the signed list.
fetch_source() {
    work=$cache/source/fetch.$$
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    mkdir -p "$work/new"
    open_apt
    (cd "$work/new" && apt-get -qq -c "$apt/apt.conf" --download-only source busybox >"$apt/log" 2>&1) ||
        die "the source of busybox cannot be had: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")$update_note"
    (cd "$work/new" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
    rm -rf "$sources"
    mv "$work/new" "$sources"
    rm -rf "$work"
    trap - EXIT
}

mkdir -p "$cache/source" 2>/dev/null || die "cannot create the cache directory $cache/source (set SIMOS_CACHE)"
{ [ -s "$sums" ] && (cd "$sources" && sha256sum --check --status SHA256SUMS) 2>/dev/null; } || fetch_source

key=$({
    cat "$sums" "$here/source-busybox.sh"
    print_toolchain
    dpkg-query -W -f '${Version}\n' libc6-dev-mipsel-cross 2>/dev/null || true
} | sha256sum | cut -c 1-16)

make_busybox() {
    make -C "$source" -j"${JOBS:-$(nproc)}" ARCH=mips CROSS_COMPILE=$cross KCONFIG_NOTIMESTAMP=1 \
        CC="${cross}gcc -ffile-prefix-map=$source=busybox" "$@"
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
    yes '' | make_busybox oldconfig >>"$log" 2>&1 || failed
    make_busybox busybox >>"$log" 2>&1 || failed
    cp "$source/busybox" "$source/.config" "$log" "$work/result/"
    mv "$work/result/.config" "$work/result/config"
}

make_once busybox "$key" build_busybox
