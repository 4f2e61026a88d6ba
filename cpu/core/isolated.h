/*
 * Isolated caches: while Status.IsC of an R3000 is set, loads and stores act on a cache alone, that of data, or with
 * SwC that of instructions, and memory does not change. Kernels find the sizes of the caches so, and invalidate lines
 * (Kane and Heinrich, "MIPS RISC Architecture", chapter 5).
 *
 * The caches modelled elsewhere hold no data: these accesses have a model of their own, direct-mapped, with the data.
 * It lives while the cache is isolated: before, a line has the word of memory; afterwards what was stored is lost, so
 * that the lines are invalid. Loads set Status.CM if they miss.
 */
#ifndef SIMOS_CPU_CORE_ISOLATED_H
#define SIMOS_CPU_CORE_ISOLATED_H

#include "cpu/core.h"

enum isolated_cache { ISOLATED_DATA, ISOLATED_INSTRUCTIONS, ISOLATED_CACHES };

/* The cache has SIZE bytes in lines of LINE; both are powers of two. Without this, 64 KB in lines of a word. */
void isolated_set_geometry(struct core *core, enum isolated_cache cache, uint32_t size, uint32_t line);

/* The cache that accesses act on now. */
enum isolated_cache isolated_cache(const struct core *core);

/* Load SIZE bytes (1, 2 or 4) at PA. RESIDENT: the line was in the cache before it was isolated. */
uint32_t isolated_load(struct core *core, paddr pa, unsigned size, bool resident);

/* Store SIZE bytes at PA: a word replaces the line and its tag, less than that invalidates it. */
void isolated_store(struct core *core, paddr pa, unsigned size, uint32_t value);

void isolated_free(struct core *core);

/* Register the checkpoint section "cpuN.mips1": load delay and isolated caches. For cores that have them. */
void isolated_register_saved(struct core *core, struct saved *saved);

#endif
