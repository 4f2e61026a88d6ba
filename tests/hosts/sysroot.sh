#!/bin/sh
# Unpacks what simos is built with for another architecture: this machine's own Debian release, that architecture's
# packages. For a cross-compiler's --sysroot and for user-mode emulation (qemu -L).
#
#     tests/hosts/sysroot.sh ARCHITECTURE FOLDER        ARCHITECTURE as Debian names it: arm64
#
# The packages come through a private apt state, so that dpkg's list of architectures stays as it is and no root is
# needed, from the sources that this machine's apt has; apt checks their signatures. They are kept in
# ${SIMOS_CACHE:-~/.cache/simos}; while they are all there, neither apt nor the network is used.
#
# Exit status 0: it is there; 2: the packages cannot be had (one line says why).
set -eu
architecture=$1 folder=$2
wanted="libc6-dev libdw-dev libelf-dev libfdt-dev zlib1g-dev libarchive-dev libslirp-dev nettle-dev libjansson-dev tcl-dev
    libreadline-dev libcmocka-dev"

unavailable()
{
    echo "sysroot: $*"
    exit 2
}

command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || unavailable "this is no Debian"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
workloads=$(cd "$(dirname "$0")/../../workloads" && pwd)
# shellcheck source=workloads/lock.sh
. "$workloads/lock.sh"
# shellcheck source=workloads/mirrors.sh
. "$workloads/mirrors.sh"
# shellcheck source=workloads/apt.sh
. "$workloads/apt.sh"
kept=$cache/hosts-$suite-$architecture
stamp=$(echo "$wanted" | tr -s '\n ' '  ')

complete()
{
    [ "$(cat "$kept/wanted" 2>/dev/null)" = "$stamp" ] && (cd "$kept" && sha256sum --check --status sums) 2>/dev/null
}

if ! complete; then
    [ -z "${SIMOS_BUNDLE-}" ] || unavailable "the bundle has no $architecture packages"
    work=$cache/hosts.$$
    mkdir -p "$work" 2>/dev/null || unavailable "cannot create $work"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    (open_apt) 2>"$work/why" || unavailable "$(tail -n 1 "$work/why")"
    apt=$work/apt
    # shellcheck disable=SC2086 # a list of words
    apt-get -qq -y -c "$apt/apt.conf" --download-only install $wanted >"$apt/log" 2>&1 ||
        unavailable "the $architecture packages cannot be fetched: $(grep -m 1 '^E:' "$apt/log" || tail -n 1 "$apt/log")"
    rm -rf "$kept"
    mkdir "$kept"
    mv "$apt"/cache/archives/*.deb "$kept"
    (cd "$kept" && sha256sum -- *.deb >sums && echo "$stamp" >wanted)
fi

rm -rf "$folder"
mkdir -p "$folder"
for package in "$kept"/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
# Where /lib is /usr/lib, no package but base-files says so.
[ -e "$folder/lib" ] || ln -s usr/lib "$folder/lib"
# A link to /lib means the sysroot's, not this machine's.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m "$folder")$(readlink "$link")" "$link"
done
