/*
 * The TLB: entries of one page or a pair of pages (struct tlb_format), all page sizes from 4 KB to 256 MB, 8-bit ASIDs.
 * MIPS32 PRA (MD00090) section 4.
 *
 * Two entries never match the same address: writing an entry invalidates older entries that overlap it (a real core may
 * raise a machine check instead, depending on the implementation). An invalidated entry has a tag in kseg0, which is
 * never looked up.
 *
 * Not modelled: 1 KB pages, read- and execute-inhibit bits, physical addresses above 32 bits, the micro-TLBs.
 */
#ifndef SIMOS_CPU_PRIVILEGED_TLB_H
#define SIMOS_CPU_PRIVILEGED_TLB_H

#include "cpu/core.h"

/* struct tlb_entry, lo: EntryLo of MIPS32 */
enum { TLB_VALID = 1 << 1, TLB_DIRTY = 1 << 2, TLB_CACHE = 7 << 3, TLB_CACHE_SHIFT = 3, TLB_PFN_SHIFT = 6 };
/* its cache attributes, in TLB_CACHE */
enum { CCA_UNCACHED = 2, CCA_CACHED = 3, CCA_UNCACHED_ACCELERATED = 7 };

/* Invalidate all entries. */
void tlb_reset(struct core *core);

/* Recompute the index from s.tlb. */
void tlb_rebuild(struct core *core);

/* EntryHi.ASID has changed from OLD_ASID: adapt the index, and remove from the flat tables the pages of non-global
 * entries with OLD_ASID, and the user pages of global ones if the ASID selects the set of the data cache. */
void tlb_change_asid(struct core *core, uint8_t old_asid);

/* Number of the entry that maps ADDRESS, which is not in kseg0 or kseg1, in the current address space; -1: none does.
 */
int tlb_find(const struct core *core, vaddr address);

/* tlbwi, tlbwr: write entry INDEX from the CP0 registers. Ignored if INDEX is out of range. */
void tlb_write(struct core *core, unsigned index);

/* The page-table walker: write ENTRY, of ADDRESS, which no entry maps, where TLBWR would, and enter the page for the
 * access, a fetch if FETCHED, in the flat tables. True: the page of the
 * instruction at s.pc may not be mapped any more. */
bool tlb_fill(struct core *core, const struct tlb_entry *entry, vaddr address, bool fetched);

/* Is the entry, of a checkpoint, one that tlb_write() can produce? */
bool tlb_entry_is_valid(const struct core *core, const struct tlb_entry *entry);

/* What entry INDEX maps. */
struct tlb_mapping {
    vaddr address;
    uint32_t page_bytes;
    uint8_t asid;
    bool global;
    unsigned pages; /* 1 or 2 */
    struct {
        paddr address;
        bool valid, writable;
        uint8_t cache; /* cache coherency attribute */
    } page[2];
};
/* False: none of its pages is valid. */
bool tlb_mapping(const struct core *core, unsigned index, struct tlb_mapping *mapping);

/* Set the registers that a TLB exception for ADDRESS sets. */
static inline void tlb_set_missed(const struct tlb_format *format, uint32_t *cp0, vaddr address)
{
    cp0[CP0_BADVADDR] = address;
    cp0[CP0_CONTEXT] =
        (cp0[CP0_CONTEXT] & ~format->context_page) | (address >> format->context_shift & format->context_page);
    cp0[CP0_ENTRYHI] = (cp0[CP0_ENTRYHI] & format->asid) | (address & format->vpn);
}

/* tlbr: load these registers from entry INDEX. Ignored if INDEX is out of range. */
void tlb_read(struct core *core, unsigned index);

/* The Random register: an entry between Wired and the last one. It is derived from the number of TLB writes so far, or
 * counts down with each instruction, so that it is the same under every CPU model. */
static inline unsigned tlb_random(struct core *core)
{
    uint32_t x = core->s.cp0[CP0_RANDOM] + 1;
    const unsigned wired = core->s.cp0[CP0_WIRED];
    if (core->architecture->tlb.random_counts) {
        core_sync(core);
        /* each write counts too, so that writes at regular distances do not leave entries out */
        return core->tlb_entries - 1 -
               (unsigned)((core->s.insns + core->s.cp0[CP0_RANDOM]) % (core->tlb_entries - wired));
    }
    /* A mixing function, so that the sequence does not resonate with loops or pairs of writes. */
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    return wired + (unsigned)((uint64_t)x * (core->tlb_entries - wired) >> 32);
}

/* The number in the index for ADDRESS: 1 + the number of the entry of 4 KB pages that maps it in the current address
 * space; 0: none does. */
static inline uint16_t *tlb_index_of(const struct core *core, vaddr address)
{
    return core_tlb_index((void *)(uintptr_t)core) + (address >> core->architecture->tlb.entry_shift);
}

/* Does an access to ADDRESS, for which it has the right alignment, raise a TLB refill exception? False also where only
 * tlb_translate() can tell: with entries of large pages, with the page-table walker, or without a TLB in kuseg. */
static inline bool tlb_certainly_misses(const struct core *core, vaddr address)
{
    return *tlb_index_of(core, address) == 0 && core->tlb_large == 0 && !core->tlb_walks &&
           !vaddr_is_unmapped(address) && !(core->s.cp0[CP0_STATUS] & core->architecture->kuseg_unmapped) &&
           !(!vaddr_in_kuseg(address) && core->user_mode);
}

/* The page size that VALUE, written to PageMask, selects: a contiguous run of bit pairs from bit 13; bits above the
 * first gap are dropped. */
static inline uint32_t tlb_page_mask(uint32_t value)
{
    uint32_t mask = 0;
    for (uint32_t pair = 3u << 13; pair <= 3u << 27 && (value & pair) == pair; pair <<= 2)
        mask |= pair;
    return mask;
}

/* The number of pages that an entry maps. */
static inline unsigned tlb_pages(const struct core *core)
{
    return 1u << (core->architecture->tlb.entry_shift - PAGE_SHIFT);
}

/* Mask of the page offset within one page (even or odd) of an entry with PAGE_MASK. */
static inline uint32_t tlb_offset_mask(uint32_t page_mask)
{
    return (page_mask | 0x1fff) >> 1;
}

/* Physical address of a 4 KB page, from its EntryLo LO. */
static inline paddr tlb_small_page_base(uint32_t lo)
{
    return (lo & 0x03ffffc0) << TLB_PFN_SHIFT;
}

/* Physical address of the even (HALF 0) or odd (HALF 1) page of ENTRY. */
static inline paddr tlb_page_base(const struct tlb_entry *entry, unsigned half)
{
    return tlb_small_page_base(entry->lo[half]) & ~tlb_offset_mask(entry->page_mask);
}

#endif
