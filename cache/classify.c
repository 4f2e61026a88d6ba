#include "cache/classify_private.h"

#include "cache/classify_table.h"
#include "cache/engine.h"
#include "src/log.h"
#include <stdlib.h>
#include <string.h>

/* What is known of a line in a cache: PRESENT, an enum classify_cause, or 0 (never held). In the bits above, who the
 * CPU ran when the line was replaced; of a PRESENT line, how many flushes there had been (modulo 2^29), so that a flush
 * needs to visit no line. */
enum { NEVER_HELD, PRESENT, CAUSE_BITS = 3, CAUSE_MASK = (1 << CAUSE_BITS) - 1 };
_Static_assert((int)LEFT_REPLACED > (int)PRESENT && (int)LEFT_FLUSHED <= (int)CAUSE_MASK, "causes are states");

/* Who a CPU runs, as it is kept in a line's state: all kernels are one. */
enum { OWNER_KERNEL = 0, OWNER_USER = 1 << CAUSE_BITS, PROCESS_SHIFT = CAUSE_BITS + 1 };

struct classify *classify_create(const struct classify_config *config)
{
    if (config->mode == CLASSIFY_OFF)
        return NULL;
    if (config->cpus > CLASSIFY_CPUS_MAX || config->caches > CLASSIFY_CACHES_MAX)
        log_bug("classification for %u CPUs with %u caches", config->cpus, config->caches);
    struct classify *classify = calloc(1, sizeof *classify);
    if (!classify)
        log_bug("out of memory for the classification of misses");
    classify->config = *config;
    classify->present = PRESENT;
    classify->full = config->mode == CLASSIFY_FULL;
    classify->sees_words = config->mode >= CLASSIFY_SHARING;
    uint32_t store_line = 1u << 2;
    for (unsigned i = 0; i < config->caches; i++) {
        const struct classify_cache *geometry = &config->cache[i];
        uint32_t shift = (uint32_t)__builtin_ctz(geometry->line);
        if (geometry->first && geometry->data)
            store_line = geometry->line;
        if (classify->shortest_line == 0 || geometry->line < classify->shortest_line)
            classify->shortest_line = geometry->line;
        for (unsigned cpu = 0; cpu < config->cpus; cpu++) {
            struct classified *cache = &classify->cpu[cpu].cache[i];
            classify->cache[cpu * CLASSIFY_CACHES_MAX + i] = cache;
            cache->who = &classify->cpu[cpu];
            cache->all = classify;
            cache->cpu = (uint8_t)cpu;
            cache->number = (uint8_t)i;
            cache->first = geometry->first;
            cache->line_shift = shift;
            cache->state = classify_table_create(shift, sizeof *cache->state);
            if (config->mode == CLASSIFY_FULL)
                shadow_init(&cache->shadow, geometry->size / geometry->line, shift);
        }
    }
    if (config->mode >= CLASSIFY_SHARING)
        sharing_init(&classify->sharing, config->cpus, config->caches, config->block, store_line);
    for (unsigned cpu = 0; cpu < config->cpus; cpu++)
        classify_set_context(classify, cpu, MODE_KERNEL, 0);
    return classify;
}

void classify_free(struct classify *classify)
{
    if (!classify)
        return;
    const struct classify_config *config = &classify->config;
    for (unsigned cpu = 0; cpu < config->cpus; cpu++)
        for (unsigned i = 0; i < config->caches; i++) {
            struct classified *cache = &classify->cpu[cpu].cache[i];
            classify_table_free(cache->state, cache->line_shift, sizeof *cache->state);
            if (config->mode == CLASSIFY_FULL)
                shadow_release(&cache->shadow);
        }
    if (config->mode >= CLASSIFY_SHARING)
        sharing_release(&classify->sharing);
    for (unsigned i = 0; i < CLASSIFY_PROFILES; i++)
        profile_release(&classify->profile[i]);
    free(classify);
}

void classify_set_context(struct classify *classify, unsigned cpu, enum mode mode, uint32_t process)
{
    struct classified_cpu *who = &classify->cpu[cpu];
    who->mode = mode;
    who->owner = mode == MODE_USER ? OWNER_USER | process << PROCESS_SHIFT : OWNER_KERNEL;
    who->process = process;
}

static inline struct classified *cache_of(const struct classify *classify, unsigned cpu, unsigned number)
{
    return classify->cache[cpu * CLASSIFY_CACHES_MAX + number];
}

cycles *classify_use_times(struct classify *classify, unsigned cpu, unsigned cache)
{
    struct classified *c = cache_of(classify, cpu, cache);
    return classify->full && c->first ? c->shadow.used : NULL;
}

/* CACHE uses LINE: tell its shadow, which may have to drop another line. The use of one that the cache itself still
 * holds will be news to the shadow: it must not go unseen. */
static inline void use(struct classify *classify, struct classified *cache, uint32_t line, cycles time)
{
    const cycles ticks = time * MEMSYS_TICKS;
    /* several accesses may be made at one time: they are in order, too */
    cache->last_use = ticks > cache->last_use ? ticks : cache->last_use + 1;
    uint32_t gone = shadow_use(&cache->shadow, line, cache->last_use);
    if (gone != SHADOW_NOTHING && cache->first && cache->state[gone] == classify->present)
        classify->config.forget_quick(classify->config.opaque, cache->cpu, cache->number, gone << cache->line_shift);
}

static inline void fill(struct classify *classify, struct classified *cache, uint32_t line, cycles time_of_use)
{
    if (SIM_UNLIKELY(cache->state[line] == LEFT_COHERENCE) && classify->sees_words)
        sharing_regain(&classify->sharing, cache->cpu, cache->number, line << cache->line_shift,
                       1u << cache->line_shift);
    cache->state[line] = classify->present;
    if (classify->full)
        use(classify, cache, line, time_of_use);
}

void classify_hit(struct classify *classify, unsigned cpu, unsigned number, const struct memsys_request *request)
{
    struct classified *cache = cache_of(classify, cpu, number);
    if (classify->full)
        use(classify, cache, request->address >> cache->line_shift, request->now);
}

void classify_fill(struct classify *classify, unsigned cpu, unsigned number, paddr address, cycles time)
{
    struct classified *cache = cache_of(classify, cpu, number);
    fill(classify, cache, address >> cache->line_shift, time);
}

/* For another reason than replacement. */
static void leave(struct classify *classify, struct classified *cache, uint32_t line, enum classify_cause cause)
{
    if (classify->full)
        shadow_remove(&cache->shadow, line);
    if (cause == LEFT_COHERENCE && classify->sees_words)
        sharing_lose(&classify->sharing, cache->cpu, cache->number, line << cache->line_shift, 1u << cache->line_shift);
}

void classify_leave(struct classify *classify, unsigned cpu, unsigned number, paddr address, enum classify_cause cause)
{
    struct classified *cache = cache_of(classify, cpu, number);
    uint32_t line = address >> cache->line_shift;
    cache->state[line] = (uint32_t)cause | (cause <= LEFT_INCLUSION ? cache->who->owner : 0);
    if (cause != LEFT_REPLACED)
        leave(classify, cache, line, cause);
}

void classify_flush(struct classify *classify)
{
    classify->present += 1u << CAUSE_BITS;
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        for (unsigned i = 0; i < classify->config.caches; i++)
            if (classify->full)
                shadow_clear(&classify->cpu[cpu].cache[i].shadow);
}

static enum miss_class class_of_coherence(const struct classify *classify, const struct classified *cache,
                                          const struct memsys_request *request)
{
    if (!classify->sees_words)
        return CLASS_COHERENCE;
    bool written = sharing_is_true(&classify->sharing, cache->cpu, cache->number, request->address, request->size);
    return written ? CLASS_TRUE_SHARING : CLASS_FALSE_SHARING;
}

/* The line was replaced (or is in a set that another virtual address selects), or taken along by an outer line. */
static inline enum miss_class class_of_evicted(const struct classify *classify, const struct classified *cache,
                                               uint32_t line, uint32_t cause)
{
    if (cause == LEFT_INCLUSION)
        return CLASS_INCLUSION;
    if (!classify->full)
        return CLASS_REPLACED;
    return shadow_holds(&cache->shadow, line) ? CLASS_CONFLICT : CLASS_CAPACITY;
}

static inline enum miss_kind kind_of(const struct memsys_request *request)
{
    return request->access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
}

static inline void count(struct classified *cache, enum miss_kind kind, enum miss_class class)
{
    struct classified_cpu *who = cache->who;
    cache->counts.miss[who->mode][kind][class]++;
    who->missed |= 1u << cache->number;
    who->class = class;
}

static inline void count_evictor(struct classified *cache, enum miss_kind kind, bool other)
{
    cache->counts.evicted[cache->who->mode][kind][other ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
}

/* LINE is the request's, STATE its. */
static ALWAYS_INLINE enum miss_class miss(struct classify *classify, struct classified *cache,
                                          const struct memsys_request *request, uint32_t line, uint32_t state)
{
    const uint32_t cause = state & CAUSE_MASK;
    enum miss_kind kind = kind_of(request);
    enum miss_class class;
    if (SIM_LIKELY(cause == LEFT_REPLACED || cause == LEFT_INCLUSION)) {
        class = class_of_evicted(classify, cache, line, cause);
        count_evictor(cache, kind, state - cause != cache->who->owner);
    } else if (state == NEVER_HELD) {
        class = CLASS_COLD;
    } else if (cause == LEFT_COHERENCE) {
        class = class_of_coherence(classify, cache, request);
    } else if (state == classify->present) {
        class = class_of_evicted(classify, cache, line, cause);
        count_evictor(cache, kind, false);
    } else {
        class = CLASS_FLUSHED;
    }
    count(cache, kind, class);
    return class;
}

enum miss_class classify_miss(struct classify *classify, unsigned cpu, unsigned number,
                              const struct memsys_request *request)
{
    struct classified *cache = cache_of(classify, cpu, number);
    const uint32_t line = request->address >> cache->line_shift;
    return miss(classify, cache, request, line, cache->state[line]);
}

struct classified *classify_cache(const struct classify *classify, unsigned cpu, unsigned cache)
{
    return cache_of(classify, cpu, cache);
}

static inline enum memsys_quick may_do(struct classify *classify, unsigned cpu, const struct memsys_request *request)
{
    bool may_store = true;
    if (request->access == MEMSYS_WRITE)
        may_store = sharing_store(&classify->sharing, cpu, request->address, request->size);
    else if (request->access == MEMSYS_READ)
        may_store = sharing_may_store(&classify->sharing, cpu, request->address);
    return may_store ? QUICK_WRITE : QUICK_READ;
}

enum memsys_quick classify_first_hit(struct classified *first, const struct memsys_request *request)
{
    struct classify *classify = first->all;
    if (classify->full)
        use(classify, first, request->address >> first->line_shift, request->now);
    return classify->sees_words ? may_do(classify, first->cpu, request) : QUICK_WRITE;
}

enum memsys_quick classify_exchange(struct classified *first, struct classified *second,
                                    const struct memsys_request *request, paddr victim)
{
    struct classify *const classify = first->all;
    uint32_t *const states = first->state;
    const uint32_t shift = first->line_shift, line = request->address >> shift, state = states[line];
    miss(classify, first, request, line, state);
    if (SIM_UNLIKELY(state == LEFT_COHERENCE) && classify->sees_words)
        sharing_regain(&classify->sharing, first->cpu, first->number, line << shift, 1u << shift);
    if (victim)
        states[victim >> shift] = LEFT_REPLACED | first->who->owner;
    states[line] = classify->present;
    if (classify->full) {
        use(classify, second, request->address >> second->line_shift, request->now);
        use(classify, first, line, request->now);
    }
    return classify->sees_words ? may_do(classify, first->cpu, request) : QUICK_WRITE;
}

void classify_upgrade(struct classify *classify, unsigned cpu, unsigned number, const struct memsys_request *request)
{
    count(cache_of(classify, cpu, number), kind_of(request), CLASS_UPGRADE);
}

bool classify_store(struct classify *classify, unsigned cpu, paddr address, uint32_t size)
{
    return !classify->sees_words || sharing_store(&classify->sharing, cpu, address, size);
}

bool classify_may_store(const struct classify *classify, unsigned cpu, paddr address)
{
    return !classify->sees_words || sharing_may_store(&classify->sharing, cpu, address);
}

void classify_device_store(struct classify *classify, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    if (!classify->sees_words)
        return;
    for (uint64_t at = address; at < end && at < top;) {
        uint64_t next = sharing_block_end(&classify->sharing, (paddr)at);
        uint64_t stop = next < end ? next : end;
        sharing_store(&classify->sharing, SHARING_DEVICE, (paddr)at, (uint32_t)(stop - at));
        at = next;
    }
}

static void record(struct classify *classify, const struct classified_cpu *who, enum classify_profile which,
                   vaddr address, cycles stall)
{
    uint64_t process = who->mode == MODE_USER ? (uint64_t)who->process + 1 : 0;
    struct classify_profile_entry *entry = profile_entry(&classify->profile[which], process << 32 | address);
    entry->stall += stall;
    for (unsigned i = 0; i < classify->config.caches; i++)
        entry->miss[i] += who->missed >> i & 1;
    if (who->missed)
        entry->class[who->class]++;
}

void classify_stall(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    struct classified_cpu *who = &classify->cpu[cpu];
    if (stall != 0 || who->missed != 0) {
        if (classify->config.by_pc)
            record(classify, who, CLASSIFY_BY_PC, request->pc, stall);
        if (classify->config.by_address && request->access != MEMSYS_FETCH)
            record(classify, who, CLASSIFY_BY_ADDRESS, request->virtual_address & ~(classify->shortest_line - 1),
                   stall);
    }
    who->missed = 0;
}

const struct classify_counts *classify_counts(const struct classify *classify, unsigned cpu, unsigned cache)
{
    return &classify->cpu[cpu].cache[cache].counts;
}

struct classify_profile_entry *classify_profile(const struct classify *classify, enum classify_profile which,
                                                size_t *count)
{
    return profile_sorted(&classify->profile[which], count);
}
