/*
 * Fast access to the guest kernel's memory: words at kseg0 addresses without translation, structure offsets that are
 * looked up once, and the roots of the kernel's data structures: the array of struct page, one for each page of RAM
 * (FLATMEM), the current process of a processor, the kernel image, the per-CPU variables. For Linux 6.1 and 6.12, with
 * the structures of `library layout`. No value read from the guest is trusted.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_KERNEL_MEMORY_H
#define SIMOS_ANNOTATIONS_SYMBOLS_KERNEL_MEMORY_H

#include "annotations/symbols/machine_view.h"
#include <string.h>

struct guest_view;

/* A property of a page (include/linux/page-flags.h): it holds if the bits MASK of a word of its struct page are
 * VALUE. The word and the bits differ between kernels. */
struct page_property {
    uint32_t field; /* offset in struct page */
    uint32_t mask, value;
};

/* Offsets in kernel structures. */
struct kernel_offsets {
    struct {
        uint32_t compound_head, slab_cache, mapping, index, count;
        struct page_property reserved, head, slab, free, table; /* free: in the buddy allocator; table: a page table */
    } page;
    struct {
        uint32_t name, size;
    } cache; /* struct kmem_cache */
    struct {
        uint32_t task;
    } thread;
    struct {
        uint32_t stack, mm, active_mm, comm, pid, tasks;
    } task;
    struct {
        uint32_t pgd, start_data, end_data, start_brk, brk, start_stack, env_end, owner;
        bool has_owner; /* a kernel without memory control groups has no such field */
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
    const struct guest_view *view;
    const struct physmem *mem;
    bool known;        /* all offsets and symbols have been found; the following members are invalid otherwise */
    vaddr from_symbol; /* address of the first symbol at that time, to detect relocation of the kernel */
    struct kernel_offsets at;
    uint32_t page_bytes;             /* size of struct page */
    vaddr map_at, pages_at;          /* addresses of the variables mem_map, max_mapnr */
    vaddr stacks;                    /* address of the array kernelsp; 0: unknown */
    vaddr text, text_end, image_end; /* of the kernel image */
    vaddr cpu_first, cpu_end;        /* range of the per-CPU variables in the image; 0: unknown */
    vaddr cpu_offsets, cpu_count_at; /* addresses of __per_cpu_offset, nr_cpu_ids */
    vaddr first_task;                /* init_task: the idle task of processor 0 */
    vaddr zero_page_at, page_table;  /* addresses of empty_zero_page and invalid_pte_table */
};

/* Initialise for VIEW's machine, without looking anything up. VIEW must outlive KERNEL. */
void kernel_memory_init(struct kernel_memory *kernel, const struct guest_view *view);

/* Look up offsets and symbols, unless that has been done since the kernel was last relocated. False if the kernel is
 * not supported, or there is no `library layout`. */
bool kernel_memory_find(struct kernel_memory *kernel);

/* Read the word at kseg0 ADDRESS. False if it is not in RAM or not aligned. */
static inline bool kernel_read(const struct kernel_memory *kernel, vaddr address, uint32_t *word)
{
    const paddr pa = vaddr_physical(address);
    if (!vaddr_in_kseg0(address) || address & 3 || !physmem_page_is_ram(kernel->mem, pa))
        return false;
    memcpy(word, physmem_host(kernel->mem, pa), sizeof *word);
    return true;
}

/* The same; 0 on failure. */
static inline uint32_t kernel_word(const struct kernel_memory *kernel, vaddr address)
{
    uint32_t word;
    return kernel_read(kernel, address, &word) ? word : 0;
}

/* True if the struct page at PAGE has the property MARK. */
static inline bool kernel_page_has(const struct kernel_memory *kernel, vaddr page, const struct page_property *mark)
{
    return (kernel_word(kernel, page + mark->field) & mark->mask) == mark->value;
}

/* Read SIZE bytes at kseg0 ADDRESS. False if they are not all in RAM. */
bool kernel_bytes(const struct kernel_memory *kernel, vaddr address, void *buffer, uint32_t size);
/* Read a string; unprintable characters, '"' and '\' become '?'. Empty if it is not in RAM. */
void kernel_text(const struct kernel_memory *kernel, vaddr address, char *buffer, uint32_t size);

/* The struct page of physical address PA; of a compound page, that of its head. 0: none. */
vaddr kernel_page(const struct kernel_memory *kernel, paddr pa);

/* The task_struct of the process that CORE runs, in kernel or user mode; 0 if it cannot be determined. */
vaddr kernel_current(const struct kernel_memory *kernel, const struct core *core);
/* The task_struct of the process whose kernel stack contains ADDRESS; 0 if no stack in use does. */
vaddr kernel_stack_owner(const struct kernel_memory *kernel, vaddr address);
/* The task_struct of the process whose mm_struct is at MM: its owner, or in a kernel whose mm_struct has none the first
 * in the list of tasks that has this one. 0: none. */
vaddr kernel_task_of(const struct kernel_memory *kernel, vaddr mm);

/* The task_struct of the process with number PID, or, if NAME is not NULL, of the first one of that name, in the list
 * of tasks, which has no other threads than the first of a process. 0: none. */
vaddr kernel_find_task(const struct kernel_memory *kernel, uint32_t pid, const char *name);

/* If ADDRESS is in a per-CPU variable, its processor and its address in the image. False if not. */
bool kernel_cpu_variable(const struct kernel_memory *kernel, vaddr address, unsigned *cpu, vaddr *variable);

#endif
