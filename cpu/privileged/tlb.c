/* The TLB and address translation. */
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/vmap.h"
#include <string.h>

#define UNUSED KSEG0_BASE /* VPN2 of an unused entry: in kseg0, which matches no translation */

/* Does VPN2, the tag of an entry, mark it as unused? Tags in kseg0 and kseg1 match no translation. */
static bool is_unused(uint32_t vpn2)
{
    return vaddr_is_unmapped(vpn2);
}

static bool is_indexed(const struct core *core, const struct tlb_entry *entry)
{
    return entry->page_mask == 0 && (entry->global || entry->asid == core_asid(core)) && !is_unused(entry->vpn2);
}

/* Does an entry of large pages map ADDRESS? Its number, or -1. */
static int find_large(const struct core *core, vaddr address)
{
    const uint8_t asid = core_asid(core);
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        const struct tlb_entry *entry = &core->s.tlb[i];
        if (entry->page_mask != 0 && ((address ^ entry->vpn2) & core->architecture->tlb.vpn & ~entry->page_mask) == 0 &&
            (entry->global || entry->asid == asid))
            return (int)i;
    }
    return -1;
}

static inline int find(const struct core *core, vaddr address)
{
    const unsigned found = *tlb_index_of(core, address);
    return found > 0 ? (int)found - 1 : SIM_UNLIKELY(core->tlb_large > 0) ? find_large(core, address) : -1;
}

/* Remove entry INDEX from the index and the flat tables. */
static inline void remove_entry(struct core *core, unsigned index)
{
    const struct tlb_entry *entry = &core->s.tlb[index];
    uint16_t *number = tlb_index_of(core, entry->vpn2);
    vmap_invalidate_entry(core, index);
    if (*number == index + 1)
        *number = 0;
    core->tlb_large -= entry->page_mask != 0;
}

/* Put ENTRY, number INDEX, into the index. */
static inline void enter_index(struct core *core, unsigned index, const struct tlb_entry *entry)
{
    if (is_indexed(core, entry))
        *tlb_index_of(core, entry->vpn2) = (uint16_t)(index + 1);
    core->tlb_large += entry->page_mask != 0;
}

static void invalidate(struct core *core, unsigned index)
{
    remove_entry(core, index);
    core->s.tlb[index] = (struct tlb_entry){.vpn2 = UNUSED + ((uint32_t)index << 14)};
}

void tlb_rebuild(struct core *core)
{
    vmap_clear_tlb_index(core);
    core->tlb_large = 0;
    for (unsigned i = 0; i < core->tlb_entries; i++)
        enter_index(core, i, &core->s.tlb[i]);
}

void tlb_change_asid(struct core *core, uint8_t old_asid)
{
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        const struct tlb_entry *entry = &core->s.tlb[i];
        if (entry->global) {
            /* Global pages stay mapped; but if the ASID selects the cache set of user addresses, their lines are then
             * elsewhere, and permission bytes must not remain. */
            if (core->permit_by_space && vaddr_in_kuseg(entry->vpn2))
                vmap_invalidate_entry(core, i);
        } else if (entry->asid == old_asid) {
            uint16_t *number = tlb_index_of(core, entry->vpn2);
            vmap_invalidate_entry(core, i);
            if (*number == i + 1) /* not one of the new address space that was entered already */
                *number = 0;
        } else if (is_indexed(core, entry)) {
            *tlb_index_of(core, entry->vpn2) = (uint16_t)(i + 1);
        }
    }
}

void tlb_reset(struct core *core)
{
    for (unsigned i = 0; i < TLB_MAX_ENTRIES; i++)
        invalidate(core, i);
    tlb_rebuild(core);
}

int tlb_find(const struct core *core, vaddr address)
{
    return find(core, address);
}

static bool is_cached(unsigned cca)
{
    return cca != CCA_UNCACHED && cca != CCA_UNCACHED_ACCELERATED;
}

static bool overlaps(const struct core *core, const struct tlb_entry *a, const struct tlb_entry *b)
{
    return ((a->vpn2 ^ b->vpn2) & core->architecture->tlb.vpn & ~(a->page_mask | b->page_mask)) == 0 &&
           (a->global || b->global || a->asid == b->asid);
}

/* Invalidate all entries that overlap ENTRY, which is about to be written with the current ASID. (Tags that mark unused
 * entries may overlap.) */
static __attribute__((noinline)) void invalidate_overlapping(struct core *core, const struct tlb_entry *entry)
{
    if (is_unused(entry->vpn2))
        return;
    for (unsigned i = 0; i < core->tlb_entries; i++)
        if (overlaps(core, &core->s.tlb[i], entry))
            invalidate(core, i);
}

/* Entry INDEX, which had been removed, was just set, whatever it is: make it valid. */
static __attribute__((noinline)) void enter_any(struct core *core, unsigned index)
{
    const struct tlb_entry written = core->s.tlb[index];
    core->s.tlb[index].vpn2 = UNUSED; /* overlaps nothing */
    invalidate_overlapping(core, &written);
    core->s.tlb[index] = written;
    enter_index(core, index, &written);
}

/* ENTRY, of 4 KB pages, was just written, as number INDEX. Most are written for the page that just missed: the access
 * will be repeated, so the page is entered in the flat tables at once. */
static inline void enter_missed(struct core *core, unsigned index, const struct tlb_entry *entry)
{
    const uint32_t *cp0 = core->s.cp0;
    const vaddr missed = cp0[CP0_BADVADDR];
    const uint32_t lo = entry->lo[missed & PAGE_SIZE ? 1 : 0];
    const bool unmapped = cp0[CP0_STATUS] & core->architecture->kuseg_unmapped;
    /* The mode to which the refill handler will return; kernel addresses are entered for kernel mode only, even if the
     * miss occurred while handling a user-mode exception. */
    const unsigned mode =
        cp0[CP0_STATUS] & core->architecture->returns_to_user && vaddr_in_kuseg(missed) ? VMAP_USER : VMAP_KERNEL;
    if (((missed ^ entry->vpn2) & core->architecture->tlb.vpn) == 0 && (lo & TLB_VALID) &&
        is_cached((lo & TLB_CACHE) >> TLB_CACHE_SHIFT) && !unmapped)
        vmap_enter_missed(core, mode, index, missed, tlb_small_page_base(lo), lo & TLB_DIRTY, missed == cp0[CP0_EPC]);
}

/* ENTRY was just written. If it has the page that missed, which is at ADDRESS, the machine is told. */
static __attribute__((noinline)) void report_miss(struct core *core, const struct tlb_entry *entry, vaddr address)
{
    const uint32_t offset_mask = tlb_offset_mask(entry->page_mask);
    const unsigned half = address & (offset_mask + 1) ? 1 : 0;
    const uint32_t lo = entry->lo[half];
    if (((address ^ entry->vpn2) & core->architecture->tlb.vpn & ~entry->page_mask) == 0 && lo & TLB_VALID &&
        is_cached((lo & TLB_CACHE) >> TLB_CACHE_SHIFT))
        core->hooks->tlb_missed(core->hooks_opaque, core, tlb_page_base(entry, half) | (address & offset_mask));
}

bool tlb_fill(struct core *core, const struct tlb_entry *entry, vaddr address, bool fetched)
{
    const uint32_t lo = entry->lo[address & PAGE_SIZE ? 1 : 0];
    const unsigned index = tlb_random(core);
    core->counts.tlb_writes++;
    core->s.cp0[CP0_RANDOM]++;
    if (SIM_UNLIKELY(core->reports_tlb))
        report_miss(core, entry, address);
    remove_entry(core, index);
    const vaddr replaced = core->s.tlb[index].vpn2;
    core->s.tlb[index] = *entry;
    if (SIM_UNLIKELY((core->tlb_large | entry->page_mask | entry->global) != 0)) {
        enter_any(core, index);
        return !vaddr_is_unmapped(core->s.pc);
    }
    *tlb_index_of(core, entry->vpn2) = (uint16_t)(index + 1);
    if (lo & TLB_VALID && is_cached((lo & TLB_CACHE) >> TLB_CACHE_SHIFT))
        vmap_enter_missed(core, core->user_mode ? VMAP_USER : VMAP_KERNEL, index, address, tlb_small_page_base(lo),
                          lo & TLB_DIRTY, fetched);
    return ((replaced ^ core->s.pc) & core->architecture->tlb.vpn) == 0;
}

void tlb_write(struct core *core, unsigned index)
{
    core->counts.tlb_writes++;
    core->s.cp0[CP0_RANDOM]++;
    if (SIM_UNLIKELY(index >= core->tlb_entries)) {
        log_guest(core->log, "tlb.index", "CPU %u writes TLB entry %u of %u", core->number, index, core->tlb_entries);
        return;
    }
    /* Code in mapped space may have changed the mapping of its own page. */
    if (!vaddr_is_unmapped(core->s.pc))
        core->attention = true;
    remove_entry(core, index);
    struct tlb_entry *entry = &core->s.tlb[index];
    core->architecture->tlb.from_registers(core->s.cp0, entry);
    if (SIM_UNLIKELY(core->reports_tlb))
        report_miss(core, entry, core->s.cp0[CP0_BADVADDR]);
    uint16_t *number = tlb_index_of(core, entry->vpn2);
    /* An entry of 4 KB pages can overlap only what the index has for them, a larger, or a global one: those of other
     * address spaces overlap only global ones. */
    if (SIM_UNLIKELY(*number != 0 || (core->tlb_large | entry->page_mask | entry->global) != 0 ||
                     is_unused(entry->vpn2))) {
        enter_any(core, index);
        return;
    }
    *number = (uint16_t)(index + 1);
    enter_missed(core, index, entry);
}

bool tlb_entry_is_valid(const struct core *core, const struct tlb_entry *entry)
{
    const uint32_t mask = tlb_page_mask(entry->page_mask);
    return mask == entry->page_mask && !(entry->vpn2 & (mask | ~core->architecture->tlb.vpn));
}

bool tlb_mapping(const struct core *core, unsigned index, struct tlb_mapping *mapping)
{
    const struct tlb_entry *entry = &core->s.tlb[index];
    *mapping = (struct tlb_mapping){.address = entry->vpn2,
                                    .page_bytes = tlb_offset_mask(entry->page_mask) + 1,
                                    .asid = entry->asid,
                                    .global = entry->global,
                                    .pages = tlb_pages(core)};
    for (unsigned half = 0; half < mapping->pages; half++) {
        const uint32_t lo = entry->lo[half];
        mapping->page[half].address = tlb_page_base(entry, half);
        mapping->page[half].valid = lo & TLB_VALID;
        mapping->page[half].writable = lo & TLB_DIRTY;
        mapping->page[half].cache = (lo & TLB_CACHE) >> TLB_CACHE_SHIFT;
    }
    return mapping->page[0].valid || mapping->page[1].valid;
}

void tlb_read(struct core *core, unsigned index)
{
    if (index >= core->tlb_entries) {
        log_guest(core->log, "tlb.index", "CPU %u reads TLB entry %u of %u", core->number, index, core->tlb_entries);
        return;
    }
    const struct tlb_entry *entry = &core->s.tlb[index];
    core->architecture->tlb.to_registers(entry, core->s.cp0);
    cp0_set_entryhi(core, entry->vpn2 | (uint32_t)entry->asid << core->architecture->tlb.asid_shift);
}

/* Translate addresses that bypass the TLB. */
static bool translate_unmapped(const struct core *core, vaddr address, paddr *pa, bool *cached)
{
    if (vaddr_is_unmapped(address)) {
        *pa = vaddr_physical(address);
        *cached = vaddr_in_kseg0(address) && is_cached(core->s.cp0[CP0_CONFIG] & 7);
        return true;
    }
    if (vaddr_in_kuseg(address) && SIM_UNLIKELY(core->s.cp0[CP0_STATUS] & core->architecture->kuseg_unmapped)) {
        *pa = address;
        *cached = false;
        return true;
    }
    return false;
}

static paddr entry_address(const struct tlb_entry *entry, vaddr address, uint32_t *lo)
{
    uint32_t offset_mask = tlb_offset_mask(entry->page_mask);
    unsigned half = (address & (offset_mask + 1)) != 0;
    *lo = entry->lo[half];
    return tlb_page_base(entry, half) | (address & offset_mask);
}

int tlb_translate(struct core *core, vaddr address, enum access access, paddr *pa, bool *cached)
{
    if (SIM_UNLIKELY(!vaddr_in_kuseg(address) && core->user_mode))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_ADES : EXC_ADEL, address, false);
    if (translate_unmapped(core, address, pa, cached))
        return 0;
    int found = find(core, address);
    if (found < 0 && SIM_UNLIKELY(core->tlb_walks) && page_walker_walk(core, address, access))
        found = find(core, address);
    if (found < 0)
        return core_raise_address(core, access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL, address, true);
    uint32_t lo;
    *pa = entry_address(&core->s.tlb[found], address, &lo);
    *cached = is_cached((lo & TLB_CACHE) >> TLB_CACHE_SHIFT);
    if (!(lo & TLB_VALID))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL, address, false);
    if (access == ACCESS_STORE && !(lo & TLB_DIRTY))
        return core_raise_address(core, EXC_MOD, address, false);
    return 0;
}

/* *LO is EntryLo of the page, if it is mapped by the TLB; all pages are writable without. */
static bool probe(const struct core *core, vaddr address, paddr *pa, bool *cached, uint32_t *lo)
{
    *lo = TLB_VALID | TLB_DIRTY;
    if (translate_unmapped(core, address, pa, cached))
        return true;
    const int found = find(core, address);
    if (found < 0)
        return false;
    *pa = entry_address(&core->s.tlb[found], address, lo);
    *cached = is_cached((*lo & TLB_CACHE) >> TLB_CACHE_SHIFT);
    return *lo & TLB_VALID;
}

bool tlb_probe_address(const struct core *core, vaddr address, paddr *pa)
{
    bool cached;
    uint32_t lo;
    return probe(core, address, pa, &cached, &lo);
}

bool tlb_probe_cached(const struct core *core, vaddr address, paddr *pa)
{
    bool cached;
    uint32_t lo;
    return probe(core, address, pa, &cached, &lo) && cached;
}

bool tlb_probe_data(const struct core *core, vaddr address, bool store, paddr *pa)
{
    bool cached;
    uint32_t lo;
    return probe(core, address, pa, &cached, &lo) && cached && (!store || lo & TLB_DIRTY);
}
