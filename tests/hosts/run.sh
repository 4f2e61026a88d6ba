#!/bin/sh
# `make run` and `make test` on fresh Debian machines: chroots with git and make, in which a clone of this tree does the
# rest. Then once more without network, from a bundle.
#
#     run.sh FOLDER RELEASE...
#
# FOLDER gets a log a release (RELEASE.log) and what `make run` printed (RELEASE.run). The chroots are made from the mirror
# that this machine's own packages come from, and removed unless KEEP=1. STEPS: of "run test offline" (all). Needs root.
set -u
cd "$(dirname "$0")/../.." || exit
[ "$(id -u)" = 0 ] || { echo "hosts: skipped: not root" && exit; }
command -v debootstrap >/dev/null || { echo "hosts: skipped: no debootstrap" && exit; }
[ $# -ge 2 ] || { echo "usage: run.sh FOLDER RELEASE..." >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
shift
passed=0 failed=0 chroot=
steps=${STEPS:-run test offline}

leave() {
    [ -n "$chroot" ] || return
    umount -R -l "$chroot/dev" "$chroot/sys" "$chroot/proc" 2>/dev/null
    [ -n "${KEEP-}" ] || rm -rf --one-file-system "$chroot"
}
trap leave EXIT
trap 'exit 130' INT TERM

check() {
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; fi
}

# in_chroot COMMAND: as on a machine where nothing is set.
in_chroot() {
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 $without_network chroot "$chroot" sh -c "$1" </dev/null
}

# timed NAME COMMAND: in the chroot's clone; its output goes to the log.
timed() {
    started=$(date +%s)
    in_chroot "cd /root/simos && $2" >"$folder/output" 2>&1
    status=$?
    cat "$folder/output" >>"$folder/$release.log"
    echo "$release: $1: status $status, $(($(date +%s) - started)) s: $(grep -E '^[0-9]+ passed' "$folder/output" | tail -n 1)"
    check "$release: $1 (see $folder/$release.log)" $status
}

# This machine's way to the mirror, where it has a proxy: for debootstrap, and for apt in the chroot.
proxies=$(apt-config dump 2>/dev/null | grep -E '^Acquire::https?::Proxy')
proxy=$(echo "$proxies" | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p')

mirror=$(sh -c '. workloads/mirrors.sh; list_mirrors "$1"' run.sh "$folder" | sed -n '1s/=.*//p')
rm -f "$folder/machine-sources"
for release; do
    chroot=$folder/$release without_network=
    rm -rf --one-file-system "$chroot"
    : >"$folder/$release.log"
    ${proxy:+env http_proxy="$proxy"} debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$chroot" "$mirror" >>"$folder/$release.log" 2>&1 ||
        { check "$release: debootstrap (see $folder/$release.log)" 1 && continue; }
    cp /etc/resolv.conf "$chroot/etc/resolv.conf"
    # the certificates that this machine trusts besides its release's (ca-certificates is in the chroot)
    ! cp /usr/local/share/ca-certificates/*.crt "$chroot/usr/local/share/ca-certificates" 2>/dev/null ||
        chroot "$chroot" update-ca-certificates >>"$folder/$release.log" 2>&1
    [ -z "$proxies" ] || echo "$proxies" >"$chroot/etc/apt/apt.conf.d/90proxies"
    for place in proc sys dev; do
        mount --rbind /$place "$chroot/$place" && mount --make-rslave "$chroot/$place"
    done
    git clone -q --no-hardlinks . "$chroot/root/simos"
    timed "make run" "make run"
    sed -n '/^a C compiler on the machines/,$p' "$folder/output" >"$folder/$release.run"
    case $steps in *test*) timed "make test" "make test" ;; esac
    # Without network, from a fresh clone and an empty cache; the host's own packages are there.
    case $steps in
    *offline*)
        in_chroot "cd /root/simos && .ci/deps.sh test && make bundle && mv build/guest-bundle.tar /root &&
            rm -rf /root/simos /root/.cache" >>"$folder/$release.log" 2>&1
        check "$release: make bundle" $?
        git clone -q --no-hardlinks . "$chroot/root/simos"
        without_network="unshare -n"
        timed "make run without network" "SIMOS_BUNDLE=/root/guest-bundle.tar make run"
        sed -n '/^a C compiler on the machines/,$p' "$folder/output" | cmp - "$folder/$release.run"
        check "$release: the same tables from the bundle" $?
        timed "make test without network" "SIMOS_BUNDLE=/root/guest-bundle.tar make test"
        ;;
    esac
    cmp "$folder/$1.run" "$folder/$release.run" && [ -s "$folder/$release.run" ]
    check "the tables of $release are those of $1" $?
    leave
    chroot=
done
echo "hosts: $passed passed, $failed failed"
[ $failed = 0 ]
