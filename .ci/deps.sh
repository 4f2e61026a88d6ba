#!/bin/sh
# Makes sure that the Debian packages a target needs are installed: with root or passwordless sudo installs what is
# missing, otherwise prints the one command to type and fails.
#
#     .ci/deps.sh build|image|paper|test|bench|format|fuzz|hosts|source
#
# Elsewhere than on Debian and its relatives it does nothing: the compiler will say what it misses.
set -eu

build="gcc libc6-dev libdw-dev libelf-dev libfdt-dev zlib1g-dev libarchive-dev libslirp-dev nettle-dev libjansson-dev tcl-dev libreadline-dev pkg-config
    ca-certificates debian-archive-keyring gpgv xz-utils"
image="$build e2fsprogs libext2fs-dev bzip2"
test="$image libcmocka-dev gcc-mipsel-linux-gnu libc6-dev-mipsel-cross qemu-user qemu-system-mips gdb-multiarch jq expect gnuplot-nox
    gpg gpg-agent curl iproute2 gcc-aarch64-linux-gnu"
paper="$image jq gnuplot-nox"
bench="$build busybox-static valgrind"
source="$build linux-source gcc-mipsel-linux-gnu libc6-dev-mipsel-cross make flex bison bc patch bzip2"
format=clang-format
fuzz="$build clang libclang-rt-dev"
hosts=debootstrap

case ${1-} in
build) wanted=$build ;;
image) wanted=$image ;;
test) wanted=$test ;;
paper) wanted=$paper ;;
bench) wanted=$bench ;;
format) wanted=$format ;;
fuzz) wanted=$fuzz ;;
hosts) wanted=$hosts ;;
source) wanted=$source ;;
*)
    echo "usage: .ci/deps.sh build|image|paper|test|bench|format|fuzz|hosts|source" >&2
    exit 2
    ;;
esac

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || exit 0

# shellcheck disable=SC2086 # a list of words
missing=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
    awk -v wanted="$(echo $wanted)" '
        $1 == "installed" { gsub(/\([^)]*\)|,/, " "); for (i = 2; i <= NF; i++) have[$i] = 1 }
        END { n = split(wanted, names, " "); for (i = 1; i <= n; i++) if (!have[names[i]]) printf "%s ", names[i] }')
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends $missing"
if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    root="sudo -n"
else
    echo "simos needs these Debian packages; as root, type:" >&2
    echo "    apt-get update && $install" >&2
    exit 1
fi
echo "installing: $missing" >&2
export DEBIAN_FRONTEND=noninteractive
$root $install >/dev/null 2>&1 || {
    $root apt-get update >&2
    $root $install >&2
}
