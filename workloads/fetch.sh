#!/bin/sh
# Brings a set of the guest's packages into the cache and prints what it consists of: "SHA256  PATH" a line, in the order
# of the packages' names.
#
#     fetch.sh [--refresh] SET      the files of the set
#     fetch.sh --update             writes guest.lock anew, from what the archive has now (`make guest-update`)
#
# Sets are those of guest.lock (lock.sh), whose versions and checksums count. The set of an image that guest.lock does not
# have, one of your own, is what apt chooses the first time; --refresh chooses anew.
#
# A file comes from the cache; from the file that SIMOS_BUNDLE names (`make bundle`), if it is set; or from the first of the
# mirrors that has it (mirrors.sh): through apt, or where there is none by curl or wget (plain.sh). Whatever it comes from,
# its checksum is the one that the lock has.
#
# Exit status 3: what the set consists of cannot be had from any of them. 1: all other failures.
#
# Environment: SIMOS_BUNDLE, SIMOS_MIRROR, SIMOS_CACHE, SIMOS_KEYRING (mirrors.sh), SIMOS_APT=no (as if there were no apt),
# SIMOS_TIMEOUT, the number of seconds (30) without a byte after which a mirror is given up.
set -eu

# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
# shellcheck source=workloads/mirrors.sh
. "$workloads/mirrors.sh"
# shellcheck source=workloads/apt.sh
. "$workloads/apt.sh"
# shellcheck source=workloads/plain.sh
. "$workloads/plain.sh"

have_apt() {
    [ "${SIMOS_APT-}" != no ] && command -v apt-get >/dev/null && command -v apt-cache >/dev/null
}

# is_cached SHA256 FILE
is_cached() {
    echo "$1  $cache/packages/$2" | sha256sum --check --status 2>/dev/null
}

# Chooses the packages of the set $1 that asks for $2, as apt would install them on a machine where nothing is, and prints
# "SHA256 SIZE PACKAGE VERSION FILE" of each.
choose() {
    case $1 in
    source-*)
        apt-cache -c "$apt/apt.conf" showsrc --only-source "$2" 2>/dev/null | awk -v package="$2" '
            $1 == "Version:" { version = $2 }
            /^[^ ]/ { checksums = $1 == "Checksums-Sha256:" }
            checksums && $3 ~ /\.orig\.tar\.[a-z0-9]+$/ { print $1, $2, package, version, $3; exit }' >"$apt/rows"
        ;;
    image-*)
        # shellcheck disable=SC2086 # a list of names
        apt-get -s -c "$apt/apt.conf" install $2 >"$apt/chosen" 2>"$apt/log" ||
            die "the packages of ${1#image-}.list cannot be had: $(grep -m1 '^E:' "$apt/log" || tail -n1 "$apt/log")$update_note"
        sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1=\2/p' "$apt/chosen" | describe_packages
        ;;
    kernel* | headers)
        # The metapackage linux-image-FLAVOUR depends on the current kernel, whose name carries its version; so with headers.
        kind=${2%%-mips*} && kind=${kind%%-4kc*}
        name=$(apt-cache -c "$apt/apt.conf" depends --important "$2" | sed -n "s/^  Depends: \($kind-[0-9].*\)$/\1/p" | head -n1)
        [ "$1" != headers ] || name="$name $(echo "$name" | sed 's/-[a-z0-9]*$/-common/')"
        for name in $name; do
            echo "$name=$(candidate "$name")"
        done | describe_packages
        ;;
    *) echo "$2=$(candidate "$2")" | describe_packages ;;
    esac
    [ -s "$apt/rows" ] || die "$2: in none of the sources of Debian $suite$update_note"
    LC_ALL=C sort -k 3 "$apt/rows"
}

# Writes $apt/rows, of the packages whose NAME=VERSION come in, as the signed lists have them.
describe_packages() {
    cat >"$apt/versions"
    xargs apt-cache -c "$apt/apt.conf" show <"$apt/versions" | awk '
        $1 == "Package:" { name = $2 }
        $1 == "Version:" { version = $2 }
        $1 == "Architecture:" { file = name "_" version "_" $2 ".deb"; gsub(/[:~]/, "_", file) }
        $1 == "Size:" { size = $2 }
        $1 == "SHA256:" { sum = $2 }
        /^$/ && sum != "" && !(name in seen) { seen[name]; print sum, size, name, version, file; sum = "" }' >"$apt/rows"
    [ "$(wc -l <"$apt/versions")" -eq "$(wc -l <"$apt/rows")" ] || die "not all chosen packages have a checksum"
}

# Writes $work/rows, the rows of the set $1.
find_rows() {
    wants=$(set_wants "$1")
    chosen=$cache/sets/$1.lock
    if locked=$(lock_wants "$lock" "$1"); then
        [ "$wants" = "$locked" ] || die "$1: asks for other packages than guest.lock has for it: type \`make guest-update'"
        chosen=$lock
    elif [ "$refresh" = yes ] || [ "$(lock_wants "$chosen" "$1")" != "$wants" ]; then
        [ -z "${SIMOS_BUNDLE-}" ] || die "$1 is not in guest.lock, so it is in no bundle"
        have_apt || die "$1 is not in guest.lock, and apt-get, which would choose its packages, is not here"
        open_apt
        choose "$1" "$wants" >"$work/set"
        { echo "set $1 $wants" && sed "s/.*/file & $1/" "$work/set"; } >"$work/lock"
        mv "$work/lock" "$chosen"
    fi
    lock_rows "$chosen" "$1" >"$work/rows"
}

# Takes what is missing from the bundle, as far as it has it. Its members are read as bytes, so that no path in it counts,
# and no more of them than the lock says. From its standard input tar takes neither a name for a host (HOST:FILE) nor
# compressed data.
fetch_from_bundle() {
    [ -f "$SIMOS_BUNDLE" ] || die "SIMOS_BUNDLE: there is no file $SIMOS_BUNDLE"
    lacks=
    while read -r sum size package version file; do
        tar -x -O -f - "packages/$file" <"$SIMOS_BUNDLE" 2>/dev/null | head -c "$((size + 1))" >"$work/file"
        if [ ! -s "$work/file" ]; then
            lacks=${lacks:-$package $version}
        else
            keep "$work/file" || die "$file: $wrong_checksum"
        fi
    done <"$work/missing"
    [ -z "$lacks" ] || echo "fetch: $SIMOS_BUNDLE: has no $lacks" >&2
}

# keep PATH: puts a downloaded file into the cache if it is the one that $sum and $file say, and removes it otherwise.
wrong_checksum="its checksum is not the pinned one"
keep() {
    echo "$sum  $1" | sha256sum --check --status 2>/dev/null || { rm -f "$1" && return 1; }
    mv "$1" "$cache/packages/$file"
}

# Downloads what is missing through apt, which checks the signed lists; the checksums are compared once more here.
fetch_by_apt() {
    [ -n "${apt-}" ] || start_apt
    while [ -n "${mirror_uri-}" ] || next_mirror; do
        echo "fetch: $set: downloading $(wc -l <"$work/missing") packages" >&2
        download_by_apt
        find_missing
        [ -s "$work/missing" ] || return 0
        mirror_uri=
    done
    give_up "$apt"
}

# The same from the mirror whose lists have been read, as far as it has them.
download_by_apt() {
    while read -r sum size package version file; do
        case $file in *.deb) echo "$package=$version" ;; esac
    done <"$work/missing" >"$apt/wanted"
    # One version that the mirror lacks would keep apt from downloading all the others.
    xargs -r apt-cache -c "$apt/apt.conf" show <"$apt/wanted" 2>/dev/null |
        awk '$1 == "Package:" { name = $2 } $1 == "Version:" { print name "=" $2 }' | sort -u >"$apt/there"
    stalled=
    progress begin "downloading $set" "bytes:$(awk '{ sum += $2 } END { print sum }' "$work/missing")" "$apt/download"
    : >"$apt/log"
    # shellcheck disable=SC2046 # words
    [ ! -s "$apt/there" ] || run_apt_download download $(cat "$apt/there")
    while read -r sum size package version file; do
        case $file in
        *.deb) path=$apt/download/${package}_$(echo "$version" | sed 's/:/%3a/')_${file##*_} ;;
        *)
            path=$apt/download/$file
            [ -n "$stalled" ] || run_apt_download --download-only source "$package=$version"
            ;;
        esac
        if [ ! -f "$path" ]; then
            blame_mirror "$apt" "$package $version: $(apt_reason 'it no longer has this version')$update_note"
        elif ! keep "$path"; then
            # Of a download that stalled a part may be there.
            [ -n "$stalled" ] || : >"$apt/log"
            blame_mirror "$apt" "$file: $(apt_reason "$wrong_checksum")"
        fi
    done <"$work/missing"
    progress end "downloading $set"
}

# run_apt_download WORD...: apt-get with these words, in the folder of downloads.
run_apt_download() {
    # shellcheck disable=SC2016 # for that shell
    run_apt "$apt/download" sh -c 'cd "$1" && shift && exec apt-get -qq "$@"' download "$apt/download" -c "$apt/apt.conf" "$@"
}

# give_up FOLDER: ends, with what is missing, and why none of the mirrors in FOLDER did.
give_up() {
    while read -r sum size package version file; do
        count=$(wc -l <"$work/missing")
        [ "$count" -eq 1 ] || version="$version and $((count - 1)) more"
        cannot_be_had "$package $version: not to be had from $(all_reasons "$1"): set SIMOS_MIRROR to the URL of a mirror that has it"
    done <"$work/missing"
}

# Brings what the rows name into the cache, one process at a time, so that nothing is fetched twice.
fetch_rows() {
    find_missing
    [ -s "$work/missing" ] || return 0
    exec 9>"$cache/packages.lock" && flock 9
    find_missing
    if [ -s "$work/missing" ] && [ -n "${SIMOS_BUNDLE-}" ]; then
        fetch_from_bundle
        find_missing
    fi
    [ -s "$work/missing" ] || return 0
    if have_apt; then
        fetch_by_apt
    else
        fetch_plainly
    fi
}

# Writes $work/missing, the rows of what the cache does not hold.
find_missing() {
    while read -r sum size package version file; do
        is_cached "$sum" "$file" || echo "$sum $size $package $version $file"
    done <"$work/rows" >"$work/missing"
}

# Writes guest.lock anew and says what has changed.
update_lock() {
    have_apt || die "apt-get is not here: guest.lock is written on Debian"
    open_apt
    for set in $(all_sets); do
        wants=$(set_wants "$set")
        echo "set $set $wants" >>"$apt/sets"
        choose "$set" "$wants" >"$apt/set"
        sed "s/$/ $set/" "$apt/set" >>"$apt/files"
    done
    {
        sed -n '/^#/p' "$lock" 2>/dev/null
        cat "$apt/sets"
        LC_ALL=C sort -k 3,5 -s "$apt/files" | awk '
            $5 == last { sets = sets "," $6; next }
            last { print row, sets }
            { row = "file " $1 " " $2 " " $3 " " $4 " " $5; sets = $6; last = $5 }
            END { print row, sets }'
    } >"$apt/guest.lock"
    for file in "$lock" "$apt/guest.lock"; do
        sed -n 's/^file [^ ]* [^ ]* \([^ ]*\) \([^ ]*\) .*/\1 \2/p' "$file" 2>/dev/null
    done | sort | uniq -u >&2
    mv "$apt/guest.lock" "$lock"
    echo "$lock: $(grep -c '^file ' "$lock") files. If the kernel is another one, make annotations/linux/layout.txt anew" \
        "(struct-layouts.sh), and the figures of the tests (make golden)." >&2
}

refresh=no update=no
case ${1-} in
--update) update=yes ;;
--refresh) refresh=yes && shift ;;
esac
[ $# -eq 1 ] || die "usage: fetch.sh [--refresh] SET | --update"
set=$1 work=$cache/fetch.$$ downloader=
mkdir -p "$cache/packages" "$cache/sets" "$work" 2>/dev/null || die "cannot write to the cache directory $cache (set SIMOS_CACHE)"
trap '[ -z "$downloader" ] || kill "$downloader" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM PIPE
if [ $update = yes ]; then
    update_lock
else
    find_rows "$set"
    fetch_rows
    while read -r sum size package version file; do
        echo "$sum  $cache/packages/$file"
    done <"$work/rows"
fi
