# shellcheck shell=sh
# Packages without apt, for distributions that have none: sourced by fetch.sh behind lock.sh and mirrors.sh.
#
# The signature of each suite's release file is checked by gpgv, the release file has the checksum of the package list,
# and the package list has to name the very file that the lock names.

# download URL FILE
download() {
    if command -v curl >/dev/null; then
        curl -fsSL --retry 3 -o "$2" "$1" 2>"$plain/log"
    else
        wget -q -t 3 -O "$2" "$1" 2>"$plain/log"
    fi
}

# read_list URI SUITE: adds "FILE-NAME SHA256 URL" of all packages and source archives that a suite has to $plain/pool;
# fails if the suite cannot be read or is not signed by Debian.
read_list() {
    release=$plain/$2.release
    download "$1/dists/$2/InRelease" "$release.signed" || return 1
    gpgv -q --keyring "$keyring" --output "$release" "$release.signed" 2>"$plain/log" ||
        die "$1/dists/$2/InRelease: has no valid signature of Debian's ($(tail -n 1 "$plain/log"))"
    for list in main/binary-mipsel/Packages.xz main/source/Sources.xz; do
        sum=$(awk -v list="$list" '/^[^ ]/ { sums = $1 == "SHA256:" } sums && $3 == list { print $1 }' "$release")
        [ -n "$sum" ] || return 1
        download "$1/dists/$2/$list" "$plain/list.xz" || return 1
        echo "$sum  $plain/list.xz" | sha256sum --check --status ||
            die "$1/dists/$2/$list: its checksum is not the one in the signed release file"
        xz -dc "$plain/list.xz" | awk -v uri="$1" '
            /^[^ ]/ { checksums = $1 == "Checksums-Sha256:" }
            $1 == "Directory:" { folder = $2 }
            $1 == "Filename:" { path = $2; name = path; sub(/.*\//, "", name) }
            $1 == "SHA256:" { print name, $2, uri "/" path }
            checksums && NF == 3 { sums[$3] = $1 }
            /^$/ { for (name in sums) print name, sums[name], uri "/" folder "/" name; delete sums }
            END { for (name in sums) print name, sums[name], uri "/" folder "/" name }' >>"$plain/pool"
    done
}

fetch_plainly() {
    for tool in gpgv xz; do
        command -v $tool >/dev/null || die "$tool not found: Debian's package lists cannot be checked without it"
    done
    command -v curl >/dev/null || command -v wget >/dev/null || die "there is no apt-get, no curl and no wget"
    plain=$work/plain
    mkdir "$plain"
    choose_keyring "$plain"
    need_mirrors "$plain"
    echo "fetch: reading Debian's mipsel package lists" >&2
    : >"$plain/pool"
    while read -r mirror; do
        for source in $mirror; do
            read_list "${source%=*}" "${source##*=}" || true
        done
        [ ! -s "$plain/pool" ] || break
    done <"$plain/mirrors"
    [ -s "$plain/pool" ] || die "no Debian $suite (component main, mipsel) at $(sed 's/=.*//' "$plain/mirrors" | tr '\n' ' '): set SIMOS_MIRROR"
    echo "fetch: $set: downloading $(wc -l <"$work/missing") packages" >&2
    while read -r sum size package version file; do
        url=$(awk -v sum="$sum" '$2 == sum { print $3; exit }' "$plain/pool")
        [ -n "$url" ] || die "$package $version: the mirror no longer has this version"
        download "$url" "$plain/file" || die "$url: cannot be downloaded ($(tail -n 1 "$plain/log"))"
        keep "$plain/file"
    done <"$work/missing"
}
