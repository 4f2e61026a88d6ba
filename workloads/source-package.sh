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

# Downloads the source package, from the first of the mirrors that has it; apt compares it with the signed list.
fetch_source() {
    work=$cache/source/fetch.$$ downloader=
    trap '[ -z "$downloader" ] || kill "$downloader" 2>/dev/null; rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    mkdir -p "$work/new"
    start_apt
    while next_mirror; do
        # shellcheck disable=SC2016 # for that shell
        run_apt "$work/new" sh -c 'cd "$1" && shift && exec apt-get -qq "$@"' source "$work/new" -c "$apt/apt.conf" \
            --download-only ${2:+--tar-only} source "$1"
        [ -z "$stalled" ] && ! grep -q '^E: ' "$apt/log" && break
        blame_mirror "$apt" "$(apt_reason '')"
        rm -rf "$work/new"
        mkdir "$work/new"
    done
    [ -n "$(ls "$work/new")" ] ||
        cannot_be_had "the source of $1: not to be had from $(all_reasons "$apt"): set SIMOS_MIRROR to the URL of a mirror that has it"
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
