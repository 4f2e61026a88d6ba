/*
 * Who holds a unit (a block of the last level's line size), and how: the one home of the protocol's state. What
 * snooping or a directory finds out in a machine is kept here, so that a miss on 16 CPUs need not look through 16
 * caches.
 *
 * A record a unit of the 4 GB physical address space, in chunks that are made when first used. Bookkeeping of the
 * simulator, not a model of hardware: it takes no time. Private to cache/.
 */
#ifndef SIMOS_CACHE_UNITS_H
#define SIMOS_CACHE_UNITS_H

#include "src/base/types.h"

enum { UNITS_CHUNK_SHIFT = 20, UNITS_CHUNKS = 1 << (32 - UNITS_CHUNK_SHIFT) };

/* A record: bits 0..15, the CPUs that hold any of the unit; and, with one holder only: */
enum {
    UNIT_HOLDERS = 0xffff,
    UNIT_OWNED = 1 << 16,    /* the holder knows that nobody else has it */
    UNIT_MODIFIED = 1 << 17, /* and has modified it: memory is out of date */
};

/* A CPU's state of a unit as protocols name it. */
enum unit_state { UNIT_I, UNIT_S, UNIT_E, UNIT_M };

struct units {
    uint32_t line_shift;
    uint32_t *chunk[UNITS_CHUNKS]; /* NULL: nobody holds anything of this megabyte */
};

/* Records of units of LINE bytes (a power of two, 4 .. 1 MB); nobody holds anything. */
void units_init(struct units *units, uint32_t line);
void units_release(struct units *units);
/* Nobody holds anything. */
void units_clear(struct units *units);

/* The record of ADDRESS's unit, made if there is none. Valid until units_clear. Out of memory aborts. */
uint32_t *units_make(struct units *units, paddr address);

static inline size_t units_offset(const struct units *units, paddr address)
{
    return (address & ((1u << UNITS_CHUNK_SHIFT) - 1)) >> units->line_shift;
}

/* The same; reading alone. 0: nobody holds it. */
static inline uint32_t units_get(const struct units *units, paddr address)
{
    const uint32_t *chunk = units->chunk[address >> UNITS_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk[units_offset(units, address)] : 0;
}

static inline uint32_t *units_at(struct units *units, paddr address)
{
    uint32_t *chunk = units->chunk[address >> UNITS_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk + units_offset(units, address) : units_make(units, address);
}

static inline enum unit_state unit_state(uint32_t record, unsigned cpu)
{
    if (!(record & 1u << cpu))
        return UNIT_I;
    return record & UNIT_MODIFIED ? UNIT_M : record & UNIT_OWNED ? UNIT_E : UNIT_S;
}

/* CPU and nobody else holds it, in STATE (E or M). */
static inline uint32_t unit_of_one(unsigned cpu, enum unit_state state)
{
    return 1u << cpu | UNIT_OWNED | (state == UNIT_M ? UNIT_MODIFIED : 0);
}

/* RECORD when CPU no longer holds the unit: what was owned belongs to nobody. */
static inline uint32_t unit_without(uint32_t record, unsigned cpu)
{
    uint32_t left = record & ~(1u << cpu) & UNIT_HOLDERS;
    return record & 1u << cpu ? left : record;
}

/* The first unit that anybody holds, at or after *ADDRESS; false: there is none. For checks. */
bool units_next(const struct units *units, uint64_t *address, uint32_t *record);

#endif
