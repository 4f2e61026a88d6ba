#!/bin/sh
# guest-source.sh MKCPIO MKLAYOUT FOLDER: makes vmlinux, initrd.cpio, kernel.sym and kernel.layout in FOLDER, of a kernel
# and a busybox built from source (source-kernel.sh, source-busybox.sh). What is there already and would be the same stays
# as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || {
    echo "usage: guest-source.sh MKCPIO MKLAYOUT FOLDER" >&2
    exit 1
}
mkcpio=$1 mklayout=$2 folder=$3
kernel=$("$here/source-kernel.sh" "$mklayout")
busybox=$("$here/source-busybox.sh")
new=$folder/new.d
rm -rf "$new"
mkdir -p "$new"
cp "$kernel/vmlinux" "$kernel/kernel.sym" "$kernel/kernel.layout" "$new"
"$here/mkinitrd.sh" "$mkcpio" "$kernel" "$busybox" "$new/initrd.cpio"
for file in vmlinux initrd.cpio kernel.sym kernel.layout; do
    cmp -s "$new/$file" "$folder/$file" && continue
    mv "$new/$file" "$folder/$file"
    echo "$folder/$file: built"
done
rm -rf "$new"
