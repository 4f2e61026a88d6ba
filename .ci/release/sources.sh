#!/bin/sh
# Puts Debian's source packages of what a release consists of into one file: those of what the program is linked with and of the guest
# where LICENCES (licences.tsv) asks for them, all of what the bundle has.
#
#     .ci/release/sources.sh FILE LICENCES <PARTS
#
# PARTS are lines of parts.sh. The guest and the bundle are of Debian 12, what the program is linked with of this machine's release. Each
# must be there in its very version, signed by Debian; they are kept in the cache (workloads/lock.sh). The same parts give the same bytes.
# SOURCE_DATE_EPOCH is the age of what is in FILE.
set -eu
LC_ALL=C
export LC_ALL
output=$1 licences=$2
workloads=$PWD/workloads
# shellcheck source=workloads/lock.sh
. workloads/lock.sh
# shellcheck source=workloads/mirrors.sh
. workloads/mirrors.sh
# shellcheck source=workloads/apt.sh
. workloads/apt.sh
downloader= old=
store=$cache/sources
mkdir -p "$store"
work=$(mktemp -d "$cache/sources.XXXXXX")
trap '[ -z "$downloader" ] || kill "$downloader" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# files_of SOURCE VERSION: "SHA256  FILE" of all that its description in the cache, SOURCE_VERSION.dsc, lists; fails if that is not there.
files_of() {
    [ -f "$store/$1_${2#*:}.dsc" ] &&
        awk '/^[^ ]/ { checksums = $1 == "Checksums-Sha256:" } checksums && NF == 3 { print $1 "  " $3 }' "$store/$1_${2#*:}.dsc"
}
is_there() {
    files_of "$1" "$2" >"$work/sums" && [ -s "$work/sums" ] && (cd "$store" && sha256sum --check --status "$work/sums")
}

own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# Updates are of the release, too.
source_updates=yes architecture=$(dpkg --print-architecture)
awk -F '\t' -v own="$own" '
    # a licence that does not ask for the sources will do, and so will an exception of the compiler for what it links with
    function asks(licence,    n, i, choices) {
        n = split(licence, choices, / OR /)
        for (i = 1; i <= n; i++) if (choices[i] !~ /GPL/ || choices[i] ~ /WITH GCC-exception/) return 0
        return 1
    }
    NR == FNR { if ($0 !~ /^#/) licence[$1] = $2; next }
    $1 == "bundle" || $1 == "guest" && asks(licence[$4]) { print "bookworm", $4, $5 }
    $1 ~ /^(shared|static)$/ && asks(licence[$4]) { print own, $4, $5 }' "$licences" - | sort -u >"$work/wanted"
for suite in $(cut -d ' ' -f 1 "$work/wanted" | sort -u); do
    grep "^$suite " "$work/wanted" | while read -r _ source version; do
        is_there "$source" "$version" || echo "$source=$version"
    done >"$work/missing"
    [ -s "$work/missing" ] || continue
    open_apt
    # Of what is installed here the archive may have a later version alone.
    [ "$suite" != "$own" ] || old=" (where it is a library of this machine, upgrade it)"
    echo "sources: downloading $(wc -l <"$work/missing") source packages of $suite" >&2
    while read -r wanted; do
        rm -rf "$work/new"
        mkdir "$work/new"
        # shellcheck disable=SC2016 # for that shell
        run_apt "$work/new" sh -c 'cd "$1" && exec apt-get -qq -c "$2" --download-only source "$3"' download "$work/new" "$apt/apt.conf" "$wanted"
        find "$work/new" -type f -exec mv {} "$store" ';'
        is_there "${wanted%%=*}" "${wanted#*=}" 2>/dev/null || cannot_be_had "$wanted: not all of it is at $mirror_uri: $(apt_reason "apt ended early")$old"
    done <"$work/missing"
done

mkdir "$work/packages"
while read -r _ source version; do
    { files_of "$source" "$version" && echo "- ${source}_${version#*:}.dsc"; } | while read -r _ file; do
        ln -sf "$store/$file" "$work/packages"
    done
done <"$work/wanted"
tar -c -h -f "$output" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" --format=ustar \
    -C "$work" --transform 's/^packages/debian-sources/' packages
echo "$output: $(wc -l <"$work/wanted") source packages, $(($(stat -c %s "$output") / 1000000)) MB"
