/*
 * Loads and stores in the window. A load takes its value from the youngest older store to its bytes (forwarding), or
 * from memory at the time it executes; a store changes memory when it graduates. Loads execute speculatively past
 * stores with unknown addresses; a store that then finds a younger load of its bytes makes that load execute again.
 * When a load graduates, memory must still hold the value that it read (another CPU or a device may have written it).
 * So the loads and stores of a CPU take effect in program order, which is stronger than the MIPS ordering rules.
 */
#include "cpu/privileged/data_watch.h"
#include "cpu/mxs/memory.h"
#include "cpu/mxs/walk_state.h"

static enum mxs_outcome wait_in_queue(struct mxs *m, struct mxs_entry *e)
{
    mxs_set_add(m->lsq_waiting, mxs_slot_of(m->words, e->number));
    m->counts->lsq_waits++;
    return MXS_WAITING;
}

/* Translate an access to cached RAM; false: it is anything else, or a store to ROM. */
static bool translate(struct mxs *m, struct mxs_entry *e, vaddr address, unsigned alignment, enum access access,
                      paddr *pa)
{
    struct core *core = m->core;
    const uintptr_t addend = (access == ACCESS_STORE ? core->map->store : core->map->load)[address >> PAGE_SHIFT];
    bool cached;
    e->mapped = !vaddr_is_unmapped(address);
    if (SIM_LIKELY(addend != 0 && !(address & (alignment - 1)))) {
        *pa = (paddr)(addend + address);
        return true;
    }
    if (SIM_UNLIKELY(core->tlb_walks) && !(address & (alignment - 1)) && page_walker_is_due(core, address)) {
        mxs_walk_begin(m, address);
        e->stall = STALL_PAGE_WALK; /* what it waits for */
        return false;
    }
    return !core_translate_data(core, address, alignment, access, pa, &cached) && cached &&
           physmem_page_is_ram(core->mem, *pa) && !(access == ACCESS_STORE && physmem_page_is_rom(core->mem, *pa));
}

/* The caches */

static void count_misses(struct mxs *m)
{
    struct bucket *bucket = m->core->bucket;
    for (unsigned i = 0; i < MISS_COUNT; i++)
        bucket->miss[i] += m->accesses.miss[i];
    for (unsigned i = 0; i < OUTER_COUNT; i++)
        bucket->outer[i] += m->accesses.outer[i];
    bucket->streamed += m->accesses.streamed;
    for (unsigned i = 0; i < LATE_COUNT; i++)
        bucket->late[i] += m->accesses.late[i];
    bucket->late_streamed += m->accesses.late_streamed;
    memset(m->accesses.miss, 0, sizeof m->accesses.miss);
    memset(m->accesses.outer, 0, sizeof m->accesses.outer);
    memset(m->accesses.late, 0, sizeof m->accesses.late);
    m->accesses.streamed = m->accesses.late_streamed = 0;
    memset(m->accesses.stall, 0, sizeof m->accesses.stall); /* an access changes nothing else in the bucket */
}

static void count_outstanding(struct mxs *m, const struct nonblocking_outstanding *more)
{
    struct nonblocking_outstanding *counts = &m->counts->outstanding[m->core->mode];
    counts->any += more->any;
    counts->several += more->several;
    counts->total += more->total;
}

static void note_in_flight(struct mxs *m, enum mxs_in_flight kind, cycles ready)
{
    if (ready > m->in_flight[kind])
        m->in_flight[kind] = ready;
    if (ready > m->in_flight_until)
        m->in_flight_until = ready;
}

bool mxs_access_cache(struct mxs *m, const struct memsys_request *request, struct nonblocking_result *result)
{
    const bool made = nonblocking_access(m->memory, request, result);
    if (made)
        count_misses(m);
    else
        m->counts->mshrs_full++;
    if (made && result->merged)
        m->counts->misses_merged++;
    if (made && result->outstanding.total > 0)
        count_outstanding(m, &result->outstanding);
    if (made && result->ready > request->now)
        note_in_flight(m, request->access == MEMSYS_FETCH ? MXS_IN_FLIGHT_CODE : MXS_IN_FLIGHT_DATA, result->ready);
    return made;
}

/* Test whether the line at ADDRESS, as the caches see it, of an access that hits in the tags is still in flight; the
 * access merges with its MSHR then, or has to be retried (RESULT->refused). */
bool mxs_merge_miss(struct mxs *m, enum memsys_access access, paddr address, cycles now,
                    struct nonblocking_result *result)
{
    const bool in_flight = nonblocking_in_flight(m->memory, access, address, now, result);
    m->counts->misses_merged += in_flight && result->merged;
    m->counts->mshrs_full += in_flight && result->refused;
    return in_flight;
}

static bool access_line(struct mxs *m, const struct mxs_entry *e, enum memsys_access access, vaddr address, paddr pa,
                        unsigned size, cycles now, struct nonblocking_result *result)
{
    struct core *core = m->core;
    const uint8_t want = access == MEMSYS_WRITE ? PERMIT_STORE : PERMIT_READ;
    uint8_t *permission = core->map->permits + (address >> core->permit_shift);
    const paddr own = pa;
    pa = layout_data(m->in.layout, pa);
    if (SIM_LIKELY(*permission & want)) {
        result->ready = now;
        return SIM_LIKELY(m->in_flight[MXS_IN_FLIGHT_DATA] <= now) || !mxs_merge_miss(m, access, pa, now, result) ||
               !result->refused;
    }
    struct memsys_request request = {.access = access,
                                     .address = pa,
                                     .virtual_address = address,
                                     .space = core_space(core, address),
                                     .pc = e->pc,
                                     .size = (uint8_t)size,
                                     .max_permission = PERMIT_NONE,
                                     .permission = &core->permit_dummy,
                                     .now = now,
                                     .bucket = &m->accesses};
    const uint32_t page = address >> PAGE_SHIFT;
    if (core->permit_by_vaddr && m->in.bypass_allowed && core->map->load[page] != 0) {
        request.permission = permission;
        request.max_permission =
            inorder_moved_permission(&m->in, own, core->map->store[page] != 0 ? PERMIT_READ_STORE : PERMIT_READ);
    }
    return mxs_access_cache(m, &request, result);
}

/*
 * Access the cache for E at NOW; sets e->done_at. A line may be shorter than the access. If one of its lines finds no
 * MSHR, the access continues there when it is tried again: a store that allocates no line would miss in the earlier
 * ones anew each time, and take the MSHR that it waits for.
 */
static enum mxs_outcome access_cache(struct mxs *m, struct mxs_entry *e, enum memsys_access access, vaddr address,
                                     unsigned size, cycles now)
{
    cycles ready = now;
    if (m->memory != NULL) {
        const unsigned part = size < m->in.data_line ? size : m->in.data_line;
        if (SIM_UNLIKELY(e->accessed != 0) && e->lines_ready > ready)
            ready = e->lines_ready;
        for (unsigned offset = e->accessed; offset < size; offset += part) {
            struct nonblocking_result result;
            const paddr pa = (e->address & ~3u) + (address & 3) + offset;
            if (!access_line(m, e, access, address + offset, pa, part, now, &result)) {
                if (result.ready < m->mshr_free_at)
                    m->mshr_free_at = result.ready;
                e->accessed = (uint8_t)offset;
                e->lines_ready = ready;
                e->missed = true;
                e->stall = STALL_L1D;
                return wait_in_queue(m, e);
            }
            if (result.ready > ready) {
                ready = result.ready;
                e->stall = (uint8_t)result.stall;
            }
        }
    }
    e->missed = ready > now;
    e->done_at = ready + e->op->latency;
    return MXS_ACCESSED;
}

/* The load/store queue */

void mxs_memory_enqueue(struct mxs *m, const struct mxs_entry *e)
{
    const uint32_t slot = mxs_slot_of(m->words, e->number);
    m->queued++;
    if (e->op->flags & OP_STORE)
        mxs_set_add(e->has_address ? memory_hash_set(m->words, m->stores_by_address, e->address) : m->unknown_stores,
                    slot);
    else if (e->has_value)
        mxs_set_add(memory_hash_set(m->words, m->loads_by_address, e->address), slot);
}

/* Loads */

static bool overlaps(const struct mxs_entry *a, const struct mxs_entry *b)
{
    return ((a->address ^ b->address) & ~7u) == 0 && (a->bytes & b->bytes) != 0;
}

enum store_conflict { STORE_NO_CONFLICT, STORE_FORWARDS, STORE_BLOCKS };

/* Search the older stores for the bytes of load E; for STORE_FORWARDS, *STORE has the value. */
static enum store_conflict search_stores(struct mxs *m, const struct mxs_entry *e, const struct mxs_entry **store)
{
    const uint64_t *stores = memory_hash_set(m->words, m->stores_by_address, e->address);
    for (uint64_t number = e->number;
         (number = mxs_set_previous(m, m->words, stores, m->unknown_stores, number)) != 0;) {
        const struct mxs_entry *s = mxs_entry_at(m, m->words, number);
        if (!s->has_address) {
            if (!m->config.loads_speculate)
                return STORE_BLOCKS;
            m->counts->speculated_past++;
            continue;
        }
        if (!overlaps(s, e))
            continue;
        *store = s;
        return s->has_value && (s->bytes & e->bytes) == e->bytes ? STORE_FORWARDS : STORE_BLOCKS;
    }
    return STORE_NO_CONFLICT;
}

enum mxs_outcome mxs_load(struct mxs *m, struct mxs_entry *e, vaddr address, unsigned size, bool unaligned, cycles now,
                          uint64_t *value)
{
    const struct mxs_entry *store = NULL;
    paddr pa;
    if (!translate(m, e, address, unaligned ? 1 : size, ACCESS_LOAD, &pa))
        return MXS_IRREGULAR;
    e->address = unaligned ? pa & ~3u : pa;
    e->size = (uint8_t)size;
    e->bytes = (uint8_t)(((1u << size) - 1) << (e->address & 7));
    switch (search_stores(m, e, &store)) {
    case STORE_BLOCKS: e->missed = false; return wait_in_queue(m, e);
    case STORE_FORWARDS:
        *value = store->data >> 8 * (e->address & 7);
        if (size < 8)
            *value &= (UINT64_C(1) << 8 * size) - 1;
        e->forwarder = store->number;
        m->counts->forwarded++;
        e->missed = false;
        e->done_at = now + e->op->latency;
        break;
    default:
        if (access_cache(m, e, MEMSYS_READ, address, unaligned ? 1 : size, now) == MXS_WAITING)
            return MXS_WAITING;
        *value = memory_read(m, e->address, size);
        e->forwarder = 0;
    }
    e->data = *value;
    e->has_address = e->has_value = true;
    mxs_set_add(memory_hash_set(m->words, m->loads_by_address, e->address), mxs_slot_of(m->words, e->number));
    return MXS_ACCESSED;
}

vaddr mxs_access_address(const struct mxs *m, const struct mxs_entry *e)
{
    return isa_address((enum isa_id)e->op->id, &e->op->insn, m->core->s.gpr);
}

void mxs_notify_watch(const struct mxs *m, const struct mxs_entry *e, enum access kind, uint64_t value)
{
    const vaddr address = mxs_access_address(m, e);
    const struct data_access access = {.kind = kind,
                                       .size = e->size,
                                       .address = (address & ~(vaddr)(PAGE_SIZE - 1)) | (e->address & (PAGE_SIZE - 1)),
                                       .physical = e->address,
                                       .uncounted = true,
                                       .value = value};
    data_watch_notify(m->core, &access);
}

/* Stores */

static uint8_t bytes_of_mask(uint32_t mask)
{
    return (uint8_t)((mask & 1) | (mask >> 8 & 1) << 1 | (mask >> 16 & 1) << 2 | (mask >> 24 & 1) << 3);
}

/* The address of store E has become known: find a younger load that has already read its bytes from elsewhere. */
static struct mxs_entry *find_violation(struct mxs *m, const struct mxs_entry *e)
{
    const uint64_t *loads = memory_hash_set(m->words, m->loads_by_address, e->address);
    for (uint64_t number = e->number; (number = mxs_set_next(m, m->words, loads, number + 1)) < m->next;) {
        struct mxs_entry *load = mxs_entry_at(m, m->words, number);
        if (load->forwarder < e->number && overlaps(load, e))
            return load;
    }
    return NULL;
}

void mxs_store_value(struct mxs *m, struct mxs_entry *e)
{
    m->store_values[e->op->id](m, e);
    e->has_value = true;
    mxs_lsq_retry(m, m->words);
}

enum mxs_outcome mxs_store(struct mxs *m, struct mxs_entry *e, vaddr address, unsigned size, bool unaligned,
                           uint32_t mask, cycles now)
{
    paddr pa;
    if (!translate(m, e, address, unaligned ? 1 : size, ACCESS_STORE, &pa))
        return MXS_IRREGULAR;
    if (!e->has_address) {
        e->address = unaligned ? pa & ~3u : pa;
        e->size = (uint8_t)size;
        e->bytes = (uint8_t)((unaligned ? bytes_of_mask(mask) : (1u << size) - 1) << (e->address & 7));
        e->has_address = true;
        mxs_set_remove(m->unknown_stores, mxs_slot_of(m->words, e->number));
        mxs_set_add(memory_hash_set(m->words, m->stores_by_address, e->address), mxs_slot_of(m->words, e->number));
        struct mxs_entry *load = find_violation(m, e);
        if (load != NULL)
            m->to_replay = load->number;
        if (e->data_pending == 0)
            mxs_store_value(m, e);
    }
    return access_cache(m, e, MEMSYS_WRITE, address, unaligned ? 1 : size, now);
}

/* Value of SIZE bytes at ADDRESS after the bytes stored by E are merged in. */
static uint64_t merge(const struct mxs *m, const struct mxs_entry *e, paddr address, unsigned size)
{
    uint64_t old = memory_read(m, address, size), new = e->data >> 8 * (address & 7), mask = 0;
    for (unsigned i = 0; i < size; i++)
        if (e->bytes >> ((address & 7) + i) & 1)
            mask |= UINT64_C(0xff) << 8 * i;
    return (old & ~mask) | (new &mask);
}

void mxs_store_graduate(struct mxs *m, const struct mxs_entry *e)
{
    struct core *core = m->core;
    const uint8_t flags = core->mem->page_flags[e->address >> PAGE_SHIFT];
    const unsigned full = (1u << e->size) - 1;
    uint64_t value = e->data >> 8 * (e->address & 7);
    core->counts.stores++;
    if ((unsigned)e->bytes >> (e->address & 7) != full)
        value = merge(m, e, e->address, e->size);
    if (SIM_LIKELY(!(flags & (PAGE_HAS_CODE | PAGE_LL_WATCH)))) {
        memcpy(physmem_host(core->mem, e->address), &value, e->size);
    } else {
        const unsigned part = e->size < 4 ? e->size : 4;
        for (unsigned offset = 0; offset < e->size; offset += part)
            core_store_physical(core, e->address + offset, part, (uint32_t)(value >> 8 * offset));
    }
    if (SIM_UNLIKELY(core->data_watch != NULL))
        mxs_notify_watch(m, e, ACCESS_STORE, value);
}
