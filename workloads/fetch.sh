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
# A file comes from the cache; from the file that SIMOS_BUNDLE names (`make bundle`), if it is set, and from nowhere else
# then; or from a mirror (mirrors.sh): through apt, or where there is none by curl or wget (plain.sh). Whatever it comes
# from, its checksum is the one that the lock has.
#
# Environment: SIMOS_BUNDLE, SIMOS_MIRROR, SIMOS_CACHE, SIMOS_KEYRING (mirrors.sh), SIMOS_APT=no (as if there were no apt).
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

# Takes what is missing from the bundle. Its members are read as bytes, so that no path in it counts, and no more of
# them than the lock says. From its standard input tar takes neither a name for a host (HOST:FILE) nor compressed data.
fetch_from_bundle() {
    [ -f "$SIMOS_BUNDLE" ] || die "SIMOS_BUNDLE: there is no file $SIMOS_BUNDLE"
    while read -r sum size package version file; do
        tar -x -O -f - "packages/$file" <"$SIMOS_BUNDLE" 2>/dev/null | head -c "$((size + 1))" >"$work/file"
        [ -s "$work/file" ] || die "$SIMOS_BUNDLE: has no $package $version"
        keep "$work/file"
    done <"$work/missing"
}

# keep PATH: puts a downloaded file into the cache if it is the one that $sum and $file say.
keep() {
    echo "$sum  $1" | sha256sum --check --status 2>/dev/null || { rm -f "$1" && die "$file: its checksum is not the pinned one"; }
    mv "$1" "$cache/packages/$file"
}

# Downloads what is missing through apt, which checks the signed lists; the checksums are compared once more here.
fetch_by_apt() {
    [ -n "${apt-}" ] || open_apt
    echo "fetch: $set: downloading $(wc -l <"$work/missing") packages" >&2
    while read -r sum size package version file; do
        case $file in *.deb) echo "$package=$version" ;; esac
    done <"$work/missing" >"$apt/wanted"
    (cd "$apt/download" && xargs -r apt-get -qq -c "$apt/apt.conf" download <"$apt/wanted" >"$apt/log" 2>&1) || true
    while read -r sum size package version file; do
        case $file in
        *.deb) path=$apt/download/${package}_$(echo "$version" | sed 's/:/%3a/')_${file##*_} ;;
        *)
            (cd "$apt/download" && apt-get -qq -c "$apt/apt.conf" --download-only source "$package=$version" >"$apt/log" 2>&1) || true
            path=$apt/download/$file
            ;;
        esac
        [ -f "$path" ] || die "$package $version: not to be had from $mirror_uri: $(grep -m1 '^E:' "$apt/log" ||
            echo 'the mirror no longer has this version')$update_note"
        keep "$path"
    done <"$work/missing"
}

# Brings what the rows name into the cache, one process at a time, so that nothing is fetched twice.
fetch_rows() {
    find_missing
    [ -s "$work/missing" ] || return 0
    exec 9>"$cache/packages.lock" && flock 9
    find_missing
    [ -s "$work/missing" ] || return 0
    if [ -n "${SIMOS_BUNDLE-}" ]; then
        fetch_from_bundle
    elif have_apt; then
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
set=$1 work=$cache/fetch.$$
mkdir -p "$cache/packages" "$cache/sets" "$work" 2>/dev/null || die "cannot write to the cache directory $cache (set SIMOS_CACHE)"
trap 'rm -rf "$work"' EXIT
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
