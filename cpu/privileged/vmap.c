/*
 * The flat translation tables. All tables of a core are one host mapping, in which untouched pages use no memory.
 *
 * To remove the pages of a TLB entry with a few stores, each TLB entry records which tables have entries for it and the
 * range of page numbers (struct vmap_extent): one or two pages for a typical entry, and only the pages accessed for a
 * large one.
 */
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/data_watch.h"
#include "cpu/privileged/tlb.h"
#include <string.h>
#include <sys/mman.h>

enum { TABLES_BYTES = VMAP_MODES * VMAP_KINDS * VMAP_TABLE_BYTES };
_Static_assert(sizeof(uintptr_t) == 8 && sizeof(void *) == 8, "size of the tables' entries");
_Static_assert(sizeof(struct core) <= VMAP_FIRST_OFFSET, "the tables follow the core");

static void *table(struct core *core, unsigned mode, unsigned kind)
{
    return (char *)core + vmap_offset(mode, kind);
}

struct core *vmap_create_core(struct err *err)
{
    size_t size = CORE_MAPPING_BYTES;
    struct core *core = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (core == MAP_FAILED) {
        err_set(err, "the host refuses %u MB of address space for a processor and its translation tables",
                (unsigned)(size >> 20));
        return NULL;
    }
    for (unsigned mode = 0; mode < VMAP_MODES; mode++) {
        core->maps[mode].load = table(core, mode, VMAP_LOAD);
        core->maps[mode].store = table(core, mode, VMAP_STORE);
        core->maps[mode].code = table(core, mode, VMAP_CODE);
        core->maps[mode].permits = (uint8_t *)core + permit_offset(mode);
    }
    for (unsigned table = 0; table < PERMIT_TABLES; table++)
        core->permits[table] = (uint8_t *)core + permit_offset(table);
    vmap_select(core);
    return core;
}

void vmap_free_core(struct core *core)
{
    munmap(core, CORE_MAPPING_BYTES);
}

static void empty(void *table, size_t bytes)
{
    if (madvise(table, bytes, MADV_DONTNEED))
        log_bug("madvise");
}

void vmap_clear_tlb_index(struct core *core)
{
    empty(core_tlb_index(core), TLB_INDEX_BYTES);
}

void vmap_set_permit_line(struct core *core, uint32_t line)
{
    core->permit_by_vaddr = line >= 1u << PERMIT_SHIFT_MIN && line <= PAGE_SIZE;
    core->permit_shift = core->permit_by_vaddr ? (uint8_t)__builtin_ctz(line) : PAGE_SHIFT;
    empty(core->permits[0], PERMIT_TABLES * (size_t)PERMIT_TABLE_BYTES - PERMIT_TABLE_BYTES / 2);
    empty(core_permit_data(core), PERMIT_TABLE_BYTES);
}

/* Record in the TLB entry of ADDRESS that it has an entry of KIND in the current mode's tables. False if ADDRESS must
 * not be entered because it is mapped without the TLB (kuseg, by Status). */
static bool record_entry(struct core *core, vaddr address, unsigned kind)
{
    if (vaddr_is_unmapped(address))
        return true;
    if (core->s.cp0[CP0_STATUS] & core->architecture->kuseg_unmapped && vaddr_in_kuseg(address))
        return false;
    const int index = tlb_find(core, address);
    if (index < 0)
        return false;
    struct vmap_extent *reach = &core->vmap_extent[index];
    uint32_t page = address >> PAGE_SHIFT;
    if (!reach->tables) {
        reach->first = reach->last = page;
    } else if (page < reach->first) {
        reach->first = page;
    } else if (page > reach->last) {
        reach->last = page;
    }
    reach->tables |= 1u << ((core->user_mode ? VMAP_USER : VMAP_KERNEL) * VMAP_KINDS + kind);
    return true;
}

/* Flags of the page at PA, including those of watches on virtual ADDRESS. */
static inline uint8_t page_flags(const struct core *core, vaddr address, paddr pa)
{
    const uint8_t flags = core->mem->page_flags[pa >> PAGE_SHIFT];
    return SIM_UNLIKELY(core->data_watch != NULL) ? flags | data_watch_flags(core, address) : flags;
}

void vmap_enter_load(struct core *core, vaddr address, paddr pa)
{
    if ((page_flags(core, address, pa) & (PAGE_IS_RAM | PAGE_LOADS_WATCHED)) == PAGE_IS_RAM &&
        record_entry(core, address, VMAP_LOAD))
        core->map->load[address >> PAGE_SHIFT] = vmap_addend(core, address, pa);
}

void vmap_enter_store(struct core *core, vaddr address, paddr pa)
{
    if (page_flags(core, address, pa) != PAGE_IS_RAM || !record_entry(core, address, VMAP_STORE))
        return;
    core->map->store[address >> PAGE_SHIFT] = vmap_addend(core, address, pa);
}

void vmap_enter_code(struct core *core, vaddr address, void *page)
{
    if (record_entry(core, address, VMAP_CODE))
        core->map->code[address >> PAGE_SHIFT] = page;
}

void vmap_enter_missed_code(struct core *core, unsigned index, vaddr address, paddr pa, unsigned mode)
{
    const uint32_t page = address >> PAGE_SHIFT;
    if (core->model_ops->find_code == NULL)
        return;
    void *code = core->model_ops->find_code(core->model, pa, address & ~(vaddr)(PAGE_SIZE - 1), mode == VMAP_USER);
    if (code == NULL)
        return;
    core->maps[mode].code[page] = code;
    core->vmap_extent[index] =
        (struct vmap_extent){.tables = 1u << (mode * VMAP_KINDS + VMAP_CODE), .first = page, .last = page};
}

void vmap_remove_pages(struct core *core, uint32_t tables, uint32_t first, uint32_t last)
{
    for (unsigned mode = 0; tables; mode++, tables >>= VMAP_KINDS) {
        const uint32_t of_mode = tables & ((1 << VMAP_KINDS) - 1);
        for (uint32_t page = first; of_mode && page <= last; page++)
            vmap_remove_page(core, mode, of_mode, page);
    }
}

void vmap_invalidate_all(struct core *core)
{
    for (unsigned i = 0; i < core->tlb_entries; i++)
        core->vmap_extent[i].tables = 0;
    empty(core->maps[0].load, TABLES_BYTES);
    for (unsigned mode = 0; mode < VMAP_MODES; mode++)
        empty(core->permits[mode], mode == PERMIT_TABLE_USER ? PERMIT_TABLE_BYTES / 2 : PERMIT_TABLE_BYTES);
}

/* Remove all entries of KIND for physical PAGE from CORE's tables. */
static void forget_physical(struct core *core, paddr page, unsigned kind)
{
    const struct vmap *kernel = &core->maps[VMAP_KERNEL];
    page &= ~(paddr)(PAGE_SIZE - 1);
    if (page <= UNMAPPED_PHYSICAL) {
        const uint32_t kseg0 = vaddr_of_kseg0(page) >> PAGE_SHIFT, kseg1 = vaddr_of_kseg1(page) >> PAGE_SHIFT;
        if (kind == VMAP_CODE) {
            kernel->code[kseg0] = kernel->code[kseg1] = NULL;
        } else {
            (kind == VMAP_STORE ? kernel->store : kernel->load)[kseg0] = 0;
            vmap_clear_permissions(core, VMAP_KERNEL, kseg0);
        }
    }
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        uint32_t tables = core->vmap_extent[i].tables;
        if (!(tables >> kind & (1u | 1u << VMAP_KINDS)))
            continue;
        const struct tlb_entry *entry = &core->s.tlb[i];
        uint32_t offset_mask = tlb_offset_mask(entry->page_mask);
        for (unsigned half = 0; half < tlb_pages(core); half++) {
            if ((tlb_page_base(entry, half) ^ page) & ~offset_mask)
                continue;
            vaddr address = entry->vpn2 + half * (offset_mask + 1) + (page & offset_mask);
            for (unsigned mode = 0; mode < VMAP_MODES; mode++) {
                if (!(tables >> (mode * VMAP_KINDS + kind) & 1))
                    continue;
                const struct vmap *map = &core->maps[mode];
                if (kind == VMAP_CODE) {
                    map->code[address >> PAGE_SHIFT] = NULL;
                } else {
                    (kind == VMAP_STORE ? map->store : map->load)[address >> PAGE_SHIFT] = 0;
                    vmap_clear_permissions(core, mode, address >> PAGE_SHIFT);
                }
            }
        }
    }
}

void vmap_protect_page(struct core *core, paddr page)
{
    forget_physical(core, page, VMAP_STORE);
}

void vmap_forget_data(struct core *core, paddr page)
{
    forget_physical(core, page, VMAP_LOAD);
    forget_physical(core, page, VMAP_STORE);
}

void vmap_invalidate_code(struct core *core, paddr page)
{
    forget_physical(core, page, VMAP_CODE);
}
