/*
 * The flat translation tables, a software TLB with one entry per 4 KB virtual page for each of user and kernel mode.
 * The slow path fills them on demand. Every TLB write and address-space switch removes stale entries, at a cost bounded
 * by the pages that the TLB maps.
 *
 * Loads and stores through kseg1 and uncached pages are never entered: they take the slow path.
 */
#ifndef SIMOS_CPU_VMAP_H
#define SIMOS_CPU_VMAP_H

#include "cpu/core.h"

/* Create a zeroed core with empty tables. The tables reserve host address space; only touched pages use memory. NULL
 * with ERR set if the host refuses. */
struct core *vmap_create_core(struct err *err);
void vmap_free_core(struct core *core);

/* Clear the fast-path permission bytes and set them up for first-level data cache lines of LINE bytes. They are not
 * used if LINE is below 8 or above the page size. */
void vmap_set_permit_line(struct core *core, uint32_t line);

/* Set load_map, store_map, code_map and permit_map to the tables of the current mode. */
static inline void vmap_select(struct core *core)
{
    const struct vmap *map = &core->maps[core->user_mode ? VMAP_USER : VMAP_KERNEL];
    core->load_map = map->load;
    core->store_map = map->store;
    core->code_map = map->code;
    core->permit_map = core->permits[core->user_mode ? PERMIT_TABLE_USER : PERMIT_TABLE_KERNEL];
}

/* Enter a page after an access of that kind was successfully translated in the current mode. A page that holds code or
 * is watched is not entered for stores. A page with watched loads (cpu/data_watch.h) is entered for neither, because a
 * page entered for stores must also be readable. */
void vmap_enter_load(struct core *core, vaddr address, paddr pa);
void vmap_enter_store(struct core *core, vaddr address, paddr pa);
void vmap_enter_code(struct core *core, vaddr address, void *page);

/* TLB entry INDEX was just written for the access to ADDRESS that missed: enter the page at once, with physical address
 * PA, in the mode to which the refill handler will return; for loads, for stores if WRITABLE, and for fetches if
 * FETCHED and the model has code of the page. */
void vmap_enter_missed(struct core *core, unsigned index, vaddr address, paddr pa, bool writable, bool fetched);

/* TLB entry INDEX will be overwritten or its address space left: remove its pages from the tables. */
void vmap_invalidate_entry(struct core *core, const struct tlb_entry *entry);
/* The current ASID changes: remove all pages of non-global entries with OLD_ASID, and user pages of global ones if the
 * ASID selects the set of the data cache. */
void vmap_invalidate_asid(struct core *core, uint8_t old_asid);
/* Clear the index of the TLB (tlb.c). */
void vmap_clear_tlb_index(struct core *core);
/* Remove all entries (reset, Config.K0 change, restored state). */
void vmap_invalidate_all(struct core *core);
/* Remove the store entries of physical PAGE, so that stores to it take the slow path. */
void vmap_protect_page(struct core *core, paddr page);
/* Remove the code entries of physical PAGE. */
void vmap_invalidate_code(struct core *core, paddr page);

#endif
