/*
 * What embra asks of a host: machine code for segments, the thunks between machine code and C, and jumps that can be
 * linked. x86_*.c implement it; on another host none of embra is there (see embra.c).
 *
 * Private to cpu/embra.
 */
#ifndef SIMOS_CPU_EMBRA_HOST_H
#define SIMOS_CPU_EMBRA_HOST_H

#include "cpu/embra/embra.h"

/* Fill the beginning of the cache's memory with the thunks, and cache->thunk, first, at. */
void host_make_thunks(struct embra_cache *cache);

/* Free what the host keeps with the cache. */
void host_free(struct embra_cache *cache);

/* Run the code at CODE until it returns. */
enum embra_exit host_run(struct embra_cache *cache, struct core *core, uint32_t code);

/* A trace under construction. */
struct host_emitter;
/* For code of PAGE, executed in the mode of CONTEXT. */
struct host_emitter *host_begin(struct embra_cache *cache, struct embra_page *page,
                                const struct build_context *context);
/* Where the next byte goes. */
uint32_t host_place(const struct host_emitter *emitter);
/* Is there room for one more segment, with all that belongs to it? */
bool host_has_room(const struct host_emitter *emitter);
/* Append SEGMENT. Unless its end leaves nothing to follow, *NEXT is where control goes on, in the same page, if
 * nothing else is said: the caller appends the segment there, or calls host_jump. Returns whether there is such a
 * place. */
bool host_emit(struct host_emitter *emitter, const struct ir_segment *segment, vaddr *next);
/* Append a jump to the guest's PC. */
void host_jump(struct host_emitter *emitter, vaddr pc);
/* Finish; frees EMITTER. */
void host_end(struct host_emitter *emitter);

/* Make the jump whose distance field is at PLACE go to TARGET. */
void host_patch_jump(uint32_t place, uint32_t target);
/* Set the immediate at PLACE. */
void host_patch_check(uint32_t place, uint32_t value);

#endif
