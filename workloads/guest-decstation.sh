#!/bin/sh
# guest-decstation.sh MKCPIO MKLAYOUT FOLDER: the guest of the two DECstations, in FOLDER: vmlinux, vmlinux.gdb,
# initrd.cpio, kernel.sym and kernel.layout. Kernel, C library and busybox are built from Debian's source packages
# (source-kernel.sh, source-mips1.sh, source-busybox.sh). A file that would be the same stays as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || {
    echo "usage: guest-decstation.sh MKCPIO MKLAYOUT FOLDER" >&2
    exit 1
}
mkcpio=$1 mklayout=$2 folder=$3
case $folder in /*) ;; *) folder=./$folder ;; esac
# shellcheck source=workloads/guest-files.sh
. "$here/guest-files.sh"

kernel=$("$here/source-kernel.sh" decstation)
compiler=$("$here/source-mips1.sh")
busybox=$("$here/source-busybox.sh" "$compiler")
new=$folder/new.d
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new"
kernel_files "$mklayout" "$kernel" "$new"
"$here/mkinitrd.sh" "$mkcpio" decstation "$busybox" "$new/initrd.cpio"
install_files "$new" "$folder"
