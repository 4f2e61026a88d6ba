#!/bin/sh
# Makes sure that the Debian packages a target needs are installed: with root or passwordless sudo installs what is
# missing, otherwise prints the one command to type and fails.
#
#     .ci/deps.sh build|image|paper|test|bench|format|fuzz|hosts|source|python|release
#     .ci/deps.sh --plan SET      says in a line how much would be installed; nothing if nothing is missing
#
# Called by make (DEPS_MAKE, DEPS_GOALS and DEPS_RUN say which), it deals with what all its goals need at once.
#
# Elsewhere than on Debian and its relatives it does nothing: the compiler will say what it misses.
# shellcheck disable=SC2086 # lists of words
set -eu

build="gcc libc6-dev libdw-dev libelf-dev libfdt-dev zlib1g-dev libarchive-dev libslirp-dev nettle-dev libjansson-dev tcl-dev libreadline-dev pkg-config
    ca-certificates debian-archive-keyring gpgv xz-utils"
image="$build e2fsprogs libext2fs-dev bzip2"
test="$image libcmocka-dev gcc-mipsel-linux-gnu libc6-dev-mipsel-cross qemu-user qemu-system-mips gdb-multiarch jq expect
    gpg gpg-agent curl iproute2 gcc-aarch64-linux-gnu gxemul zsh fish python3 perl chromium protobuf-compiler valgrind"
paper="$image jq cpio qemu-user-static"
bench="$build busybox-static jq"
source="$build linux-source gcc-mipsel-linux-gnu libc6-dev-mipsel-cross make flex bison bc patch bzip2 libssl-dev"
format=clang-format
fuzz="$build clang libclang-rt-dev"
hosts=debootstrap
python="ca-certificates python3 python3-venv"
release="$build $python debhelper"

# The packages of set $1.
packages_of()
{
    case $1 in
    build) echo $build ;;
    image) echo $image ;;
    test) echo $test ;;
    paper) echo $paper ;;
    bench) echo $bench ;;
    format) echo $format ;;
    fuzz) echo $fuzz ;;
    hosts) echo $hosts ;;
    source) echo $source ;;
    python) echo $python ;;
    release) echo $release ;;
    *)
        echo "usage: .ci/deps.sh build|image|paper|test|bench|format|fuzz|hosts|source|python|release" >&2
        exit 2
        ;;
    esac
}
plan=
[ "${1-}" != --plan ] || { plan=yes && shift; }
wanted=$(packages_of "${1-}")

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || exit 0

# missing_of PACKAGE...: those of them that are not installed, each once.
missing_of()
{
    dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
        awk -v wanted="$*" '
            $1 == "installed" { gsub(/\([^)]*\)|,/, " "); for (i = 2; i <= NF; i++) have[$i] = 1 }
            END { n = split(wanted, names, " "); for (i = 1; i <= n; i++) if (!have[names[i]]++) printf "%s ", names[i] }'
}

# The sets that the goals of the make that has called us still need: it would call us for each of them. Nothing is run for
# that: the shell of what `make -n` runs nevertheless is true.
sets_of_goals()
{
    [ -n "${DEPS_MAKE-}" ] || return 0
    (
        unset MAKEFLAGS MFLAGS GNUMAKEFLAGS
        eval "$DEPS_MAKE -n -k SHELL=/bin/true $DEPS_GOALS"
    ) 2>/dev/null | sed -n 's|.*\.ci/deps\.sh \([a-z]*\)$|\1|p'
}

# How root's commands are run: nothing, sudo, or "no".
if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    root="sudo -n"
else
    root=no
fi

# describe_size PACKAGE...: what apt would fetch for them and how much room that takes. A fresh machine has no lists of
# packages: a moment to fetch them, which installing needs anyway.
describe_size()
{
    uris=$(apt-get install --print-uris -qq -y --no-install-recommends "$@" 2>/dev/null) || {
        [ "$root" = no ] || $root timeout 4 apt-get -qq update >/dev/null 2>&1
        uris=$(apt-get install --print-uris -qq -y --no-install-recommends "$@" 2>/dev/null) || {
            echo "$# packages of Debian and what they depend on, of a size that apt does not know yet"
            return
        }
    }
    installed=$(echo "$uris" | awk '$3 ~ /^[0-9]+$/ { sub(/_.*/, "", $2); print $2 }' | xargs apt-cache show --no-all-versions 2>/dev/null |
        awk '$1 == "Installed-Size:" { sum += $2 } END { printf "%d", sum / 1000 }')
    echo "$uris" | awk -v installed="$installed" '$3 ~ /^[0-9]+$/ { sum += $3; count++ }
        END { printf "%d packages of Debian: %d MB to download, %d MB on disk\n", count, sum / 1e6 + 0.5, installed }'
}

missing=$(missing_of $wanted)
[ -n "$missing" ] || exit 0
[ -z "$plan" ] || { describe_size $missing && exit; }
# In one order, whichever set we were called for.
wanted=
for set in $({ echo "$1"; sets_of_goals; } | sort -u); do
    wanted="$wanted $(packages_of "$set")"
done
missing=$(missing_of $wanted)

install="apt-get install -y --no-install-recommends $missing"
if [ "$root" = no ]; then
    # said once a make, not by each of its rules that needs packages
    told="${DEPS_RUN-} $missing"
    if [ -z "${DEPS_RUN-}" ] || [ "$(cat build/.deps.told 2>/dev/null)" != "$told" ]; then
        echo "simos needs these Debian packages; as root, type:" >&2
        echo "    apt-get update && $install" >&2
        [ -z "${DEPS_RUN-}" ] || echo "$told" >build/.deps.told
    fi
    exit 1
fi
echo "installing: $missing" >&2
export DEBIAN_FRONTEND=noninteractive
progress=$(dirname "$0")/progress.sh
# install: what apt says is kept for the case that it fails.
log=$(mktemp)
trap 'rm -f "$log"; "$progress" end "installing packages"' EXIT
"$progress" begin "installing packages" apt:100 "$log"
$root $install -o APT::Status-Fd=1 >"$log" 2>&1 || {
    $root apt-get update >&2
    $root $install -o APT::Status-Fd=1 >"$log" 2>&1 || {
        grep -v '^[dp][lm]status:' "$log" | tail -n 20 >&2
        exit 1
    }
}
