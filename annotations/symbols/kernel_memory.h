/*
 * The memory of the guest's kernel, for those who look often: words at kernel addresses without a translation (kseg0),
 * offsets of structures that have been looked up once, and where the kernel keeps what everything else is found from:
 * its array of struct page, one a page of RAM (FLATMEM), the process that a processor runs, its own image, the
 * variables of each processor. Known of Linux 6.1 and 6.12; structures are those of `library layout`. Nothing read is
 * trusted.
 */
#ifndef SIMOS_ANNOTATIONS_KERNEL_MEMORY_H
#define SIMOS_ANNOTATIONS_KERNEL_MEMORY_H

#include "annotations/symbols/subject.h"
#include <string.h>

struct annotate;

/* What a struct page says of its page (include/linux/page-flags.h): bits MASK of one of its words are VALUE. Which word
 * and which bits differs between kernels. */
struct page_mark {
    uint32_t field; /* offset in struct page */
    uint32_t mask, value;
};

/* Offsets in structures: those that are looked up. */
struct kernel_offsets {
    struct {
        uint32_t compound_head, slab_cache, mapping, index, count;
        struct page_mark reserved, head, slab, free, table; /* free: in the buddy allocator; table: of pages */
    } page;
    struct {
        uint32_t name, size;
    } cache; /* struct kmem_cache */
    struct {
        uint32_t task;
    } thread;
    struct {
        uint32_t stack, mm, active_mm, comm, pid;
    } task;
    struct {
        uint32_t pgd, start_data, end_data, start_brk, brk, start_stack, env_end, owner;
    } mm;
    struct {
        uint32_t mm, start, end, offset, file;
    } area;
    struct {
        uint32_t inode, path_dentry;
    } file;
    struct {
        uint32_t host;
    } mapping;
    struct {
        uint32_t mode, number, dentries;
    } inode;
    struct {
        uint32_t alias, name;
    } dentry;
};

struct kernel_memory {
    const struct annotate *annotate;
    const struct physmem *mem;
    bool known;        /* all offsets are, and the symbols; else nothing below means anything */
    vaddr from_symbol; /* the first symbol's address, when this was looked up: the kernel may move */
    struct kernel_offsets at;
    uint32_t page_bytes;             /* of struct page */
    vaddr map_at, pages_at;          /* variables: mem_map, max_mapnr */
    vaddr stacks;                    /* the array kernelsp; 0: not known */
    vaddr text, text_end, image_end; /* of the kernel itself */
    vaddr cpu_first, cpu_end;        /* variables of each processor, as the image has them; 0: not known */
    vaddr cpu_offsets, cpu_count_at; /* __per_cpu_offset, nr_cpu_ids */
    vaddr first_task;                /* init_task: the idle process of processor 0 */
    vaddr zero_page_at, page_table;  /* empty_zero_page; invalid_pte_table */
};

/* Of ANNOTATE's machine; nothing is known yet. ANNOTATE outlives it. */
void kernel_memory_init(struct kernel_memory *kernel, const struct annotate *annotate);

/* Look up what has to be, if it has not been since the kernel last moved. False: this is no kernel that is known, or no
 * `library layout`. */
bool kernel_memory_look(struct kernel_memory *kernel);

/* The word at ADDRESS of kseg0. False: it is not there, or no word. */
static inline bool kernel_read(const struct kernel_memory *kernel, vaddr address, uint32_t *word)
{
    const paddr pa = address & 0x1fffffff;
    if (address >> 29 != 4 || address & 3 || !physmem_page_is_ram(kernel->mem, pa))
        return false;
    memcpy(word, physmem_host(kernel->mem, pa), sizeof *word);
    return true;
}

/* The same; 0 if there is none. */
static inline uint32_t kernel_word(const struct kernel_memory *kernel, vaddr address)
{
    uint32_t word;
    return kernel_read(kernel, address, &word) ? word : 0;
}

/* Does the struct page at PAGE bear MARK? */
static inline bool kernel_page_is(const struct kernel_memory *kernel, vaddr page, const struct page_mark *mark)
{
    return (kernel_word(kernel, page + mark->field) & mark->mask) == mark->value;
}

/* SIZE bytes. False: not all of them are there. */
bool kernel_bytes(const struct kernel_memory *kernel, vaddr address, void *buffer, uint32_t size);
/* Text, made printable, without '"' and '\\'. Empty if there is none. */
void kernel_text(const struct kernel_memory *kernel, vaddr address, char *buffer, uint32_t size);

/* The struct page of physical address PA: the head of its block, if it is one of several. 0: there is none. */
vaddr kernel_page(const struct kernel_memory *kernel, paddr pa);

/* The task_struct of the process that CORE runs; 0 if it cannot be seen. Also in user mode. */
vaddr kernel_current(const struct kernel_memory *kernel, const struct core *core);
/* The task_struct of the process whose kernel stack ADDRESS is on; 0 if it is on none that is in use. */
vaddr kernel_stack_owner(const struct kernel_memory *kernel, vaddr address);

/* The processor whose variable is at ADDRESS, and where that is in the image; false: it is none. */
bool kernel_cpu_variable(const struct kernel_memory *kernel, vaddr address, unsigned *cpu, vaddr *variable);

#endif
