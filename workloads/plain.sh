# shellcheck shell=sh
# Packages without apt, for distributions that have none: sourced by fetch.sh behind lock.sh and mirrors.sh.
#
# The signature of each suite's release file is checked by gpgv, the release file has the checksum of the package list,
# and the package list has to name the very file that the lock names.

# download URL FILE
download() {
    mkdir -p "$plain/part"
    rm -f "$plain/part/file"
    if command -v curl >/dev/null; then
        until_stall "$plain/part" curl -fsSL --retry 1 -o "$plain/part/file" "$1" 2>"$plain/log" || return 1
    else
        until_stall "$plain/part" wget -q -t 2 -O "$plain/part/file" "$1" 2>"$plain/log" || return 1
    fi
    mv "$plain/part/file" "$2"
}

# plain_reason DEFAULT: prints why the last download failed.
plain_reason() {
    if [ -n "$stalled" ]; then
        echo "nothing has come for $limit s"
    else
        { grep . "$plain/log" || echo "$1"; } | tail -n 1 | cut -c 1-160
    fi
}

# read_list URI SUITE: adds "FILE-NAME SHA256 URL" of all packages and source archives that a suite has to $plain/pool;
# fails, and sets $reason, if the suite cannot be read or is not signed by Debian.
read_list() {
    release=$plain/$2.release
    download "$1/dists/$2/InRelease" "$release.signed" || { reason=$(plain_reason "no $2/InRelease") && return 1; }
    if ! gpgv -q --keyring "$keyring" --output "$release" "$release.signed" 2>"$plain/log"; then
        reason="$2/InRelease has no valid signature of Debian's: $(tail -n 1 "$plain/log")" && return 1
    fi
    for list in main/binary-mipsel/Packages.xz main/source/Sources.xz; do
        sum=$(awk -v list="$list" '/^[^ ]/ { sums = $1 == "SHA256:" } sums && $3 == list { print $1 }' "$release")
        [ -n "$sum" ] || { reason="$2 has no $list" && return 1; }
        download "$1/dists/$2/$list" "$plain/list.xz" || { reason=$(plain_reason "no $list") && return 1; }
        if ! echo "$sum  $plain/list.xz" | sha256sum --check --status; then
            reason="the checksum of $2/$list is not the one in the signed release file" && return 1
        fi
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
    while take_mirror "$plain"; do
        read_mirror || continue
        echo "fetch: $set: downloading $(wc -l <"$work/missing") packages" >&2
        while read -r sum size package version file; do
            url=$(awk -v sum="$sum" '$2 == sum { print $3; exit }' "$plain/pool")
            progress begin "downloading $package" "bytes:$size" "$plain/part"
            if [ -z "$url" ]; then
                blame_mirror "$plain" "$package $version: it no longer has this version"
            elif ! download "$url" "$plain/file"; then
                blame_mirror "$plain" "$package: $(plain_reason "cannot be downloaded")"
                [ -z "$stalled" ] || break
            else
                keep "$plain/file" || blame_mirror "$plain" "$file: $wrong_checksum"
            fi
            progress end "downloading $package"
        done <"$work/missing"
        find_missing
        [ -s "$work/missing" ] || return 0
    done
    give_up "$plain"
}

# Writes the files of the mirror that was taken to $plain/pool; fails, with the reason noted, if it does not have the release.
read_mirror() {
    : >"$plain/pool"
    for source in $mirror; do
        read_list "${source%=*}" "${source##*=}" && continue
        # Its updates alone are no archive.
        case $source in *="$suite") blame_mirror "$plain" "$reason" && return 1 ;; esac
    done
    [ -s "$plain/pool" ] || { blame_mirror "$plain" "its lists are empty" && return 1; }
}
