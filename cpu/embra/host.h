/*
 * What embra asks of a host: machine code for segments, the thunks between machine code and C, and jumps that can be
 * linked. x86_*.c implement it; on another host none of embra is there (see embra.c).
 *
 * Private to cpu/embra.
 */
#ifndef SIMOS_CPU_EMBRA_HOST_H
#define SIMOS_CPU_EMBRA_HOST_H

#include "cpu/embra/embra.h"
#include "cpu/embra/loops.h"

/* Fill the beginning of the cache's memory with the thunks, and cache->thunk, first, at. */
void host_make_thunks(struct embra_cache *cache);

/* Free what the host keeps with the cache. */
void host_free(struct embra_cache *cache);

/* Run the code at CODE until it returns. */
enum embra_exit host_run(struct embra_cache *cache, struct core *core, uint32_t code);

/* Is there room for the code of a trace? */
bool host_has_room(const struct embra_cache *cache);

/* Translate the cache's trace, code of PAGE; enter its segments in the page's table. LOOP: it is one, whose first
 * segment alone can be entered from elsewhere; NULL: it is none. */
void host_translate(struct embra_cache *cache, struct embra_page *page, const struct build_context *context,
                    const struct loop *loop);

/* Would an assignment of registers of its own make LOOP faster? */
bool host_prefers_loop(const struct loop *loop);

/* Make the jump whose distance field is at PLACE go to TARGET. */
void host_patch_jump(uint32_t place, uint32_t target);
/* Set the immediate at PLACE. */
void host_patch_check(uint32_t place, uint32_t value);

#endif
