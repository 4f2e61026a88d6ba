/*
 * The flat translation tables, a software TLB with one entry per 4 KB virtual page for each of user and kernel mode.
 * The slow path fills them on demand. Every TLB write and address-space switch removes stale entries, at a cost bounded
 * by the pages that the TLB maps.
 *
 * Loads and stores through kseg1 and uncached pages are never entered: they take the slow path.
 */
#ifndef SIMOS_CPU_PRIVILEGED_VMAP_H
#define SIMOS_CPU_PRIVILEGED_VMAP_H

#include "cpu/model.h"
#include <string.h>

/* Create a zeroed core with empty tables. The tables reserve host address space; only touched pages use memory. NULL
 * with ERR set if the host refuses. */
struct core *vmap_create_core(struct err *err);
void vmap_free_core(struct core *core);

/* Clear the fast-path permission bytes and set them up for first-level data cache lines of LINE bytes. They are not
 * used if LINE is below 8 or above the page size. */
void vmap_set_permit_line(struct core *core, uint32_t line);

/* Set core->map to the tables of the current mode. */
static inline void vmap_select(struct core *core)
{
    core->map = &core->maps[core->user_mode ? VMAP_USER : VMAP_KERNEL];
}

/* Enter a page after an access of that kind was successfully translated in the current mode. A page that holds code or
 * is watched is not entered for stores. A page with watched loads (cpu/privileged/data_watch.h) is entered for neither,
 * because a page entered for stores must also be readable. */
void vmap_enter_load(struct core *core, vaddr address, paddr pa);
void vmap_enter_store(struct core *core, vaddr address, paddr pa);
void vmap_enter_code(struct core *core, vaddr address, void *page);

/* The element of a load or store table for the page of ADDRESS at PA: its host address less ADDRESS. */
static inline uintptr_t vmap_addend(const struct core *core, vaddr address, paddr pa)
{
    return (uintptr_t)physmem_host(core->mem, pa & ~(paddr)(PAGE_SIZE - 1)) - (address & ~(vaddr)(PAGE_SIZE - 1));
}

/* vmap_enter_missed() of a fetch. */
void vmap_enter_missed_code(struct core *core, unsigned index, vaddr address, paddr pa, unsigned mode);

/* TLB entry INDEX, which has no entries in the tables, was just written for the access to ADDRESS that missed: enter
 * the page at once, with physical address PA, in MODE, that of the access. FETCHED: for fetches, if the model has code
 * of the page; otherwise for loads, and for stores if WRITABLE. */
static inline void vmap_enter_missed(struct core *core, unsigned mode, unsigned index, vaddr address, paddr pa,
                                     bool writable, bool fetched)
{
    const uint32_t page = address >> PAGE_SHIFT;
    const uint8_t flags = core->mem->page_flags[pa >> PAGE_SHIFT];
    if (SIM_UNLIKELY((flags & (PAGE_IS_RAM | PAGE_LOADS_WATCHED)) != PAGE_IS_RAM || core->data_watch != NULL))
        return; /* watches are considered when the page is accessed */
    if (fetched) {
        vmap_enter_missed_code(core, index, address, pa, mode);
        return;
    }
    const struct vmap *map = &core->maps[mode];
    const uintptr_t addend = vmap_addend(core, address, pa);
    const bool stores = writable && flags == PAGE_IS_RAM;
    map->load[page] = addend;
    if (stores)
        map->store[page] = addend;
    const uint32_t tables = 1u << VMAP_LOAD | (uint32_t)stores << VMAP_STORE;
    core->vmap_extent[index] =
        (struct vmap_extent){.tables = tables << (mode * VMAP_KINDS), .first = page, .last = page};
}

/* A load or store entry of virtual PAGE in MODE is removed: clear the permission bytes of its lines. */
static inline void vmap_clear_permissions(struct core *core, unsigned mode, uint32_t page)
{
    const unsigned shift = core->permit_shift;
    if (core->permit_by_vaddr)
        memset(core->permits[mode] + ((size_t)page << (PAGE_SHIFT - shift)), 0, PAGE_SIZE >> shift);
}
/* Remove virtual PAGE from the tables of MODE that bit mask TABLES selects. Which they are cannot be predicted, so the
 * code has no branches for it. */
static inline void vmap_remove_page(struct core *core, unsigned mode, uint32_t tables, uint32_t page)
{
    const struct vmap *map = &core->maps[mode];
    uintptr_t none;
    uintptr_t *load = map->load + page, *store = map->store + page;
    void *nothing, **code = map->code + page;
    if (core->permit_by_vaddr && tables & (1 << VMAP_LOAD | 1 << VMAP_STORE))
        vmap_clear_permissions(core, mode, page);
    load = tables & 1 << VMAP_LOAD ? load : &none;
    store = tables & 1 << VMAP_STORE ? store : &none;
    code = tables & 1 << VMAP_CODE ? code : &nothing;
    *load = *store = 0;
    *code = NULL;
}
/* Remove pages FIRST to LAST from TABLES of both modes (struct vmap_extent). */
void vmap_remove_pages(struct core *core, uint32_t tables, uint32_t first, uint32_t last);

/* TLB entry INDEX will be overwritten or its address space left: remove its pages from the tables. */
static inline void vmap_invalidate_entry(struct core *core, unsigned index)
{
    _Static_assert(VMAP_USER == 0, "its bits are the lowest");
    struct vmap_extent *reach = &core->vmap_extent[index];
    const uint32_t tables = reach->tables;
    reach->tables = 0;
    if (SIM_LIKELY(reach->first == reach->last && tables < 1u << VMAP_KINDS))
        vmap_remove_page(core, VMAP_USER, tables, reach->first);
    else
        vmap_remove_pages(core, tables, reach->first, reach->last);
}
/* Clear the index of the TLB (tlb.c). */
void vmap_clear_tlb_index(struct core *core);
/* Remove all entries (reset, Config.K0 change, restored state). */
void vmap_invalidate_all(struct core *core);
/* Remove the store entries of physical PAGE, so that stores to it take the slow path. */
void vmap_protect_page(struct core *core, paddr page);
/* Remove the load and store entries of physical PAGE, and so the permissions of its lines. */
void vmap_forget_data(struct core *core, paddr page);
/* Remove the code entries of physical PAGE. */
void vmap_invalidate_code(struct core *core, paddr page);

#endif
