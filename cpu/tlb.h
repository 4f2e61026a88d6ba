/*
 * The TLB: dual entries, all page sizes from 4 KB to 256 MB, ASIDs of 8 bits. MIPS32 PRA (MD00090) section 4.
 *
 * Two entries never match one address: writing an entry invalidates the older ones that overlap it (a real core may
 * raise a machine check instead; which one it does depends on the implementation). An invalidated entry has a tag in
 * kseg0, which no translation asks for.
 *
 * Not modelled: 1 KB pages, read- and execute-inhibit bits, physical addresses above 32 bits, the micro-TLBs.
 */
#ifndef SIMOS_CPU_TLB_H
#define SIMOS_CPU_TLB_H

#include "cpu/core.h"

/* All entries invalid. */
void tlb_reset(struct core *core);

/* Derive the compare words from s.tlb. */
void tlb_rebuild(struct core *core);

/* Entry that matches the VPN2 and ASID of ENTRYHI, or -1. */
int tlb_find(const struct core *core, uint32_t entryhi);

/* tlbwi, tlbwr: entry INDEX from EntryHi, PageMask and EntryLo0, 1. An INDEX beyond the TLB writes nothing. */
void tlb_write(struct core *core, unsigned index);

/* tlbr: the registers from entry INDEX. An INDEX beyond the TLB reads nothing. */
void tlb_read(struct core *core, unsigned index);

/* The Random register: an entry between Wired and the last one, chosen by the number of TLB writes so far, so that it
 * is the same under every CPU model. */
unsigned tlb_random(const struct core *core);

/* Bits of an address within the page (even or odd half) of an entry with PAGE_MASK. */
static inline uint32_t tlb_offset_mask(uint32_t page_mask)
{
    return (page_mask | 0x1fff) >> 1;
}

/* Physical address of the page that half HALF (0 even, 1 odd) of ENTRY maps. */
static inline paddr tlb_page_base(const struct tlb_entry *entry, unsigned half)
{
    return (entry->lo[half] & 0x03ffffc0) << 6 & ~tlb_offset_mask(entry->page_mask);
}

#endif
