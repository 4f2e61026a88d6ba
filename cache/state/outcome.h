/*
 * Notes of what an access does, for what it has to wait for (timing.h). Private to cache/. Nothing is noted, and next
 * to nothing spent, without timing.
 */
#ifndef SIMOS_CACHE_OUTCOME_H
#define SIMOS_CACHE_OUTCOME_H

#include "cache/state/engine.h"
#include <string.h>

/* OUTCOME of REQUEST, before anything happens. */
static inline void outcome_begin(struct memsys_outcome *outcome, unsigned cpu, const struct memsys_request *request)
{
    memset(outcome, 0, offsetof(struct memsys_outcome, write));
    outcome->cpu = cpu;
    outcome->now = request->now;
    outcome->access = request->access;
    outcome->address = request->address;
    outcome->size = request->size;
}

/* The line came from SERVED (enum memsys_served, or a level). */
static inline void note_served(struct memsys *memsys, unsigned served)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->served = (uint8_t)served;
}

/* The other cache that supplied the line wrote it to memory too. */
static inline void note_memory_updated(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->memory_updated = true;
}

static inline void note_told(struct memsys *memsys, enum memsys_told told)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->told = (uint8_t)told;
}

/* What was fetched is for a posted store. */
static inline void note_fetch_is_posted(struct memsys *memsys)
{
    if (SIM_UNLIKELY(memsys->outcome))
        memsys->outcome->fetched_posted = true;
}

/* CPU's CACHE gives LINE, modified, to the next level: noted if CPU is the one whose access this is. (What another CPU
 * has to clear out takes the time of its answer.) Beyond OUTCOME_WRITES nothing is noted. */
static inline void note_line_out(struct memsys *memsys, unsigned cpu, const struct array *cache, paddr line)
{
    struct memsys_outcome *outcome = memsys->outcome;
    if (SIM_LIKELY(!outcome) || outcome->cpu != cpu || outcome->writes == OUTCOME_WRITES)
        return;
    outcome->write[outcome->writes++] =
        (struct memsys_outward){.level = cache->level, .address = line, .size = 1u << cache->line_shift};
}

/* CACHE lets REQUEST's store through. */
static inline void note_store_out(struct memsys *memsys, unsigned cpu, const struct array *cache,
                                  const struct memsys_request *request)
{
    struct memsys_outcome *outcome = memsys->outcome;
    if (SIM_LIKELY(!outcome) || outcome->cpu != cpu || outcome->writes == OUTCOME_WRITES)
        return;
    outcome->write[outcome->writes++] = (struct memsys_outward){
        .level = cache->level, .store = true, .address = request->address, .size = request->size};
}

/* The latest of these went to memory. */
static inline void note_reached_memory(struct memsys *memsys, unsigned cpu)
{
    struct memsys_outcome *outcome = memsys->outcome;
    if (SIM_UNLIKELY(outcome) && outcome->cpu == cpu && outcome->writes)
        outcome->write[outcome->writes - 1].memory = true;
}

#endif
