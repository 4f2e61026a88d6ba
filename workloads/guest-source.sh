#!/bin/sh
# guest-source.sh MKCPIO MKLAYOUT FOLDER: makes vmlinux, vmlinux.gdb, initrd.cpio, kernel.sym and kernel.layout in
# FOLDER, of a kernel and a busybox built from source (source-kernel.sh, source-busybox.sh). A file that would be the
# same stays as it is.
#
# Environment: KERNEL_CONFIG, which kernel (an argument of source-kernel.sh; default: generic).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || {
    echo "usage: guest-source.sh MKCPIO MKLAYOUT FOLDER" >&2
    exit 1
}
mkcpio=$1 mklayout=$2 folder=$3
case $folder in /*) ;; *) folder=./$folder ;; esac
# shellcheck source=workloads/guest-files.sh
. "$here/guest-files.sh"

kernel=$("$here/source-kernel.sh" "${KERNEL_CONFIG:-generic}")
busybox=$("$here/source-busybox.sh")
new=$folder/new.d
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new"
kernel_files "$mklayout" "$kernel" "$new"
"$here/mkinitrd.sh" "$mkcpio" "$kernel" "$busybox" "$new/initrd.cpio"
install_files "$new" "$folder"
