/*
 * Classifies the data at an address from guest memory: slab cache, heap or stack of a process, page of a file, kernel
 * variable ... Fast enough to be used at every miss: it reads a few words.
 *
 * A kind has a name and a number that is valid for the lifetime of the table. Kinds of process memory are named by
 * process, of slab caches by cache, of the page cache by file.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_DATA_KINDS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_DATA_KINDS_H

#include "annotations/symbols/kernel_memory.h"

enum data_class {
    DATA_UNKNOWN,      /* cannot be classified (yet) */
    DATA_KERNEL_TEXT,  /* the kernel's code, and constants within it */
    DATA_KERNEL_DATA,  /* variables in the kernel image */
    DATA_PER_CPU,      /* per-CPU variables */
    DATA_MODULE,       /* code and variables of a module; named */
    DATA_MAPPED,       /* other mapped kernel addresses: vmalloc */
    DATA_UNCACHED,     /* kseg1, and addresses that are not RAM: devices */
    DATA_PAGE_STRUCTS, /* the array of struct page */
    DATA_BOOT,         /* allocated at boot before the page allocator existed */
    DATA_SLAB,         /* an object of a slab cache; named by cache */
    DATA_KERNEL_STACK, /* of a process; named by process */
    DATA_PAGE_TABLE,
    DATA_ZERO_PAGE,
    DATA_FREE,        /* unused pages */
    DATA_ALLOCATED,   /* kernel pages of unknown use, including pages being allocated */
    DATA_BLOCK,       /* the same, of several pages: large kmalloc(), network buffers */
    DATA_FILE,        /* the page cache of a file; named by file */
    DATA_DEVICE_FILE, /* the page cache of a block device: file-system metadata */
    DATA_ANONYMOUS,   /* process memory, accessed by a kernel address */
    DATA_HEAP,        /* process memory by user address: brk heap; this and all below are named by process */
    DATA_STACK,
    DATA_PROGRAM, /* .data, .bss */
    DATA_MEMORY,  /* all other anonymous memory: mmap(), data of libraries */
    DATA_USER,    /* a user address of unknown use */
    DATA_CLASSES
};

struct data_kinds;

/* KERNEL must outlive the table. */
struct data_kinds *data_kinds_create(struct kernel_memory *kernel);
void data_kinds_free(struct data_kinds *kinds); /* NULL is ignored */

/* Kind of the data at CORE's virtual ADDRESS, which translates to PA if IS_MAPPED. */
unsigned data_kind_at(struct data_kinds *kinds, struct core *core, vaddr address, bool is_mapped, paddr pa);

/* Text of a kind ("slab dentry", "heap of sh"); its class; its own name ("dentry"), or "" if it has none. */
const char *data_kind_text(const struct data_kinds *kinds, unsigned kind);
enum data_class data_kind_class(const struct data_kinds *kinds, unsigned kind);
const char *data_kind_name(const struct data_kinds *kinds, unsigned kind);

/* Name of a class, for scripts: "slab", "kernel data". */
const char *data_class_name(enum data_class class);

#endif
