#!/bin/sh
# Fetches the packages that an image's list names, with all they depend on, into the cache, and prints the path of the
# file that names them: one "SHA256  packages/FILE.deb" line each, relative to the cache, in the order of their names.
#
#     fetch-image.sh [--refresh] NAME
#
# --refresh looks for newer packages although the cache is complete.
#
# The list is images/NAME.list: a package a line; `include NAME`: what another list names too; `size SIZE`: of the image.
# apt chooses what is needed on a machine where nothing is installed, through the private state of apt.sh. Once the
# cache holds what the same list asked for, with checksums that match, no network and no apt is used.
set -eu

# shellcheck source=workloads/apt.sh
. "$(dirname "$0")/apt.sh"
lists=$(dirname "$0")/images

# Prints the packages of the list $1 and of those it includes.
read_list() {
    [ -f "$lists/$1.list" ] || die "there is no list $lists/$1.list"
    while read -r word value; do
        case $word in
        '' | '#'* | size) ;;
        include) read_list "$value" ;;
        *) [ -z "$value" ] && echo "$word" || die "$1.list: '$word $value' is not understood" ;;
        esac
    done <"$lists/$1.list"
}

# Does the manifest belong to this list, and the cache hold what it names?
cache_valid() {
    [ -s "$manifest" ] && [ "$(head -n 1 "$manifest")" = "$wanted" ] &&
        (cd "$cache" && sed 1d "$manifest" | sha256sum --check --status) 2>/dev/null
}

# Prints "NAME=VERSION" of all packages that apt would install for the list.
choose_packages() {
    # shellcheck disable=SC2086 # a list of names
    apt-get -s -c "$apt/apt.conf" -oAPT::Install-Recommends=false install $packages >"$apt/chosen" 2>"$apt/log" ||
        die "the packages of $name.list cannot be had: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")$update_note"
    sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1=\2/p' "$apt/chosen" | LC_ALL=C sort
}

# Prints "SHA256 packages/FILE NAME=VERSION" of the packages whose NAME=VERSION come in, as the signed lists have them.
find_checksums() {
    xargs apt-cache -c "$apt/apt.conf" show | awk '
        $1 == "Package:" { name = $2 }
        $1 == "Version:" { version = file = $2; gsub(/[:~]/, "_", file) }
        $1 == "Architecture:" { file = name "_" file "_" $2 ".deb" }
        $1 == "SHA256:" && !(name in seen) { seen[name]; print $2, "packages/" file, name "=" version }'
}

# Downloads what the cache does not hold yet. A file is known by its checksum, so that nothing else can get in.
download() {
    while read -r sum file package; do
        echo "$sum  $cache/$file" | sha256sum --check --status 2>/dev/null || echo "$package"
    done <"$apt/packages" >"$apt/missing"
    [ -s "$apt/missing" ] || return 0
    echo "fetch-image: $name: downloading $(wc -l <"$apt/missing") packages" >&2
    (cd "$apt/download" && xargs apt-get -qq -c "$apt/apt.conf" download <"$apt/missing" >"$apt/log" 2>&1) ||
        die "downloading failed: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")"
    for file in "$apt"/download/*.deb; do
        sum=$(sha256sum <"$file")
        place=$(awk -v sum="${sum%% *}" '$1 == sum { print $2 }' "$apt/packages")
        [ -n "$place" ] || die "$(basename "$file"): checksum differs from the signed package list"
        mv "$file" "$cache/$place"
    done
}

# Ends here if the cache will do.
use_cache() {
    if [ "$refresh" = no ] && cache_valid; then
        echo "$manifest"
        exit 0
    fi
}

refresh=no
[ "${1-}" != --refresh ] || { refresh=yes && shift; }
[ $# -eq 1 ] || die "usage: fetch-image.sh [--refresh] NAME"
name=$1
packages=$(read_list "$name")
manifest=$cache/images/$name.packages
# shellcheck disable=SC2086,SC2116
wanted="# $(echo $packages)"
use_cache

# One at a time, so that nothing is fetched twice.
mkdir -p "$cache" && exec 9>"$cache/images.lock" && flock 9
use_cache
open_apt
mkdir -p "$cache/packages" "$cache/images" "$apt/download"
choose_packages >"$apt/versions"
find_checksums <"$apt/versions" | LC_ALL=C sort -k 2 >"$apt/packages"
[ "$(wc -l <"$apt/versions")" -eq "$(wc -l <"$apt/packages")" ] || die "not all chosen packages have a checksum"
download
{
    echo "$wanted"
    awk '{ print $1 "  " $2 }' "$apt/packages"
} >"$apt/manifest"
(cd "$cache" && sed 1d "$apt/manifest" | sha256sum --check --status) || die "not all packages have been downloaded"
mv "$apt/manifest" "$manifest"
echo "$manifest"
