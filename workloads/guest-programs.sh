#!/bin/sh
# guest-programs.sh GUEST FOLDER: makes, in FOLDER, programs.cpio: the initramfs of the guest in the folder GUEST with the
# programs of the DECstations' guest on top, a C compiler among them (source-programs.sh, source-pcc.sh); and links to that
# guest's kernel and symbols. Programs for MIPS I run on every later architecture. A file that would be the same stays as it is.
set -eu
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
# shellcheck source=workloads/guest-files.sh
. "$workloads/guest-files.sh"
[ $# -eq 2 ] || die "usage: guest-programs.sh GUEST FOLDER"
guest=$1 folder=$2
case $folder in /*) ;; *) folder=./$folder ;; esac

case $(cat "$guest/origin") in
source) kernel=$("$workloads/source-kernel.sh") busybox=$("$workloads/source-busybox.sh") ;;
*) kernel=$(set_paths kernel) busybox=$(set_paths busybox) ;;
esac
compiler=$("$workloads/source-mips1.sh")
programs=$("$workloads/source-programs.sh" "$compiler")
pcc=$("$workloads/source-pcc.sh" "$compiler")
new=$folder/new.d
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new"
# What goes into the archive, outside of what is installed
tree=$folder/tree.d
trap 'rm -rf "$new" "$tree"' EXIT
rm -rf "$tree"
mkdir "$tree"
cp -R "$programs/tree/." "$pcc/tree/." "$tree"
"$workloads/mkinitrd.sh" "$guest/mkcpio" "$kernel" "$busybox" "$new/programs.cpio" "$tree"
install_files "$new" "$folder"
for file in vmlinux kernel.sym; do
    ln -sf "$(realpath "$guest/$file")" "$folder/$file"
done
