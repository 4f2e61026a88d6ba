/* Records the effects of an access, from which timing.h computes its contention delays. Private to cache/. Without
 * contention nothing is recorded, at next to no cost. */
#ifndef SIMOS_CACHE_OUTCOME_H
#define SIMOS_CACHE_OUTCOME_H

#include "cache/state/engine.h"
#include <string.h>

/* Initialises OUTCOME for REQUEST, before the access. */
static inline void response_begin(struct memsys_response *outcome, unsigned cpu, const struct memsys_request *request)
{
    memset(outcome, 0, offsetof(struct memsys_response, write));
    outcome->cpu = cpu;
    outcome->now = request->now;
    outcome->access = request->access;
    outcome->address = request->address;
    outcome->size = request->size;
}

/* SERVED (enum memsys_source, or a level) is the source of the data. */
static inline void note_source(struct memsys *memsys, unsigned served)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->served = (uint8_t)served;
}

/* The cache that supplied the line wrote it to memory as well. */
static inline void note_memory_updated(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->memory_updated = true;
}

static inline void note_message(struct memsys *memsys, enum memsys_message told)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->told = (uint8_t)told;
}

/* The line was fetched for a posted store. */
static inline void note_fetch_is_posted(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->fetched_posted = true;
}

/* CPU's CACHE writes LINE, modified, to the next level. Recorded only if the current access is CPU's own: write-backs
 * that another CPU has to make are part of its response time. Writes beyond RESPONSE_WRITES are not recorded. */
static inline void note_write_back(struct memsys *memsys, unsigned cpu, const struct array *cache, paddr line)
{
    struct memsys_response *outcome = memsys->outcome;
    if (SIM_LIKELY(!outcome) || outcome->cpu != cpu || outcome->writes == RESPONSE_WRITES)
        return;
    outcome->write[outcome->writes++] =
        (struct memsys_outward_write){.level = cache->level, .address = line, .size = 1u << cache->line_shift};
}

/* CACHE passes REQUEST's store on to the next level. */
static inline void note_store_passed(struct memsys *memsys, unsigned cpu, const struct array *cache,
                                     const struct memsys_request *request)
{
    struct memsys_response *outcome = memsys->outcome;
    if (SIM_LIKELY(!outcome) || outcome->cpu != cpu || outcome->writes == RESPONSE_WRITES)
        return;
    outcome->write[outcome->writes++] = (struct memsys_outward_write){
        .level = cache->level, .store = true, .address = request->address, .size = request->size};
}

/* The latest recorded write went to memory. */
static inline void note_reached_memory(struct memsys *memsys, unsigned cpu)
{
    struct memsys_response *outcome = memsys->outcome;
    if (SIM_UNLIKELY(outcome) && outcome->cpu == cpu && outcome->writes)
        outcome->write[outcome->writes - 1].memory = true;
}

#endif
