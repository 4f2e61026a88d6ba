/*
 * The block-transfer engine of Xia and Torrellas (IEEE TC 1999, section 4.3; HPCA 1996): a controller on the bus that
 * copies and clears blocks of memory, bypassing the caches, while the requesting CPU waits. docs/reference/prefetch.md.
 * Private to cache/.
 *
 * The guest's routine still executes, and its own stores produce the result. Its loads and stores of the block bypass
 * the caches and take no time, up to the store of the last byte, which waits until the engine has finished.
 */
#ifndef SIMOS_CACHE_HIERARCHY_BLOCK_H
#define SIMOS_CACHE_HIERARCHY_BLOCK_H

#include "cache/hierarchy/access.h"
#include "cache/param_rows.h"

/* Rows of the parameter table. */
#define BLOCK_PARAMS                                                                                                   \
    BOOL_ROW("block.engine", MEMORY_TRAITS, "off", "a block-transfer engine for the kernel's copies"),                 \
        {"block.routines",                                                                                             \
         PARAM_STRING,                                                                                                 \
         MEMORY_TRAITS,                                                                                                \
         "",                                                                                                           \
         "copy_page clear_page",                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "kernel routines that the engine performs: copy_page, clear_page, memcpy, memset, copy_user, clear_user"},    \
        {"block.least", PARAM_SIZE,                                                                                    \
         MEMORY_TRAITS, "bytes",                                                                                       \
         "1K",          1,                                                                                             \
         1 << 30,       false,                                                                                         \
         NULL,          "minimum block size; the CPU performs smaller transfers"},                                     \
        TIME_ROW("block.setup_time", MEMORY_TRAITS, "0",                                                               \
                 "from the CPU's request to the first datum; 0: as memory.uncached_latency"),                          \
        TIME_ROW("block.cache_time", MEMORY_TRAITS, "0",                                                               \
                 "additional time for each last-level line that a cache supplies or updates")

/* Builds the engine that PARAMS describe in MEMSYS->block; NULL if there is none. Out of memory aborts. */
void block_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz);
void block_free(struct memsys *memsys);
/* Cancels all transfers. */
void block_flush(struct memsys *memsys);

/* Wraps memsys->plain[ACCESS], which has been selected, in the check for blocks in transfer. */
void block_choose(struct memsys *memsys, enum memsys_access access);

/* Whether ADDRESS is in the block that CPU is transferring. */
bool block_covers(const struct memsys *memsys, unsigned cpu, paddr address);

/* Adds the section "block", timing state. */
void block_register_saved(struct memsys *memsys, struct saved *saved);

void block_register_stats(struct memsys *memsys, struct stats *stats);
void block_describe(const struct memsys *memsys, FILE *out);

#endif
