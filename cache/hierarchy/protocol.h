/*
 * A coherence protocol: which states a unit gets, who supplies it, and what the others do at a store. A row in
 * protocol.c; its functions are in a file of its own. coherence.c does what is the same in all protocols: a read of
 * what another CPU has modified, what a CPU's own caches supply, DMA. Private to cache/.
 */
#ifndef SIMOS_CACHE_PROTOCOL_H
#define SIMOS_CACHE_PROTOCOL_H

#include "cache/hierarchy/coherence.h"

struct protocol {
    const char *name;    /* in cache.protocol */
    const char *text;    /* of the machine's description */
    bool exclusive;      /* a unit that one CPU has, clean, and nobody else holds is E; otherwise S */
    bool supplies_clean; /* a cache that has the unit clean supplies it; otherwise memory does */
    /* CPU stores to REQUEST's unit, which it has in S. */
    struct transaction (*write_shared)(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
    /* ... which it does not have: it brings it in. */
    struct transaction (*write_miss)(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
    /* A store of CPU's to ADDRESS reaches memory, and CPU does not keep the unit; others do, perhaps modified. */
    void (*write_past)(struct memsys *memsys, unsigned cpu, paddr address);
};

/* By enum memsys_protocol. */
extern const struct protocol protocols[];
extern const unsigned protocol_count;
/* The protocol called NAME, which is one. */
enum memsys_protocol protocol_find(const char *name);

/* protocol_invalidate.c: the others lose their copies. */
struct transaction invalidate_write_shared(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
struct transaction invalidate_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
void invalidate_write_past(struct memsys *memsys, unsigned cpu, paddr address);

/* protocol_firefly.c: the others get what is stored. */
struct transaction firefly_write_shared(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
struct transaction firefly_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
void firefly_write_past(struct memsys *memsys, unsigned cpu, paddr address);

static inline const struct protocol *protocol_at(const struct memsys *memsys, paddr address)
{
    return &protocols[protocol_of(memsys, address)];
}

/* The record of a unit that CPU has clean and nobody else holds. */
static inline uint32_t protocol_alone(const struct protocol *protocol, unsigned cpu)
{
    return protocol->exclusive ? unit_of_one(cpu, UNIT_E) : 1u << cpu;
}

/* What protocols are made of */

static inline uint32_t protocol_others(uint32_t record, unsigned cpu)
{
    return record & UNIT_HOLDERS & ~(1u << cpu);
}
/* The CPU with the lowest number in SET, which is not empty. */
static inline unsigned protocol_lowest(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}
static inline unsigned protocol_take_lowest(uint32_t *set)
{
    const unsigned cpu = protocol_lowest(*set);
    *set &= *set - 1;
    return cpu;
}

/* OWNER's modified unit goes to memory because another wants it, or a part of it: that is counted. */
void protocol_count_write_back(struct memsys *memsys, unsigned owner);
/* The same is done; it keeps the unit, shared. */
void protocol_clean_owner(struct memsys *memsys, unsigned owner, paddr address);
/* All CPUs in SET lose the unit to CPU's store. */
void protocol_remove(struct memsys *memsys, uint32_t set, unsigned cpu, paddr address);

#endif
