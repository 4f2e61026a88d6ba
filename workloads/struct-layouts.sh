#!/bin/sh
# Prints annotations/linux/layout.txt (annotations/symbols/layouts.h): where the fields of the guest kernel's structures are. Compiles a stub against
# the headers package of the very kernel that the guest boots, and reads the DWARF.
#
#     workloads/struct-layouts.sh >annotations/linux/layout.txt
#
# Needs gcc-mipsel-linux-gnu, libdw-dev and, the first time, the network (12 MB, kept in the cache of fetch.sh).
set -eu
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
here=$workloads
cc=${MIPS_CC:-mipsel-linux-gnu-gcc}
command -v "$cc" >/dev/null || die "$cc is not there: install gcc-mipsel-linux-gnu"
structures="task_struct thread_info mm_struct vm_area_struct sched_entity file path dentry qstr inode bio request
    irq_desc irq_data pt_regs signal_struct spinlock raw_spinlock maple_tree module module_layout
    mod_kallsyms page address_space kmem_cache anon_vma anon_vma_chain"

kernel=$(basename "$(set_paths kernel)")
release=${kernel#linux-image-}
release=${release%%_*}
version=${release%-*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set_paths headers >"$work/headers"
while read -r package; do
    package_files "$package" | tar -x -C "$work"
done <"$work/headers"
own=$work/usr/src/linux-headers-$release common=$work/usr/src/linux-headers-$version-common

cat >"$work/stub.c" <<'STUB'
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/mm.h>
#include <linux/fs.h>
#include <linux/dcache.h>
#include <linux/irqdesc.h>
#include <linux/blk-mq.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/rmap.h>
struct slab { unsigned objects; }; /* the kernel's own header has it, which is in no package */
void *slab_address(const struct slab *slab);
#include <linux/slub_def.h>
struct task_struct *task; struct thread_info *thread; struct vm_area_struct *area; struct irq_desc *irq;
struct file *file; struct bio *bio; struct request *request; struct pt_regs *regs; struct signal_struct *signals;
struct module *module; struct page *page; struct address_space *mapping; struct kmem_cache *slabs;
struct anon_vma *owners; struct anon_vma_chain *owner; enum pageflags flag;
STUB
"$cc" -g -O2 -w -c -o "$work/stub.o" "$work/stub.c" -nostdinc -I"$common/arch/mips/include" \
    -I"$own/arch/mips/include/generated" -I"$common/include" -I"$own/include" -I"$common/arch/mips/include/uapi" \
    -I"$own/arch/mips/include/generated/uapi" -I"$common/include/uapi" -I"$own/include/generated/uapi" \
    -I"$common/arch/mips/include/asm/mach-generic" -include "$common/include/linux/compiler-version.h" \
    -include "$common/include/linux/kconfig.h" -include "$common/include/linux/compiler_types.h" -D__KERNEL__ \
    -mabi=32 -march=mips32r2 -msoft-float -mno-abicalls -fno-pic -G0 -ffreestanding -std=gnu11 -DGAS_HAS_SET_HARDFLOAT \
    -DKBUILD_MODNAME='"stub"' -DKBUILD_BASENAME='"stub"' -DVMLINUX_LOAD_ADDRESS=0x80100000 -DDATAOFFSET=0
gcc -std=gnu17 -O2 -D_GNU_SOURCE -o "$work/mklayout" "$here/mklayout.c" -ldw
echo "# Structures of the stock kernel: made by workloads/struct-layouts.sh."
echo "kernel $release"

# Where the kernel's variables end: its one segment of the ELF that the guest boots (mkkernel.c).
gcc -std=gnu17 -O2 -D_GNU_SOURCE -o "$work/mkkernel" "$here/mkkernel.c" -lz
"$here/unpack.sh" kernel './boot/vmlinuz-*' >"$work/vmlinuz"
"$work/mkkernel" "$work/vmlinuz" "$work/vmlinux" >&2
mipsel-linux-gnu-readelf -lW "$work/vmlinux" | while read -r type _ address _ _ memory _; do
    [ "$type" != LOAD ] || printf 'image_end 0x%08x\n' $((address + memory))
done
# shellcheck disable=SC2086 # a list of words
"$work/mklayout" "$work/stub.o" $structures =PG_reserved =PG_head =PG_slab
