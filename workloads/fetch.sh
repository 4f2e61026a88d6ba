#!/bin/sh
# Fetches the guest's packages (stock Debian 12 mipsel kernel and static busybox) into a cache and prints their paths,
# one "KEY PATH" line each: "kernel PATH" and "busybox PATH"; with a KEY, the one path alone.
#
#     fetch.sh [--refresh] [kernel|busybox]
#
# --refresh looks for newer packages although the cache is complete.
#
# Packages come through the private apt state of apt.sh. Once the cache holds packages whose checksums match, no network
# and no apt is used.
#
# Environment: SIMOS_CACHE (default ${XDG_CACHE_HOME:-~/.cache}/simos), SIMOS_KERNEL_FLAVOUR (default mips32r2el).
set -eu

flavour=${SIMOS_KERNEL_FLAVOUR:-mips32r2el}
# shellcheck source=workloads/apt.sh
. "$(dirname "$0")/apt.sh"
manifest=$cache/guest-$flavour.sha256
index=$cache/guest-$flavour.index

# The index names the packages; the manifest holds the checksums that the signed package lists gave for them.
cache_valid() {
    [ -s "$manifest" ] && [ -s "$index" ] && (cd "$cache" && sha256sum --check --status "$manifest") 2>/dev/null
}

print_index() {
    while read -r key file; do
        case $wanted in
        '') echo "$key $cache/$file" ;;
        "$key") echo "$cache/$file" ;;
        esac
    done <"$index"
}

# Prints "VERSION SHA256" of the package version that apt would install; nothing if there is none.
candidate() {
    version=$(apt-cache -c "$apt/apt.conf" policy "$1" | sed -n 's/^  Candidate: //p')
    case $version in '' | '(none)') return 0 ;; esac
    apt-cache -c "$apt/apt.conf" show "$1=$version" 2>/dev/null |
        awk -v version="$version" '/^SHA256:/ { print version, $2; exit }'
}

# fetch_package KEY NAME: downloads a package, checks it, and adds it to the new index and manifest.
fetch_package() {
    found=$(candidate "$2")
    [ -n "$found" ] || die "package $2 (mipsel) is in none of this machine's Debian sources$update_note"
    version=${found% *}
    file=$2_$(echo "$version" | tr ':~' '__').deb
    if ! echo "${found#* }  $cache/$file" | sha256sum --check --status 2>/dev/null; then
        echo "fetch: downloading $2 $version" >&2
        rm -rf "$apt/download"
        mkdir "$apt/download"
        (cd "$apt/download" && apt-get -qq -c "$apt/apt.conf" download "$2=$version" >"$apt/log" 2>&1) ||
            die "downloading $2 $version failed: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")"
        mv "$apt"/download/*.deb "$cache/$file"
        echo "${found#* }  $cache/$file" | sha256sum --check --status 2>/dev/null ||
            die "$cache/$file: checksum differs from the signed package list"
    fi
    echo "${found#* }  $file" >>"$apt/manifest"
    echo "$1 $file" >>"$apt/index"
}

refresh=no wanted=
for argument in "$@"; do
    case $argument in
    --refresh) refresh=yes ;;
    kernel | busybox) wanted=$argument ;;
    *) die "unknown argument '$argument' (known: --refresh, kernel, busybox)" ;;
    esac
done

if [ "$refresh" = no ] && cache_valid; then
    print_index
    exit 0
fi

open_apt

# The metapackage linux-image-FLAVOUR depends on the current kernel, whose name carries its version.
kernel=$(apt-cache -c "$apt/apt.conf" depends --important "linux-image-$flavour" 2>/dev/null |
    sed -n 's/^  Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n1)
[ -n "$kernel" ] || die "no kernel of flavour $flavour in this machine's Debian sources$update_note"

fetch_package kernel "$kernel"
fetch_package busybox busybox-static
mv "$apt/index" "$index"
mv "$apt/manifest" "$manifest"
print_index
