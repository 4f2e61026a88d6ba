#!/bin/sh
# guest-source.sh MKCPIO MKLAYOUT FOLDER: makes vmlinux, vmlinux.gdb, initrd.cpio, kernel.sym and kernel.layout in
# FOLDER, of a kernel and a busybox built from source (source-kernel.sh, source-busybox.sh). A file that would be the
# same stays as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || {
    echo "usage: guest-source.sh MKCPIO MKLAYOUT FOLDER" >&2
    exit 1
}
mkcpio=$1 mklayout=$2 folder=$3
case $folder in /*) ;; *) folder=./$folder ;; esac

# What annotations know of the kernel's structures (docs/reference/annotations.md); of alternatives the first that the kernel has.
structures="task_struct thread_info mm_struct vm_area_struct sched_entity file path dentry qstr inode bio request
    irq_desc irq_data pt_regs signal_struct spinlock raw_spinlock maple_tree module module_layout/module_memory
    mod_kallsyms page slab address_space kmem_cache anon_vma anon_vma_chain"
constants="PG_reserved PG_head PG_slab PGTY_buddy PGTY_table PGTY_slab"

kernel=$("$here/source-kernel.sh")
busybox=$("$here/source-busybox.sh")
new=$folder/new.d
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new"
mipsel-linux-gnu-strip -g -o "$new/vmlinux" "$kernel/vmlinux"
ln "$kernel/vmlinux" "$new/vmlinux.gdb" 2>/dev/null || cp "$kernel/vmlinux" "$new/vmlinux.gdb"

# As /proc/kallsyms of the stock kernel prints them: functions.
awk '$2 ~ /^[TtWw]$/ && $3 !~ /^[$.]/ { print substr($1, length($1) - 7), $2, $3 }' "$kernel/System.map" \
    >"$new/kernel.sym"
{
    echo "# Structures of a kernel, from its DWARF: made by guest-source.sh."
    echo "kernel $(cat "$kernel/release")"
    awk '$3 == "_end" { print "image_end 0x" substr($1, length($1) - 7) }' "$kernel/System.map"
    # shellcheck disable=SC2086,SC2046 # lists of words
    "$mklayout" "$kernel/vmlinux" $structures $(printf '=%s ' $constants)
} >"$new/kernel.layout"
"$here/mkinitrd.sh" "$mkcpio" "$kernel" "$busybox" "$new/initrd.cpio"
for file in vmlinux vmlinux.gdb initrd.cpio kernel.sym kernel.layout; do
    cmp -s "$new/$file" "$folder/$file" && continue
    mv "$new/$file" "$folder/$file"
    echo "$folder/$file: built"
done
