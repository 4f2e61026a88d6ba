/*
 * The block-transfer engine of Xia and Torrellas (IEEE TC 1999, section 4.3; HPCA 1996): a controller at the bus that
 * copies and clears blocks of memory, past the caches, while the CPU that asked for it waits.
 * docs/reference/prefetch.md. Private to cache/.
 *
 * The guest's routine executes all the same, so that its results are its own; its loads and stores of the block go past
 * the caches and take no time, until the last byte is stored: then the CPU waits for what is left of the engine's time.
 */
#ifndef SIMOS_CACHE_BLOCK_H
#define SIMOS_CACHE_BLOCK_H

#include "cache/access.h"
#include "cache/param_rows.h"

/* Rows of the parameter table. */
#define BLOCK_PARAMS                                                                                                   \
    BOOL_ROW("block.engine", "off", "a block-transfer engine for the kernel's copies"),                                \
        {"block.routines",                                                                                             \
         PARAM_STRING,                                                                                                 \
         "",                                                                                                           \
         "copy_page clear_page",                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "kernel routines whose work it takes over: copy_page, clear_page, memcpy, memset"},                           \
        {"block.least", PARAM_SIZE, "bytes", "1K", 1, 1 << 30, false, NULL, "smaller blocks are left to the CPU"},     \
        TIME_ROW("block.setup_time", "0", "from the CPU's request to the first datum; 0: as memory.uncached_latency"), \
        TIME_ROW("block.cache_time", "0", "more for each last-level line that a cache has to supply or to take")

/* Build the engine that PARAMS ask for into MEMSYS->block; NULL if there is none. Out of memory aborts. */
void block_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz);
void block_free(struct memsys *memsys);
/* Nothing is under way. */
void block_flush(struct memsys *memsys);

/* memsys->plain[ACCESS] has been chosen: put the look at what is under way before it. */
void block_choose(struct memsys *memsys, enum memsys_access access);

/* Does ADDRESS belong to a block that CPU is having moved? */
bool block_covers(const struct memsys *memsys, unsigned cpu, paddr address);

/* Add the section "block", of timing. */
void block_register_saved(struct memsys *memsys, struct saved *saved);

void block_register_stats(struct memsys *memsys, struct stats *stats);
void block_describe(const struct memsys *memsys, FILE *out);

#endif
