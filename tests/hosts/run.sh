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
script=tests/hosts/run.sh
# shellcheck source=tests/hosts/chroot.sh
. tests/hosts/chroot.sh
mkdir -p "$1"
folder=$(realpath "$1")
shift
passed=0 failed=0
steps=${STEPS:-run test offline}

check() {
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; fi
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

for release; do
    : >"$folder/$release.log"
    make_chroot "$folder/$release" "$release" git,make "$folder/$release.log" ||
        { check "$release: debootstrap (see $folder/$release.log)" 1 && continue; }
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
    leave_chroot
done
echo "hosts: $passed passed, $failed failed"
[ $failed = 0 ]
