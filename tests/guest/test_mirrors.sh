#!/bin/sh
# The guest outlives its mirror (docs/how-to/guest.md): cache, bundle, the mirror, the archive beside it, and then kernel and
# busybox from source. Mirrors are served on the loopback.
. "$(dirname "$0")/harness.sh"
# shellcheck source=tests/guest/mirror.sh
. "$root/tests/guest/mirror.sh"

# The mirrors, by name: each has a folder debian, and some have the archive beside it.
www=$work/www
make_mirror "$www/good/debian" "$version"
make_mirror "$www/expired/debian" "$version" mipsel "Date: Mon, 01 Jan 2024 00:00:00 UTC" "Valid-Until: Mon, 08 Jan 2024 00:00:00 UTC"
make_mirror "$www/none/debian" "$version" amd64
make_mirror "$www/left/debian" "$version" amd64
make_mirror "$www/left/debian-archive/debian" "$version"
make_mirror "$www/half/debian" "$version"
mkdir -p "$www/stall/debian" "$www/empty"
pinned=$sum
sum=$(echo "$pinned" | tr 0-9 1-90)
make_mirror "$www/newer/debian" "2:1.0" mipsel "Date: Tue, 01 Jan 2036 00:00:00 UTC"
make_mirror "$www/moved/debian" "2:1.0" mipsel "Date: Tue, 01 Jan 2036 00:00:00 UTC"
sum=$pinned
make_mirror "$www/moved/debian-archive/debian" "$version"

log=$work/requests
python3 "$root/tests/guest/mirror_server.py" "$www" "$log" &
running=$!
wait_until '[ -s "$log" ]'
port=$(head -n 1 "$log")

# ask NAME [VARIABLE=VALUE...] COMMAND...: with an empty cache and the mirror of that name; the requests in $work/asked.
ask()
{
    rm -rf "$work/cache"
    before=$(wc -l <"$log")
    from=$1
    shift
    env SIMOS_CACHE="$work/cache" SIMOS_MIRROR="http://127.0.0.1:$port/$from/debian" SIMOS_KEYRING="$work/mirror.gpg" "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    tail -n "+$((before + 1))" "$log" >"$work/asked"
}

kept()
{
    echo "$status $(sha256sum "$work/cache/packages/"*.deb 2>/dev/null | cut -c -64 | grep . || echo none)"
}

for apt in yes no; do
    way="apt: $apt:"
    ask good SIMOS_APT=$apt "$fetch" busybox
    check_equal "$way a mirror that has it" "0 $sum" "$(kept)"
    check_no_match "$way ... and the archive is not asked" debian-archive "$work/asked"
    ask expired SIMOS_APT=$apt "$fetch" busybox
    check_equal "$way a mirror whose Release has expired" "0 $sum" "$(kept)"
    for mirror in left moved; do
        ask $mirror SIMOS_APT=$apt "$fetch" busybox
        check_equal "$way $mirror: from the archive beside it" "0 $sum" "$(kept)"
        check_equal "$way $mirror: ... which is asked second" "debian debian-archive" \
            "$(sed -n "s|^/$mirror/\\([a-z-]*\\)/.*|\\1|p" "$work/asked" | sed s/debian-security/debian/ | uniq | paste -s -d ' ')"
    done
    for mirror in none newer empty; do
        ask $mirror SIMOS_APT=$apt "$fetch" busybox
        check_equal "$way $mirror: cannot be had" "3 none" "$(kept)"
        check_match "$way $mirror: ... is said with the package, the mirrors and what to set" \
            "^fetch: busybox-static .*: not to be had from http://.*/$mirror/debian \\(.*\\) and http://.*debian-archive.*: set SIMOS_MIRROR" "$work/err"
        check_match "$way $mirror: the archive was asked too" "^/$mirror/debian-archive/" "$work/asked"
    done
    for mirror in stall half; do
        ask $mirror SIMOS_APT=$apt SIMOS_TIMEOUT=3 "$fetch" busybox
        check_equal "$way $mirror: a mirror that stops answering" "3 none" "$(kept)"
        check_match "$way $mirror: ... is given up" "^fetch: .*/$mirror/debian \\(.*nothing has come for 3 s" "$work/err"
        check_match "$way $mirror: the archive is asked then" "^/$mirror/debian-archive/" "$work/asked"
    done
    ask good SIMOS_APT=$apt SIMOS_MIRROR=http://127.0.0.1:1/debian "$fetch" busybox
    check_equal "$way no mirror at all" "3 none" "$(kept)"
    check_match "$way ... what to set" "set SIMOS_MIRROR to the URL" "$work/err"
done
ask good SIMOS_TIMEOUT=soon "$fetch" busybox
check_match "a time limit that is none" "^fetch: SIMOS_TIMEOUT: 'soon'" "$work/err"

# The decision.
ask good "$root/workloads/origin.sh" the-part busybox
check_equal "packages, if the mirror has them" "0 packages" "$status $(cat "$work/out")"
ask empty "$root/workloads/origin.sh" the-part busybox
check_equal "source, if no mirror has them" "0 source" "$status $(cat "$work/out")"
check_equal "... said in one line" \
    "guest: Debian's packages of the-part cannot be had: building from this machine's own source packages" "$(grep '^guest:' "$work/err")"
ask empty SIMOS_APT=no "$root/workloads/origin.sh" the-part busybox
check_equal "without apt there are no source packages: nothing is built" "1 " "$status $(cat "$work/out")"

# What is nearer comes first: the cache, then the bundle.
"$root/workloads/bundle.sh" "$work/bundle.tar" busybox >"$work/out" 2>"$work/err" || fail "bundle.sh" "$(cat "$work/err")"
ask good SIMOS_BUNDLE="$work/bundle.tar" "$root/workloads/origin.sh" the-part busybox
check_equal "a bundle before the mirror" "0 packages 0" "$status $(cat "$work/out") $(wc -l <"$work/asked")"
before=$(wc -l <"$log")
SIMOS_CACHE=$work/cache SIMOS_BUNDLE=$work/nowhere SIMOS_MIRROR=http://127.0.0.1:$port/good/debian \
    "$root/workloads/origin.sh" the-part busybox >"$work/out" 2>"$work/err"
check_equal "the cache before the bundle" "0 packages $before" "$? $(cat "$work/out") $(wc -l <"$log")"
mkdir -p "$work/other/packages"
echo none >"$work/other/packages/none"
tar -c -f "$work/other.tar" -C "$work/other" packages
ask good SIMOS_BUNDLE="$work/other.tar" "$root/workloads/origin.sh" the-part busybox
check_equal "a bundle that lacks it, and a mirror" "0 packages" "$status $(cat "$work/out")"
check_match "... the bundle is said to lack it" "other.tar: has no busybox-static" "$work/err"
echo false >"$work/other/packages/$name"
tar -c -f "$work/other.tar" -C "$work/other" packages
ask good SIMOS_BUNDLE="$work/other.tar" "$root/workloads/origin.sh" the-part busybox
check_equal "what is refused is an error, and nothing is built" "1 " "$status $(cat "$work/out")"

# `make guest` where there is no mirror, with stand-ins for what is built: the stock kernel and busybox, in the cache under
# the keys of the builds, which the builds say when they start.
release=$(awk '$1 == "file" && $7 ~ /(^|,)kernel(,|$)/ { sub(/^linux-image-/, "", $4); print $4 }' "$lock")
export SIMOS_CACHE="$work/cache" SIMOS_MIRROR="http://127.0.0.1:$port/empty/debian" SIMOS_KEYRING="$work/mirror.gpg"
export KERNEL_SOURCE="$work/linux.tar"
own=$work/own
make_guest()
{
    make -C "$root" --no-print-directory -o "$BUILD/simos" BUILD="$BUILD" GUEST="$own/guest" GUEST_SOURCE="$own/source" guest \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
rm -rf "$work/cache"
mkdir -p "$work/cache/source/busybox-$suite"
(cd "$work/cache/source/busybox-$suite" && echo none >none && sha256sum none >SHA256SUMS)
make_guest
check_equal "neither packages nor source" 2 "$status"
check_match "... is said with the one thing to do" "^guest: nor can it be built from source: .*SIMOS_BUNDLE=FILE make run" "$work/err"
check_equal "... and no decision is kept" "" "$(ls "$own/guest/origin" 2>/dev/null)"
tar -c -f "$KERNEL_SOURCE" -C "$work/other" packages
for part in kernel busybox; do
    "$root/workloads/source-$part.sh" >"$work/out" 2>"$work/err"
    key=$(sed -n "s|^$part: building from source; the log is .*/work-$part-\\(.*\\)/log\$|\\1|p" "$work/err")
    check_equal "$part: the key of a build" 16 "${#key}"
    built=$work/cache/source/$part-$key
    mkdir -p "$built"
    case $part in
    kernel)
        cp "$guest/vmlinux" "$built/vmlinux"
        cp "$guest/kernel.sym" "$built/System.map"
        echo "$release" >"$built/release"
        # Modules that no device of the machine here needs: empty.
        for module in $(sed -n "/^modules='/,/'\$/p" "$root/workloads/mkinitrd.sh" | tr -d "'" | sed 's/^modules=//'); do
            mkdir -p "$built/lib/modules/$release/kernel/${module%/*}"
            : >"$built/lib/modules/$release/kernel/$module.ko"
        done
        ;;
    busybox) ar p "$busybox" data.tar.xz | tar -x -J -O ./bin/busybox >"$built/busybox" ;;
    esac
done
# The stock kernel has no DWARF to read layouts from.
mkdir -p "$own/source"
printf '#!/bin/sh\necho "# none"\n' >"$own/source/mklayout"
chmod +x "$own/source/mklayout"
make_guest
check_equal "make guest builds the guest from source" "0 source" "$status $(cat "$own/guest/origin")"
check_equal "... says so in one line" \
    "guest: Debian's packages of kernel and busybox cannot be had: building from this machine's own source packages" \
    "$(grep '^guest:' "$work/err")"
check_match "... has the layouts of its structures" "^kernel $release" "$own/guest/kernel.layout"
simos run --quiet --kernel "$own/guest/vmlinux" -- uname -r
check_equal "... which boots" "0 $release" "$status $(cat "$work/out")"
before=$(wc -l <"$log")
make_guest
check_equal "once: no mirror is asked again" "0 $before" "$status $(wc -l <"$log")"
check_no_match "... and nothing is built again" "." "$work/err"
finish
