/* Records the effects of an access, from which timing.h computes its contention delays. Private to cache/. Without
 * contention nothing is recorded, at next to no cost. */
#ifndef SIMOS_CACHE_STATE_RESPONSE_H
#define SIMOS_CACHE_STATE_RESPONSE_H

#include "cache/state/engine.h"
#include <string.h>

/* Initialises RESPONSE for REQUEST, before the access. */
static inline void response_begin(struct memsys_response *response, unsigned cpu, const struct memsys_request *request)
{
    memset(response, 0, offsetof(struct memsys_response, write));
    response->cpu = cpu;
    response->now = request->now;
    response->access = request->access;
    response->address = request->address;
    response->size = request->size;
}

/* SOURCE (enum memsys_source, or a level) is the source of the data. */
static inline void note_source(struct memsys *memsys, unsigned source)
{
    if (SIM_UNLIKELY(memsys->response))
        memsys->response->source = (uint8_t)source;
}

/* The cache that supplied the line wrote it to memory as well. */
static inline void note_memory_updated(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->response))
        memsys->response->memory_updated = true;
}

/* A store of TIER's member needs MESSAGE. */
static inline void note_message(struct memsys *memsys, const struct tier *tier, enum memsys_message message)
{
    if (SIM_LIKELY(!memsys->response))
        return;
    memsys->response->message = (uint8_t)message;
    memsys->response->home = tier->outer ? tier->level + 1 : 0;
}

/* The line was fetched, or allocated without a read, for a posted store. */
static inline void note_fetch_is_posted(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->response))
        memsys->response->fetched_posted = true;
}

/* CPU's CACHE writes LINE, modified, to the next level. Recorded only if the current access is CPU's own: write-backs
 * that another CPU has to make are part of its response time. Writes beyond RESPONSE_WRITES are not recorded. */
static inline void note_write_back(struct memsys *memsys, unsigned cpu, const struct array *cache, paddr line)
{
    struct memsys_response *response = memsys->response;
    if (SIM_LIKELY(!response) || response->cpu != cpu || response->writes == RESPONSE_WRITES)
        return;
    response->write[response->writes++] =
        (struct memsys_outward_write){.level = cache->level, .address = line, .size = 1u << cache->line_shift};
}

/* CACHE passes REQUEST's store on to the next level. */
static inline void note_store_passed(struct memsys *memsys, unsigned cpu, const struct array *cache,
                                     const struct memsys_request *request)
{
    struct memsys_response *response = memsys->response;
    if (SIM_LIKELY(!response) || response->cpu != cpu || response->writes == RESPONSE_WRITES)
        return;
    response->write[response->writes++] = (struct memsys_outward_write){
        .level = cache->level, .store = true, .address = request->address, .size = request->size};
}

/* The latest recorded write went to memory. */
static inline void note_reached_memory(struct memsys *memsys, unsigned cpu)
{
    struct memsys_response *response = memsys->response;
    if (SIM_UNLIKELY(response) && response->cpu == cpu && response->writes)
        response->write[response->writes - 1].memory = true;
}

#endif
