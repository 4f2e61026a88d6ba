/*
 * What the data at an address is, at this moment: which slab cache, whose heap or stack, which file's page, which
 * variable of the kernel ... from the guest's memory. Cheap enough to be asked at every miss: some words are read.
 *
 * A kind has a number, the same one as long as there is this table, and a name. Kinds of a process are by its name, of
 * slab caches by theirs, of the page cache by the file's.
 */
#ifndef SIMOS_ANNOTATIONS_DATA_KINDS_H
#define SIMOS_ANNOTATIONS_DATA_KINDS_H

#include "annotations/symbols/kernel_memory.h"

enum data_class {
    DATA_UNKNOWN,      /* nothing can be said (yet) */
    DATA_KERNEL_TEXT,  /* the kernel's own code, and constants within */
    DATA_KERNEL_DATA,  /* variables of its image */
    DATA_PER_CPU,      /* variables that each processor has */
    DATA_MODULE,       /* code and variables of a module; named */
    DATA_MAPPED,       /* other mapped addresses of the kernel: vmalloc */
    DATA_UNCACHED,     /* kseg1, and what is not RAM: devices */
    DATA_PAGE_STRUCTS, /* the array of struct page */
    DATA_BOOT,         /* taken before there was an allocator, and kept */
    DATA_SLAB,         /* of a slab cache; named */
    DATA_KERNEL_STACK, /* of a process; named */
    DATA_PAGE_TABLE,
    DATA_ZERO_PAGE,
    DATA_FREE,      /* pages nobody uses */
    DATA_ALLOCATED, /* pages that the kernel uses, for what they do not say: also those that are just being given out */
    DATA_BLOCK,     /* ... of several pages: large kmalloc(), network buffers */
    DATA_FILE,      /* the page cache; named by file */
    DATA_DEVICE_FILE, /* the page cache of a disk itself: what file systems keep there */
    DATA_ANONYMOUS,   /* a process' memory, by an address of the kernel */
    DATA_HEAP,        /* ... by its own: brk; these are named by process */
    DATA_STACK,
    DATA_PROGRAM, /* .data, .bss */
    DATA_MEMORY,  /* mmap() and what libraries have of their own: all other anonymous memory */
    DATA_USER,    /* a user address of which no more is known */
    DATA_CLASSES
};

struct data_kinds;

/* Of KERNEL, which outlives it. */
struct data_kinds *data_kinds_create(struct kernel_memory *kernel);
void data_kinds_free(struct data_kinds *kinds); /* NULL is fine */

/* The kind of what CORE finds at ADDRESS now, which is at PA if it IS_MAPPED. */
unsigned data_kind_at(struct data_kinds *kinds, struct core *core, vaddr address, bool is_mapped, paddr pa);

/* "slab dentry", "heap of sh"; what kind of kind; its own name ("dentry"), empty if it has none. */
const char *data_kind_text(const struct data_kinds *kinds, unsigned kind);
enum data_class data_kind_class(const struct data_kinds *kinds, unsigned kind);
const char *data_kind_name(const struct data_kinds *kinds, unsigned kind);

/* A class for scripts: "slab", "kernel data". */
const char *data_class_name(enum data_class class);

#endif
