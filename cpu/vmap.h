/*
 * The flat translation tables (architecture: "the fast path is flat"): one entry a 4 KB virtual page, for each of user
 * and kernel mode, filled on demand by the slow path and kept true on every TLB write and address-space switch by
 * visiting at most what the TLB holds.
 *
 * Loads and stores of kseg1 and of uncached pages are never entered: they take the slow path.
 */
#ifndef SIMOS_CPU_VMAP_H
#define SIMOS_CPU_VMAP_H

#include "cpu/core.h"

/* A core, all zero, with empty tables: address space of the host, of which only touched pages take memory. NULL with
 * ERR set if the host refuses. */
struct core *vmap_create_core(struct err *err);
void vmap_free_core(struct core *core);

/* Lines of the first-level data cache have LINE bytes: the quick-check bytes, all 0 now, are for those. They are not
 * used if it is below 8 or above a page. */
void vmap_use_quick(struct core *core, uint32_t line);

/* Point load_map, store_map, code_map, quick_map at the tables of the current mode. */
static inline void vmap_select(struct core *core)
{
    const struct vmap *map = &core->maps[core->user_mode ? VMAP_USER : VMAP_KERNEL];
    core->load_map = map->load;
    core->store_map = map->store;
    core->code_map = map->code;
    core->quick_map = core->quick[core->user_mode ? QUICK_USER : QUICK_KERNEL];
}

/* Enter a page after a successful translation of an access of that kind in the current mode. A page that holds code or
 * is watched is not entered for stores. One whose loads are told (cpu/data_watch.h) is not entered at all: what may be
 * stored to may be read. */
void vmap_enter_load(struct core *core, vaddr address, paddr pa);
void vmap_enter_store(struct core *core, vaddr address, paddr pa);
void vmap_enter_code(struct core *core, vaddr address, void *page);

/* TLB entry INDEX has just been written for the access to ADDRESS that missed, in the mode to which the handler will
 * return: the page whose physical address is PA is entered at once, for loads, and for stores if it is WRITABLE. */
void vmap_enter_missed(struct core *core, unsigned index, vaddr address, paddr pa, bool writable);

/* TLB entry INDEX is about to be overwritten or its address space left: forget its pages. */
void vmap_forget_entry(struct core *core, const struct tlb_entry *entry);
/* The current ASID changes: forget all pages of non-global entries with the old one. */
void vmap_forget_asid(struct core *core, uint8_t old_asid);
/* Forget everything (reset, Config.K0 change, restored state). */
void vmap_forget_all(struct core *core);
/* Stores into physical PAGE must take the slow path. */
void vmap_protect_page(struct core *core, paddr page);
/* Physical PAGE's code entries must be looked up again. */
void vmap_forget_code(struct core *core, paddr page);

#endif
