/*
 * The hardware page-table walker: on a miss of the TLB it reads the guest's page tables and writes the TLB as TLBWR
 * does, without an exception. MIPS32 PRA (MD00090), "Hardware Page Table Walker", and the registers PWBase, PWField,
 * PWSize and PWCtl. Present if the parameter cpu.page_walker says so (Config3.PW). Linux turns it on
 * (arch/mips/mm/tlbex.c).
 *
 * A walk that cannot go on ends without effect, and the access raises its TLB refill exception: at an address that is
 * not aligned, that is mapped (the manual lets an implementation walk in unmapped segments only), or behind which there
 * is no memory. So it never reads a device, and makes at most PAGE_WALK_LOADS loads, whatever the tables hold. An entry
 * whose page is not valid is written like any other: the access then raises TLB Invalid.
 *
 * What the manual leaves to the implementation: PTEI shifts by 0 or by 2 to 31 bits; PTEs have one or two words.
 *
 * Not modelled: RI and XI, which the TLB does not have (their bits are dropped), and the parts of MIPS64.
 */
#ifndef SIMOS_CPU_PRIVILEGED_PAGE_WALKER_H
#define SIMOS_CPU_PRIVILEGED_PAGE_WALKER_H

#include "cpu/core.h"
#include "cpu/privileged/tlb.h"

/* Three levels of directories, and two entries of the last one. */
enum { PAGE_WALK_LOADS = 5 };

struct page_walk_load {
    vaddr address; /* in kseg0 or kseg1 */
    paddr physical;
    uint8_t size; /* 4 or 8 bytes, aligned */
    bool cached;
    bool directory; /* it loads the address of a table, not a PTE */
    uint64_t value; /* what it loads; of a PTE unspecified */
};

/* What a walk finds. */
struct page_walk {
    unsigned loads;
    struct page_walk_load load[PAGE_WALK_LOADS]; /* in the order in which they are made */
    bool found;
    struct tlb_entry entry; /* if found; some pages of it may be invalid */
};

/* The reads of CORE that missed so far, by cache level: before a load of a walk, whose misses
 * page_walker_count_misses() then counts. */
struct page_walk_misses {
    uint64_t level[WALK_LEVELS];
};

static inline struct page_walk_misses page_walker_misses(const struct core *core)
{
    const struct bucket *bucket = core->bucket;
    return (struct page_walk_misses){
        {bucket->miss[MISS_L1D_READ], bucket->outer[OUTER_L2_READ], bucket->outer[OUTER_L3_READ]}};
}

static inline void page_walker_count_misses(struct core *core, const struct page_walk_misses *before)
{
    const struct page_walk_misses now = page_walker_misses(core);
    for (unsigned i = 0; i < WALK_LEVELS; i++)
        core->counts.walk_misses[i] += now.level[i] - before->level[i];
}

/* The registers of the walker were written or replaced: set core->tlb_walks. */
void page_walker_update(struct core *core);

/* Would an access of CORE to ADDRESS, of any kind and aligned, start a walk? */
static inline bool page_walker_is_due(const struct core *core, vaddr address)
{
    return core->tlb_walks && !vaddr_is_unmapped(address) && (vaddr_in_kuseg(address) || !core->user_mode) &&
           !(vaddr_in_kuseg(address) && core->s.cp0[CP0_STATUS] & core->architecture->kuseg_unmapped) &&
           (core->tlb_large == 0 ? *tlb_index_of(core, address) == 0 : tlb_find(core, address) < 0);
}

/* Read the page tables for the mapped ADDRESS in the present address space, without any effect. Needs core->tlb_walks.
 */
void page_walker_read(const struct core *core, vaddr address, struct page_walk *walk);

/* page_walker_walk() where nothing observes it and loads take no time, for most tables, of a processor without
 * translation caches. False: it does nothing. */
bool page_walker_fill(struct core *core, vaddr address, enum access access);

/* An access of CORE to the mapped ADDRESS found no entry of the TLB, and core->tlb_walks is set: walk, with the loads
 * made and charged by the model (cpu_model_ops.walk_load), unless the second-level TLB has the entry. True: the TLB has
 * an entry now, and some other may have been replaced. False: the access raises its refill exception. */
bool page_walker_walk(struct core *core, vaddr address, enum access access);

#endif
