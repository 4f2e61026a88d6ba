/*
 * A simple reference model of docs/reference/miss-classes.md for tests of the classification. It observes every access,
 * keeps lists and a log of all stores, and searches them linearly. It shares only the names of the classes with
 * cache/classify*.c.
 */
#ifndef SIMOS_TESTS_UNIT_CLASSIFY_REFERENCE_H
#define SIMOS_TESTS_UNIT_CLASSIFY_REFERENCE_H

#include "cache/classify/classify.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

/* Addresses: SLOW_SPACE bytes from SLOW_BASE; lines of 4 bytes or more. */
enum { SLOW_CPUS = 4, SLOW_SPACE = 16384, SLOW_BASE = 0x80000, SLOW_LINES = SLOW_SPACE / 4, SLOW_STORES = 400000 };

enum slow_state { SLOW_NEVER, SLOW_PRESENT, SLOW_REPLACED, SLOW_INCLUSION, SLOW_COHERENCE, SLOW_FLUSHED };

struct slow_line {
    enum slow_state state;
    bool by_user;
    uint32_t by_process;
    unsigned lost_at; /* number of stores before */
};

struct slow_cache {
    uint32_t line_size, capacity;
    struct slow_line line[SLOW_LINES];
    uint32_t list[SLOW_LINES], count; /* fully associative cache, most recently used first */
    unsigned long miss[MODE_COUNT][MISS_KINDS][CLASS_COUNT], evicted[MODE_COUNT][MISS_KINDS][MISS_EVICTORS],
        user_user[MISS_KINDS];
};

struct slow_store {
    unsigned writer;
    paddr word;
};

struct slow_context {
    enum mode mode;
    uint32_t process;
};

struct slow {
    enum classify_mode mode;
    unsigned caches;
    uint32_t word; /* granularity of sharing: 4 bytes, larger for very long lines */
    struct slow_context context[SLOW_CPUS];
    struct slow_cache cache[SLOW_CPUS][CLASSIFY_CACHES_MAX];
    struct slow_store store[SLOW_STORES];
    unsigned stores;
};

static inline uint32_t slow_line_number(const struct slow_cache *cache, paddr address)
{
    return (address - SLOW_BASE) / cache->line_size;
}

static inline void slow_unlist(struct slow_cache *cache, uint32_t line)
{
    uint32_t at = 0;
    while (at < cache->count && cache->list[at] != line)
        at++;
    if (at == cache->count)
        return;
    memmove(cache->list + at, cache->list + at + 1, (cache->count - at - 1) * sizeof *cache->list);
    cache->count--;
}

static inline bool slow_listed(const struct slow_cache *cache, uint32_t line)
{
    for (uint32_t i = 0; i < cache->count; i++)
        if (cache->list[i] == line)
            return true;
    return false;
}

/* An access of the cache to ADDRESS: a hit, or the fill after a miss. */
static inline void slow_use(struct slow *slow, unsigned cpu, unsigned number, paddr address)
{
    struct slow_cache *cache = &slow->cache[cpu][number];
    uint32_t line = slow_line_number(cache, address);
    slow_unlist(cache, line);
    if (cache->count == cache->capacity)
        cache->count--;
    memmove(cache->list + 1, cache->list, cache->count * sizeof *cache->list);
    cache->list[0] = line;
    cache->count++;
}

static inline void slow_fill(struct slow *slow, unsigned cpu, unsigned number, paddr address)
{
    struct slow_cache *cache = &slow->cache[cpu][number];
    cache->line[slow_line_number(cache, address)].state = SLOW_PRESENT;
    slow_use(slow, cpu, number, address);
}

static inline void slow_leave(struct slow *slow, unsigned cpu, unsigned number, paddr address, enum slow_state why)
{
    struct slow_cache *cache = &slow->cache[cpu][number];
    const struct slow_context *context = &slow->context[cpu];
    cache->line[slow_line_number(cache, address)] = (struct slow_line){
        .state = why, .by_user = context->mode == MODE_USER, .by_process = context->process, .lost_at = slow->stores};
    if (why != SLOW_REPLACED)
        slow_unlist(cache, slow_line_number(cache, address));
}

static inline void slow_log_store(struct slow *slow, unsigned writer, paddr address, uint32_t size)
{
    for (paddr word = address & ~(slow->word - 1); word < address + size; word += slow->word) {
        assert_true(slow->stores < SLOW_STORES);
        slow->store[slow->stores++] = (struct slow_store){writer, word};
    }
}

static inline bool slow_written_since(const struct slow *slow, unsigned cpu, unsigned since, paddr address,
                                      uint32_t size)
{
    for (unsigned i = since; i < slow->stores; i++)
        if (slow->store[i].writer != cpu && slow->store[i].word < address + size &&
            slow->store[i].word + slow->word > address)
            return true;
    return false;
}

static inline enum miss_class slow_class(const struct slow *slow, unsigned cpu, unsigned number,
                                         const struct memsys_request *request)
{
    const struct slow_cache *cache = &slow->cache[cpu][number];
    const uint32_t line = slow_line_number(cache, request->address);
    switch (cache->line[line].state) {
    case SLOW_NEVER: return CLASS_COLD;
    case SLOW_PRESENT: /* in the set of another virtual address */
    case SLOW_REPLACED:
        if (slow->mode != CLASSIFY_FULL)
            return CLASS_REPLACED;
        return slow_listed(cache, line) ? CLASS_CONFLICT : CLASS_CAPACITY;
    case SLOW_INCLUSION: return CLASS_INCLUSION;
    case SLOW_COHERENCE:
        if (slow->mode == CLASSIFY_REPLACEMENT)
            return CLASS_COHERENCE;
        return slow_written_since(slow, cpu, cache->line[line].lost_at, request->address, request->size)
                   ? CLASS_TRUE_SHARING
                   : CLASS_FALSE_SHARING;
    case SLOW_FLUSHED: break;
    }
    return CLASS_FLUSHED;
}

/* Count the miss and return its class. */
static inline enum miss_class slow_miss(struct slow *slow, unsigned cpu, unsigned number,
                                        const struct memsys_request *request)
{
    struct slow_cache *cache = &slow->cache[cpu][number];
    const struct slow_line *line = &cache->line[slow_line_number(cache, request->address)];
    const struct slow_context *context = &slow->context[cpu];
    enum miss_kind kind = request->access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
    enum miss_class class = slow_class(slow, cpu, number, request);
    cache->miss[context->mode][kind][class]++;
    if (line->state == SLOW_PRESENT) {
        cache->evicted[context->mode][kind][EVICTED_BY_SELF]++;
    } else if (line->state == SLOW_REPLACED || line->state == SLOW_INCLUSION) {
        bool user = context->mode == MODE_USER;
        bool self = user ? line->by_user && line->by_process == context->process : !line->by_user;
        cache->evicted[context->mode][kind][self ? EVICTED_BY_SELF : EVICTED_BY_OTHER]++;
        if (user && line->by_user && line->by_process != context->process)
            cache->user_user[kind]++;
    }
    return class;
}

static inline void slow_compare(const struct slow *slow, const struct classify *classify, unsigned cpus)
{
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        for (unsigned number = 0; number < slow->caches; number++) {
            const struct classify_counts *counts = classify_counts(classify, cpu, number);
            const struct slow_cache *cache = &slow->cache[cpu][number];
            for (unsigned kind = 0; kind < MISS_KINDS; kind++)
                assert_int_equal(counts->user_user[kind], cache->user_user[kind]);
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                for (unsigned kind = 0; kind < MISS_KINDS; kind++) {
                    for (unsigned class = 0; class < CLASS_COUNT; class ++)
                        assert_int_equal(counts->miss[mode][kind][class], cache->miss[mode][kind][class]);
                    for (unsigned who = 0; who < MISS_EVICTORS; who++)
                        assert_int_equal(counts->evicted[mode][kind][who], cache->evicted[mode][kind][who]);
                }
        }
}

/* Misses of CLASS in all caches. */
static inline unsigned long slow_seen(const struct slow *slow, unsigned cpus, enum miss_class class)
{
    unsigned long seen = 0;
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        for (unsigned number = 0; number < slow->caches; number++)
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                seen += slow->cache[cpu][number].miss[mode][MISS_INSN][class] +
                        slow->cache[cpu][number].miss[mode][MISS_DATA][class];
    return seen;
}

static inline uint32_t slow_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* A random multiple of 8: mostly a few lines, some of them shared by all CPUs and mapped to the same sets; sometimes
 * any line. */
static inline paddr slow_random_address(uint32_t *seed)
{
    uint32_t random = slow_random(seed), offset;
    switch (random >> 29) {
    case 0:
    case 1: offset = random % 128; break;
    case 2: offset = random % 4 * 2048 + random / 4 % 256; break;
    case 3:
    case 4: offset = 4096 + random % 512; break;
    case 5: offset = random % 1024; break;
    default: offset = random % SLOW_SPACE; break;
    }
    return SLOW_BASE + (offset & ~7u);
}

#endif
