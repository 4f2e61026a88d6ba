# shellcheck shell=sh
# The source package of the host's own Debian release, in the cache: sourced behind source-cache.sh.
#
# find_source PACKAGE [upstream] sets $sources, the folder with its files, and $sums, the list of their checksums. The
# files come through a private apt state, as the stock guest's packages do (apt.sh). While the checksums match, no network
# is used. With "upstream" it is the author's archive alone, without what Debian adds to it, its patches among it.

# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
[ -n "$suite" ] || die "/etc/os-release names no release of Debian"
architecture=$(dpkg --print-architecture)
# shellcheck source=workloads/mirrors.sh
. "$(dirname "$0")/mirrors.sh"
# shellcheck source=workloads/apt.sh
. "$(dirname "$0")/apt.sh"

# Downloads the source package; apt compares it with the signed list.
fetch_source() {
    work=$cache/source/fetch.$$
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    mkdir -p "$work/new"
    open_apt
    (cd "$work/new" && apt-get -qq -c "$apt/apt.conf" --download-only ${2:+--tar-only} source "$1" >"$apt/log" 2>&1) ||
        die "the source of $1 cannot be had: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")$update_note"
    (cd "$work/new" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
    rm -rf "$sources"
    mv "$work/new" "$sources"
    rm -rf "$work"
    trap - EXIT
}

find_source() {
    sources=$cache/source/$1-$suite
    sums=$sources/SHA256SUMS
    mkdir -p "$cache/source" 2>/dev/null || die "cannot create the cache directory $cache/source (set SIMOS_CACHE)"
    { [ -s "$sums" ] && (cd "$sources" && sha256sum --check --status SHA256SUMS) 2>/dev/null; } || fetch_source "$@"
}

# unpack_source PACKAGE: its author's archive, in a folder of its name in $work, which becomes the current one. What an
# interrupted build left there is gone.
unpack_source() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    tar -x -f "$(echo "$cache/source/$1-$suite/$1"_*.orig.tar.*[!c])" -C "$work/$1" --strip-components 1
    cd "$work/$1"
}
