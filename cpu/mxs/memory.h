/*
 * Fast path of loads and stores: translated by the flat tables, a hit in the first-level cache, no conflict with older
 * accesses. memory.c handles all other cases.
 */
#ifndef SIMOS_CPU_MXS_MEMORY_H
#define SIMOS_CPU_MXS_MEMORY_H

#include "cpu/mxs/mxs.h"
#include <string.h>

/* Execute a load of SIZE bytes at ADDRESS; if UNALIGNED, of SIZE bytes of the aligned word that holds
 * ADDRESS. Never returns MXS_FINISHED. */
enum mxs_outcome mxs_load(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                          cycles now, uint64_t *value);
/* Address part of a store; if UNALIGNED, it stores the bits under MASK of the aligned word that holds ADDRESS. */
enum mxs_outcome mxs_store(struct mxs *m, struct mxs_entry *entry, vaddr address, unsigned size, bool unaligned,
                           uint32_t mask, cycles now);

/* The element of SETS (queued loads or stores, hashed by doubleword address) for ADDRESS. */
MXS_INLINE uint64_t *memory_hash_set(unsigned words, uint64_t *sets, paddr address)
{
    return sets + (size_t)(address >> 3 & (MXS_HASH_SETS - 1)) * words;
}

static inline uint64_t memory_read(const struct mxs *m, paddr address, unsigned size)
{
    const uint8_t *host = physmem_host(m->core->mem, address);
    uint64_t value = 0;
    switch (size) {
    case 4: memcpy(&value, host, 4); return value;
    case 1: return *host;
    case 2: memcpy(&value, host, 2); return value;
    default: memcpy(&value, host, 8); return value;
    }
}

/* Remove E from the load/store queue. */
MXS_INLINE void memory_dequeue(struct mxs *m, unsigned words, const struct mxs_entry *e)
{
    const uint32_t slot = mxs_slot_of(words, e->number);
    m->queued--;
    if (e->op->flags & OP_LOAD)
        mxs_set_remove(memory_hash_set(words, m->loads_by_address, e->address), slot);
    else
        mxs_set_remove(e->has_address ? memory_hash_set(words, m->stores_by_address, e->address) : m->unknown_stores,
                       slot);
}

/* May an access of SIZE bytes at ADDRESS take the fast path at NOW? MAP: the flat table of loads or stores; WANT:
 * required permission (enum memsys_permission). *PA is the physical address. */
static inline bool memory_has_fast_path(const struct mxs *m, const uintptr_t *map, uint8_t want, vaddr address,
                                        unsigned size, cycles now, paddr *pa)
{
    const struct core *core = m->core;
    const uintptr_t addend = map[address >> PAGE_SHIFT];
    *pa = (paddr)(addend + address);
    return addend != 0 && !(address & (size - 1)) && m->accesses_fit_lines &&
           (core->map->permits[address >> core->permit_shift] & want) &&
           (SIM_LIKELY(!m->may_refuse) || m->in_flight[MXS_IN_FLIGHT_DATA] <= now);
}

/* Time at which the line of E's access at physical ADDRESS, a hit in the tags, is available (it may be in flight). */
static inline cycles memory_line_ready(struct mxs *m, struct mxs_entry *e, enum memsys_access access, paddr address,
                                       cycles now)
{
    struct nonblocking_result result;
    e->missed = false;
    if (SIM_LIKELY(m->in_flight[MXS_IN_FLIGHT_DATA] <= now) ||
        !mxs_merge_miss(m, access, layout_data(m->in.layout, address), now, &result))
        return now;
    e->missed = result.ready > now;
    e->stall = (uint8_t)result.stall;
    return result.ready;
}

/* Fast path of a load of SIZE bytes, a constant, at ADDRESS; semantics of mxs_load(). False, without side effects: a
 * precondition fails. */
static inline __attribute__((always_inline)) bool memory_load_fast(struct mxs *m, struct mxs_entry *e, vaddr address,
                                                                   unsigned size, cycles now, uint64_t *value)
{
    const unsigned words = m->words;
    paddr pa;
    if (!memory_has_fast_path(m, m->core->map->load, PERMIT_READ, address, size, now, &pa) ||
        mxs_set_previous(m, words, memory_hash_set(words, m->stores_by_address, pa), m->unknown_stores, e->number) != 0)
        return false;
    *value = memory_read(m, pa, size);
    e->mapped = !vaddr_is_unmapped(address);
    e->address = pa;
    e->size = (uint8_t)size;
    e->bytes = (uint8_t)(((1u << size) - 1) << (pa & 7));
    e->forwarder = 0;
    e->data = *value;
    e->has_address = e->has_value = true;
    e->done_at = memory_line_ready(m, e, MEMSYS_READ, pa, now) + e->op->latency;
    mxs_set_add(memory_hash_set(words, m->loads_by_address, pa), mxs_slot_of(words, e->number));
    return true;
}

/* Fast path of a store of SIZE bytes, a constant, at ADDRESS; semantics of mxs_store(). False, without side effects: a
 * precondition fails. */
static inline __attribute__((always_inline)) bool memory_store_fast(struct mxs *m, struct mxs_entry *e, vaddr address,
                                                                    unsigned size, cycles now)
{
    const unsigned words = m->words;
    const uint32_t slot = mxs_slot_of(words, e->number);
    paddr pa;
    if (e->has_address || !memory_has_fast_path(m, m->core->map->store, PERMIT_STORE, address, size, now, &pa) ||
        mxs_set_next(m, words, memory_hash_set(words, m->loads_by_address, pa), e->number + 1) < m->next)
        return false;
    e->mapped = !vaddr_is_unmapped(address);
    e->address = pa;
    e->size = (uint8_t)size;
    e->bytes = (uint8_t)(((1u << size) - 1) << (pa & 7));
    e->has_address = true;
    e->done_at = memory_line_ready(m, e, MEMSYS_WRITE, pa, now) + e->op->latency;
    mxs_set_remove(m->unknown_stores, slot);
    mxs_set_add(memory_hash_set(words, m->stores_by_address, pa), slot);
    if (e->data_pending == 0)
        mxs_store_value(m, e);
    return true;
}

/* Graduation of a load or store. Load: false if memory has changed since the load read it; it must be executed
 * again. */
static inline bool memory_load_graduate(struct mxs *m, const struct mxs_entry *e)
{
    if (SIM_UNLIKELY(memory_read(m, e->address, e->size) != e->data))
        return false;
    m->core->counts.loads++;
    if (SIM_UNLIKELY(m->core->data_watch != NULL))
        mxs_notify_watch(m, e, ACCESS_LOAD, e->data);
    return true;
}

static inline void memory_store_graduate(struct mxs *m, const struct mxs_entry *e)
{
    struct core *core = m->core;
    const uint8_t flags = core->mem->page_flags[e->address >> PAGE_SHIFT];
    const bool usual = !(flags & (PAGE_HAS_CODE | PAGE_LL_WATCH)) && core->data_watch == NULL;
    if (SIM_LIKELY(usual && e->size == 4 && e->bytes == 0xf << (e->address & 7))) {
        const uint32_t value = (uint32_t)(e->data >> 8 * (e->address & 7));
        core->counts.stores++;
        memcpy(physmem_host(core->mem, e->address), &value, 4);
    } else {
        mxs_store_graduate(m, e);
    }
}

/* Graduation of the load or store E, which leaves the load/store queue. False: memory has changed since the load read
 * it; it must be executed again, and stays. */
MXS_INLINE bool memory_graduate(struct mxs *m, unsigned words, const struct mxs_entry *e, unsigned flags)
{
    if (flags & OP_LOAD) {
        if (!memory_load_graduate(m, e))
            return false;
        memory_dequeue(m, words, e);
    } else {
        memory_dequeue(m, words, e);
        memory_store_graduate(m, e);
        mxs_lsq_retry(m, words);
    }
    return true;
}

#endif
