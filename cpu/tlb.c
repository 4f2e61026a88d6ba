/* The TLB and address translation. */
#include "cpu/tlb.h"
#include "cpu/cp0.h"
#include "cpu/vmap.h"
#include <string.h>

enum {
    ENTRYHI_ASID = 0xff,
    TAG_UNUSED = 0x1f00, /* bits between ASID and VPN2, set in the tags of unused slots */
    LO_GLOBAL = 1 << 0,
    LO_VALID = 1 << 1,
    LO_DIRTY = 1 << 2,
    LO_C_SHIFT = 3,
    CCA_UNCACHED = 2,
    CCA_UNCACHED_ACCELERATED = 7,
    SCAN = 8, /* number of entries compared at once; divides TLB_MAX_ENTRIES */
};
#define ENTRYHI_VPN2 0xffffe000u

typedef uint32_t quad __attribute__((vector_size(16), may_alias));
typedef uint64_t pair __attribute__((vector_size(16)));

static uint32_t entry_tag(const struct tlb_entry *entry)
{
    return entry->vpn2 | entry->asid;
}

static uint32_t entry_compare(const struct tlb_entry *entry)
{
    return (~entry->page_mask & ENTRYHI_VPN2) | TAG_UNUSED | (entry->global ? 0 : ENTRYHI_ASID);
}

/* First entry whose tag equals KEY in the bits selected by both MASK and its compare word; -1 if there is none. */
static int scan(const struct core *core, uint32_t key, uint32_t mask)
{
    quad keys = {key, key, key, key}, masks = {mask, mask, mask, mask}, zero = {0};
    for (unsigned i = 0; i < core->tlb_entries; i += SCAN) {
        const quad *tags = (const quad *)&core->tlb_tag[i], *compares = (const quad *)&core->tlb_compare[i];
        quad low = (quad)(((tags[0] ^ keys) & compares[0] & masks) == zero);
        quad high = (quad)(((tags[1] ^ keys) & compares[1] & masks) == zero);
        pair any = (pair)(low | high);
        if (!(any[0] | any[1]))
            continue;
        for (unsigned j = i; j < i + SCAN; j++)
            if (((core->tlb_tag[j] ^ key) & core->tlb_compare[j] & mask) == 0)
                return (int)j;
    }
    return -1;
}

static bool matches(const struct core *core, unsigned index, uint32_t key)
{
    return ((core->tlb_tag[index] ^ key) & core->tlb_compare[index]) == 0;
}

/* Entry that matches KEY, a VPN2 and an ASID; -1 if there is none. */
static int find(const struct core *core, uint32_t key)
{
    if (SIM_LIKELY(matches(core, core->tlb_hint, key)))
        return (int)core->tlb_hint;
    return scan(core, key, 0xffffffff);
}

/* Compute tag and compare word of ENTRY, number INDEX. */
static inline void derive(struct core *core, unsigned index, const struct tlb_entry *entry)
{
    core->tlb_tag[index] = entry_tag(entry);
    core->tlb_compare[index] = entry_compare(entry);
}

static void invalidate(struct core *core, unsigned index)
{
    vmap_invalidate_entry(core, &core->s.tlb[index]);
    core->s.tlb[index] = (struct tlb_entry){.vpn2 = 0x80000000u + ((uint32_t)index << 14)};
    derive(core, index, &core->s.tlb[index]);
}

void tlb_rebuild(struct core *core)
{
    for (unsigned i = 0; i < TLB_MAX_ENTRIES; i++) {
        core->tlb_tag[i] = core->tlb_compare[i] = 0xffffffff;
        if (i < core->tlb_entries)
            derive(core, i, &core->s.tlb[i]);
    }
    core->tlb_hint = 0;
}

void tlb_reset(struct core *core)
{
    for (unsigned i = 0; i < TLB_MAX_ENTRIES; i++)
        invalidate(core, i);
    tlb_rebuild(core);
}

int tlb_find(const struct core *core, uint32_t entryhi)
{
    return find(core, entryhi & (ENTRYHI_VPN2 | ENTRYHI_ASID));
}

static bool is_cached(unsigned cca)
{
    return cca != CCA_UNCACHED && cca != CCA_UNCACHED_ACCELERATED;
}

/* Entry INDEX is being written: remove the old entry from the comparison, then invalidate all entries that overlap the
 * new one. (Tags in kseg0 and kseg1, which mark unused entries, match no translation and may overlap.) */
static void invalidate_overlapping(struct core *core, unsigned index, const struct tlb_entry *entry)
{
    const uint32_t tag = entry_tag(entry), compare = entry_compare(entry);
    core->tlb_tag[index] = core->tlb_compare[index] = 0xffffffff;
    for (int old = 0; tag >> 30 != 2 && (old = scan(core, tag, compare)) >= 0;)
        invalidate(core, (unsigned)old);
}

/* TLB entry from EntryHi, PageMask, EntryLo0 and EntryLo1. */
static struct tlb_entry entry_of(const uint32_t *cp0)
{
    return (struct tlb_entry){
        .page_mask = cp0[CP0_PAGEMASK],
        .vpn2 = cp0[CP0_ENTRYHI] & ENTRYHI_VPN2 & ~cp0[CP0_PAGEMASK],
        .asid = (uint8_t)(cp0[CP0_ENTRYHI] & ENTRYHI_ASID),
        .global = cp0[CP0_ENTRYLO0] & cp0[CP0_ENTRYLO1] & LO_GLOBAL,
        .lo = {cp0[CP0_ENTRYLO0] & ~(uint32_t)LO_GLOBAL, cp0[CP0_ENTRYLO1] & ~(uint32_t)LO_GLOBAL},
    };
}

/* Entry INDEX was just written. Most are written for the pair of 4 KB pages that just missed: the access will be
 * repeated, so its page is entered in the flat tables at once. */
static void enter_missed(struct core *core, unsigned index)
{
    const struct tlb_entry *entry = &core->s.tlb[index];
    const vaddr address = core->s.cp0[CP0_BADVADDR] & ~(vaddr)(PAGE_SIZE - 1);
    const unsigned half = address >> PAGE_SHIFT & 1;
    const uint32_t lo = entry->lo[half];
    const bool erl = core->s.cp0[CP0_STATUS] & STATUS_ERL; /* kuseg is unmapped then */
    if (entry->page_mask == 0 && !entry->global && ((address ^ entry->vpn2) & ENTRYHI_VPN2) == 0 && (lo & LO_VALID) &&
        is_cached(lo >> LO_C_SHIFT & 7) && !erl)
        vmap_enter_missed(core, index, address, tlb_page_base(entry, half), lo & LO_DIRTY);
}

void tlb_write(struct core *core, unsigned index)
{
    core->counts.tlb_writes++;
    core->s.cp0[CP0_RANDOM]++;
    if (SIM_UNLIKELY(index >= core->tlb_entries)) {
        log_guest(core->log, "tlb.index", "CPU %u writes TLB entry %u of %u", core->number, index, core->tlb_entries);
        return;
    }
    vmap_invalidate_entry(core, &core->s.tlb[index]);
    /* Code in mapped space may have changed the mapping of its own page. */
    if (core->s.pc >> 30 != 2)
        core->attention = true;
    const struct tlb_entry entry = entry_of(core->s.cp0);
    invalidate_overlapping(core, index, &entry);
    core->s.tlb[index] = entry;
    derive(core, index, &entry);
    core->tlb_hint = index;
    enter_missed(core, index);
}

void tlb_read(struct core *core, unsigned index)
{
    if (index >= core->tlb_entries) {
        log_guest(core->log, "tlb.index", "CPU %u reads TLB entry %u of %u", core->number, index, core->tlb_entries);
        return;
    }
    const struct tlb_entry *entry = &core->s.tlb[index];
    core->s.cp0[CP0_PAGEMASK] = entry->page_mask;
    core->s.cp0[CP0_ENTRYLO0] = entry->lo[0] | entry->global;
    core->s.cp0[CP0_ENTRYLO1] = entry->lo[1] | entry->global;
    cp0_set_entryhi(core, entry->vpn2 | entry->asid);
}

unsigned tlb_random(const struct core *core)
{
    uint32_t x = core->s.cp0[CP0_RANDOM] + 1;
    unsigned wired = core->s.cp0[CP0_WIRED];
    /* A mixing function, so that the sequence does not resonate with loops or pairs of writes. */
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    return wired + (unsigned)((uint64_t)x * (core->tlb_entries - wired) >> 32);
}

/* Translate addresses that bypass the TLB. */
static bool translate_unmapped(const struct core *core, vaddr address, paddr *pa, bool *cached)
{
    if (address >> 30 == 2) {
        *pa = address & 0x1fffffff;
        *cached = !(address & 0x20000000) && is_cached(core->s.cp0[CP0_CONFIG] & 7);
        return true;
    }
    if (!(address & 0x80000000u) && SIM_UNLIKELY(core->s.cp0[CP0_STATUS] & STATUS_ERL)) {
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
    if (SIM_UNLIKELY((address & 0x80000000u) && core->user_mode))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_ADES : EXC_ADEL, address, false);
    if (translate_unmapped(core, address, pa, cached))
        return 0;
    uint32_t key = (address & ENTRYHI_VPN2) | (core->s.cp0[CP0_ENTRYHI] & ENTRYHI_ASID);
    const int found = find(core, key);
    if (found < 0)
        return core_raise_address(core, access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL, address, true);
    core->tlb_hint = (unsigned)found;
    uint32_t lo;
    *pa = entry_address(&core->s.tlb[found], address, &lo);
    *cached = is_cached(lo >> LO_C_SHIFT & 7);
    if (!(lo & LO_VALID))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL, address, false);
    if (access == ACCESS_STORE && !(lo & LO_DIRTY))
        return core_raise_address(core, EXC_MOD, address, false);
    return 0;
}

static bool probe(const struct core *core, vaddr address, paddr *pa, bool *cached)
{
    if (translate_unmapped(core, address, pa, cached))
        return true;
    int found = tlb_find(core, (address & ENTRYHI_VPN2) | (core->s.cp0[CP0_ENTRYHI] & ENTRYHI_ASID));
    if (found < 0)
        return false;
    uint32_t lo;
    *pa = entry_address(&core->s.tlb[found], address, &lo);
    *cached = is_cached(lo >> LO_C_SHIFT & 7);
    return lo & LO_VALID;
}

bool tlb_probe_address(const struct core *core, vaddr address, paddr *pa)
{
    bool cached;
    return probe(core, address, pa, &cached);
}

bool tlb_probe_cached(const struct core *core, vaddr address, paddr *pa)
{
    bool cached;
    return probe(core, address, pa, &cached) && cached;
}
