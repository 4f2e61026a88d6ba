#!/bin/sh
# Fetches the original source text of a Debian package into the cache, and prints where it is.
#
#     fetch-source.sh PACKAGE
#
# Through the private state of apt.sh, from the release itself (not its updates): what is compiled in the guest need not be
# the newest. apt compares what it downloads with its signed list. The checksum stays beside the file and is checked at
# every use; while it matches, no network and no apt is used.
set -eu

# shellcheck source=workloads/apt.sh
. "$(dirname "$0")/apt.sh"

[ $# -eq 1 ] || die "usage: fetch-source.sh PACKAGE"
package=$1
sum=$cache/sources/$package.sha256

# Prints the path of the source if it is there, and whole.
find_source() {
    [ -s "$sum" ] && (cd "$cache/sources" && sha256sum --check --status "$sum") 2>/dev/null || return
    echo "$cache/sources/$(sed 's/^[0-9a-f]*  //' "$sum")"
}

find_source && exit
mkdir -p "$cache/sources" && exec 9>"$cache/sources/lock" && flock 9
find_source && exit
sources=yes
open_apt
mkdir "$apt/source"
echo "fetch-source: downloading the source of $package" >&2
(cd "$apt/source" && apt-get -qq -c "$apt/apt.conf" --download-only source "$package" >"$apt/log" 2>&1) ||
    die "the source of $package cannot be had: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")$update_note"
cd "$apt/source"
set -- "$package"_*.orig.tar.*[!c]
[ $# -eq 1 ] && [ -f "$1" ] || die "the source of $package is not one archive"
mv "$1" "$cache/sources/$1"
(cd "$cache/sources" && sha256sum "$1") >"$apt/sum"
mv "$apt/sum" "$sum"
find_source
