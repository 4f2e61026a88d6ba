/*
 * What spares the page-table walker loads, or whole walks, as processors with a walker have it: a second-level TLB, in
 * which a miss of the TLB is looked up before a walk begins, and a page-walk cache, which keeps the entries of
 * directories (but not of page tables) that earlier walks loaded (Barr, Cox and Rixner, "Translation Caching: Skip,
 * Don't Walk (the Page Table)", ISCA 2010; tagged by physical addresses, as AMD's: Bhargava et al., ASPLOS 2008).
 *
 * Both belong to one processor, replace the least recently used entry, and hold what walks found. Software can neither
 * see nor invalidate them, as MIPS32 has no operation for that: hardware keeps them coherent with the page tables. An
 * entry whose words in memory have changed is not used; so they change when things happen, never what happens.
 *
 * Not modelled: entries of large pages in the second-level TLB (as the FTLB of a P5600, it has one page size), and
 * traffic that keeps them coherent.
 */
#ifndef SIMOS_CPU_PRIVILEGED_TRANSLATION_CACHES_H
#define SIMOS_CPU_PRIVILEGED_TRANSLATION_CACHES_H

#include "cpu/core.h"
#include "src/base/params.h"
#include "src/base/saved.h"

struct page_walk_load;

struct translation_config {
    unsigned tlb2_entries; /* 0: no second-level TLB */
    unsigned tlb2_ways;    /* divides tlb2_entries */
    cycles tlb2_latency;   /* of a lookup, whether it hits or misses */
    unsigned walk_entries; /* of the page-walk cache; 0: there is none */
};

/* Read cpu.tlb2_entries, cpu.tlb2_ways, cpu.tlb2_latency and cpu.page_walk_cache. False with ERR if no machine can be
 * so. */
bool translation_config_read(struct translation_config *config, const struct params *params, struct err *err);

/* NULL if CONFIG has neither. */
struct translation_caches *translation_caches_create(const struct translation_config *config);
void translation_caches_free(struct translation_caches *caches);

/* Statistics and saved state of CORE's; for a processor that has them. */
void translation_caches_register_stats(struct core *core, struct stats *stats);
void translation_caches_register_saved(struct core *core, struct saved *saved);

/* A walk for an access of CORE finds ENTRY now. Does the second-level TLB hold it? */
bool tlb2_holds(const struct core *core, const struct tlb_entry *entry);
/* ... as a lookup, which is counted if it hits. Afterwards the second-level TLB, if there is one, holds ENTRY. */
bool tlb2_look_up(struct core *core, const struct tlb_entry *entry);
/* Cycles of a lookup; 0: there is no second-level TLB. */
cycles tlb2_latency(const struct core *core);

/* Does the page-walk cache hold what LOAD of a walk would load, so that it is not made? */
bool walk_cache_hits(struct core *core, const struct page_walk_load *load);
/* LOAD, which did not hit, has been made: keep what it loaded, if it is of a directory. */
void walk_cache_keep(struct core *core, const struct page_walk_load *load);

#endif
