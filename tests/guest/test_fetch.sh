#!/bin/sh
# Where the guest's packages come from (docs/reference/guest.md): a mirror made here, signed by a key made here, and no network. What
# is not the very file that guest.lock names is refused, wherever it comes from.
. "$(dirname "$0")/harness.sh"

# shellcheck source=tests/guest/mirror.sh
. "$root/tests/guest/mirror.sh"

# The lock: each set that the tree uses, asked for as it was, each file once.
(cd "$root/workloads" && sh -c '. ./lock.sh; for set in $(all_sets); do [ "$(lock_wants "$lock" "$set")" = "$(set_wants "$set")" ] ||
    echo "$set"; [ -n "$(lock_rows "$lock" "$set")" ] || echo "$set: no files"; done' ./test) >"$work/differ"
check_equal "guest.lock has every set, as the lists ask for it" "" "$(cat "$work/differ")"
check_equal "guest.lock has each file once" "" "$(awk '$1 == "file" { print $6 }' "$lock" | sort | uniq -d)"
check_equal "guest.lock: checksum, size, package, version, file, sets" "" \
    "$(grep -vE '^(#.*|set [a-z0-9.-]+( [a-z0-9.+-]+)+|file [0-9a-f]{64} [0-9]+ [^ ]+ [^ ]+ [A-Za-z0-9._+-]+ [a-z0-9.,-]+)$' "$lock")"

mirror=$work/mirror/debian

# fetch_busybox [NAME=VALUE...]: into an empty cache, from the mirror.
fetch_busybox()
{
    rm -rf "$work/cache"
    env SIMOS_CACHE="$work/cache" SIMOS_MIRROR="file://$mirror" SIMOS_KEYRING="$work/mirror.gpg" "$@" \
        "$fetch" busybox >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

for apt in yes no; do
    way="apt: $apt:"
    make_mirror "$mirror" "$version"
    fetch_busybox SIMOS_APT=$apt
    check_equal "$way a file that the lock names" "0 $sum" "$status $(sha256sum <"$work/cache/packages/$name" | cut -c -64)"
    check_equal "$way its checksum and path" "$sum  $work/cache/packages/$name" "$(cat "$work/out")"
    fetch_busybox SIMOS_APT=$apt SIMOS_KEYRING="$work/other.gpg"
    check_equal "$way a mirror signed by another key is refused" "3 none" "$status $(ls "$work/cache/packages" | grep . || echo none)"
    for file in Packages Packages.xz; do
        echo more >>"$mirror/dists/bookworm/main/binary-mipsel/$file"
    done
    fetch_busybox SIMOS_APT=$apt
    check_equal "$way a package list that is not the signed one is refused" "3 none" "$status $(ls "$work/cache/packages" | grep . || echo none)"
    make_mirror "$mirror" "$version"
    printf x >>"$mirror/pool/$name"
    fetch_busybox SIMOS_APT=$apt
    check_equal "$way a package that is not the pinned one is refused" "3 none" "$status $(ls "$work/cache/packages" | grep . || echo none)"
    check_match "$way ... by name" "busybox-static" "$work/err"
    cp "$busybox" "$mirror/pool/"
done
sum=$(echo "$sum" | tr 0-9 1-90) make_mirror "$mirror" 2:1.0
for apt in yes no; do
    fetch_busybox SIMOS_APT=$apt
    check_equal "apt: $apt: a mirror that has moved on" 3 "$status"
    check_match "apt: $apt: ... is said to no longer have the version" "busybox-static .*: .*(no longer has this version|not to be had|was not found)" "$work/err"
done
fetch_busybox SIMOS_MIRROR="file://$work/nowhere"
check_equal "no mirror" 3 "$status"
check_match "... is one line that says what to set" "^fetch: busybox-static .*: not to be had from file://.*/nowhere .*: set SIMOS_MIRROR" "$work/err"

# Which mirrors are tried, from what apt of a machine says of its own sources.
mirrors_of()
{
    printf '#!/bin/sh\ncat <<END\n%s\nEND\n' "$1" >"$work/bin/apt-get"
    chmod +x "$work/bin/apt-get"
    (cd "$root/workloads" && PATH=$work/bin:$PATH sh -c '. ./lock.sh; . ./mirrors.sh; list_mirrors "$1"' ./test "$work")
}
mkdir "$work/bin"
check_equal "Debian 12: its own mirrors, then their archive" \
    "http://m/debian=bookworm http://m/debian=bookworm-updates http://s/debian-security=bookworm-security
http://m/debian-archive/debian=bookworm http://m/debian-archive/debian=bookworm-updates http://m/debian-archive/debian-security=bookworm-security" \
    "$(mirrors_of 'http://s/debian-security/ bookworm-security main
http://m/debian/ bookworm main
http://m/debian/ bookworm contrib
http://m/debian/ bookworm-updates main
http://other/ nodistro main')"
check_equal "another release: the same mirror" "http://m/debian=bookworm" \
    "$(mirrors_of 'http://m/debian/ stable main' | sed -n '1s/ .*//p')"
check_equal "Debian 12 before another release" "http://twelve/debian=bookworm" \
    "$(mirrors_of 'http://m/debian/ stable main
http://twelve/debian/ bookworm main' | sed -n '1s/ .*//p')"
check_equal "SIMOS_MIRROR and the archive beside it, before all others" \
    "http://mine/debian=bookworm http://mine/debian=bookworm-updates http://mine/debian-security=bookworm-security
http://mine/debian-archive/debian=bookworm http://mine/debian-archive/debian=bookworm-updates http://mine/debian-archive/debian-security=bookworm-security" \
    "$(SIMOS_MIRROR=http://mine/debian/ mirrors_of 'http://m/debian/ bookworm main')"

check_equal "a machine that has no sources of Debian" "" "$(mirrors_of 'http://m/other noble main')"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/apt-get"
PATH=$work/bin:$PATH SIMOS_CACHE=$work/cache "$fetch" kernel >"$work/out" 2>"$work/err"
check_match "... is told what to set" "^fetch: this machine has no sources of Debian packages: set SIMOS_MIRROR" "$work/err"

# A bundle, of which nothing but bytes counts.
"$root/workloads/bundle.sh" "$work/bundle.tar" busybox >"$work/out" 2>"$work/err"
check_equal "a bundle of one set" "0 guest.lock packages/$name" "$? $(tar -t -f "$work/bundle.tar" | grep -v '/$' | tr '\n' ' ' | sed 's/ $//')"
fetch_busybox SIMOS_BUNDLE="$work/bundle.tar" SIMOS_MIRROR=http://127.0.0.1:1/
check_equal "a bundle needs no mirror" "0 $sum" "$status $(sha256sum <"$work/cache/packages/$name" | cut -c -64)"
SIMOS_CACHE=$work/cache SIMOS_BUNDLE=$work/bundle.tar SIMOS_MIRROR=file://$work/nowhere "$fetch" kernel >"$work/out" 2>"$work/err"
check_equal "what a bundle does not have, and no mirror" 3 "$?"
check_match "... is said by name" "bundle.tar: has no linux-image-.*-mips32r2el 6\." "$work/err"
mkdir -p "$work/false/packages"
echo false >"$work/false/packages/$name"
tar -c -f "$work/bundle.tar" -C "$work/false" packages
fetch_busybox SIMOS_BUNDLE="$work/bundle.tar"
check_equal "a bundle with another file of that name is refused" "1 none" "$status $(ls "$work/cache/packages" | grep . || echo none)"
check_match "... by name" "busybox-static.*: its checksum is not the pinned one" "$work/err"

# A bundle of 10 kB that claims 3 GB: no more than the lock says is written. (The limit is 8 MB: with more, tar would be
# ended by a signal, and the message another one.)
"$root/workloads/bundle.sh" "$work/true.tar" busybox >"$work/out" 2>"$work/err"
truncate -s 3G "$work/false/packages/$name"
tar -c -S -f "$work/bundle.tar" -C "$work/false" packages
(ulimit -f 16384 && fetch_busybox SIMOS_BUNDLE="$work/bundle.tar" && exit "$status")
check_equal "a bundle of $(wc -c <"$work/bundle.tar") bytes that unpacks to 3 GB: none of it kept" "1 none" \
    "$? $(ls "$work/cache/packages" | grep . || echo none)"
check_match "... as it is not the pinned file" "^fetch: busybox-static.*: its checksum is not the pinned one" "$work/err"
gzip -c "$work/true.tar" >"$work/bundle.tar.gz"
fetch_busybox SIMOS_BUNDLE="$work/bundle.tar.gz" SIMOS_MIRROR="file://$work/nowhere"
check_match "a bundle that is compressed is not unpacked" "has no busybox-static" "$work/err"

# Names that are no options, and no hosts of tar's.
(
    cd "$work" || exit 1
    "$root/workloads/bundle.sh" host:b.tar busybox && "$root/workloads/bundle.sh" -b.tar busybox
) >"$work/out" 2>"$work/err"
check_equal "bundles called host:b.tar and -b.tar" "0 2" "$? $(ls "$work/host:b.tar" "$work/-b.tar" | wc -l)"
for bundle in host:b.tar -b.tar; do
    rm -f "$work/cache/packages/"*
    (cd "$work" && SIMOS_CACHE=$work/cache SIMOS_BUNDLE=$bundle "$fetch" busybox) >"$work/out" 2>"$work/err"
    check_equal "... are read: $bundle" "0 $sum" "$? $(sha256sum <"$work/cache/packages/$name" | cut -c -64)"
done

# A lock that another list was made for.
sed 's/^set busybox .*/set busybox busybox/' "$lock" >"$work/lock"
SIMOS_LOCK=$work/lock SIMOS_CACHE=$work/cache "$fetch" busybox >"$work/out" 2>"$work/err"
check_match "a set that asks for something else than the lock has" "^fetch: busybox: asks for other packages .*make guest-update" "$work/err"
finish
