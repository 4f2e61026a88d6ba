#!/bin/sh
# What pages and comments name is there: docs/ with its drawings, README.md and CONTRIBUTING.md, and the comments of
# sources, scripts and Makefiles.
#
#   a file         by its name with the ending of a source, or with a folder, of which the first parts may be left out;
#                  `*` and a part in capitals stand for anything. In the design pages also FOLDER/NAME without an ending
#   name()         occurs in the code, and not as a static function of another folder; with a file behind it, as in
#                  `name()` (`file`), it is defined or declared there
#   some_name, struct some_name, ->name
#                  occurs in the code; of some_... the beginning does. In capitals it may be the parameter of that name,
#                  or a constant without its prefix. Of the pages only the design pages: others show the guest's names
#   NAME           in capitals, in the comment of a declaration: a parameter, a member or a constant
#   in pages       `make TARGET`, --option, and with dots the names of parameters and statistics, as in the pages that
#                  the program writes
#   docs/design/load.md
#                  each of its functions is defined once, in a file that it names
#
# Prints one line for each name that fails: FILE:LINE: NAME: why. Exit status 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1

# Names of Linux, of other programs, and of examples. A path that begins with a folder that is not ours needs no row.
foreign='
    DEFINE_PER_CPU ENQUEUE_DELAYED ENQUEUE_NOCLOCK EXPORT_SYMBOL KALLSYMS_ALL VM_EXEC _PAGE_PRESENT _QR_BIAS
    __ksymtab_gpl __sync ext4_find_entry kmalloc machine_hang mmiowb mod_mem_type next_ti smp_store_release
    CONFIG_OF_SEPARATE EF_MIPS_ARCH INT_MIN Tcl_Panic debug_aranges legacy_img_hdr memory_region_init_rom
    p_paddr_valid qt seccomp_unotify splitmix64.c srec_cat
    CMGCR EFAULT IEEE ISCA KASLR PTEW SIGTTOU SLUB TAOCP ULRI UNPREDICTABLE
    EVENT_ID workloads/images/mine.list
'
# What is not read: data; CHANGELOG.md, which tells what was; the guest's own scripts, whose comments are guest memory;
# and this table.
unread='^(tests/fuzz/corpus/|CHANGELOG\.md$|workloads/initramfs/|tests/check-names\.sh$)'
export foreign unread

files=$(mktemp)
trap 'rm -f "$files"' EXIT
# The clone may be another user's.
git -c safe.directory="$PWD" ls-files --cached --others --exclude-standard >"$files"
[ -s "$files" ] || { echo "check-names: git lists no files: is this a clone?"; exit 1; }
awk -f tests/check-names.awk "$files"
