#!/bin/sh
# Builds the kernels of patches.list, and the one without a patch, which is called base:
#
#     workloads/placement/kernels.sh MKCPIO MKLAYOUT FOLDER [NAME...]
#
# FOLDER/NAME gets what `make guest KERNEL=source` makes, the patch is FOLDER/patches/NAME.patch. NAME: those alone.
# Environment: as source-kernel.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || {
    echo "usage: kernels.sh MKCPIO MKLAYOUT FOLDER [NAME...]" >&2
    exit 1
}
mkcpio=$1 mklayout=$2 folder=$3
shift 3
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
KERNEL_SOURCE=${KERNEL_SOURCE:-$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
export KERNEL_SOURCE
names=$("$here/patches.sh" "$KERNEL_SOURCE" "$folder/patches")
# An empty patch, so that all of them are built in the same folder of the cache.
: >"$folder/patches/base.patch"
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- base $names
for name; do
    [ -f "$folder/patches/$name.patch" ] || {
        echo "kernels.sh: there is no patch $name in $here/patches.list" >&2
        exit 1
    }
    mkdir -p "$folder/$name"
    KERNEL_PATCH=$folder/patches/$name.patch "$here/../guest-source.sh" "$mkcpio" "$mklayout" "$folder/$name"
done
