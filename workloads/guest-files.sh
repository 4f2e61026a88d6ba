# shellcheck shell=sh
# What is made of a kernel built from source, in a folder of the guest: sourced behind lock.sh.

# What annotations know of the kernel's structures (docs/reference/annotations.md); of alternatives the first that the kernel has.
structures="task_struct thread_info mm_struct vm_area_struct sched_entity file path dentry qstr inode bio request
    irq_desc irq_data pt_regs signal_struct spinlock raw_spinlock maple_tree page slab address_space kmem_cache anon_vma
    anon_vma_chain"
module_structures="module module_layout/module_memory mod_kallsyms"
constants="PG_reserved PG_head PG_slab PGTY_buddy PGTY_table PGTY_slab"

# kernel_files MKLAYOUT KERNEL FOLDER: vmlinux, vmlinux.gdb, kernel.sym and kernel.layout, of the folder KERNEL that
# source-kernel.sh has made.
kernel_files() {
    mipsel-linux-gnu-strip -g -o "$3/vmlinux" "$2/vmlinux"
    ln "$2/vmlinux" "$3/vmlinux.gdb" 2>/dev/null || cp "$2/vmlinux" "$3/vmlinux.gdb"
    # As /proc/kallsyms prints them: functions, as that of the stock kernel, and data, as with KALLSYMS_ALL.
    awk '$2 ~ /^[TtWwBbDdRr]$/ && $3 !~ /^[$.]/ { print substr($1, length($1) - 7), $2, $3 }' "$2/System.map" >"$3/kernel.sym"
    {
        echo "# Structures of a kernel, from its DWARF: made by guest-files.sh."
        echo "kernel $(cat "$2/release")"
        awk '$3 == "_end" { print "image_end 0x" substr($1, length($1) - 7) }' "$2/System.map"
        [ -d "$2/lib/modules" ] || module_structures=
        # shellcheck disable=SC2086,SC2046 # lists of words
        "$1" "$2/vmlinux" $structures $module_structures $(printf '=%s ' $constants)
    } >"$3/kernel.layout"
}

# install_files NEW FOLDER: moves the guest's files from NEW to FOLDER. One that would be the same stays as it is.
install_files() {
    for file in "$1"/*; do
        cmp -s "$file" "$2/${file##*/}" && continue
        mv "$file" "$2/"
        echo "$2/${file##*/}: built"
    done
}
