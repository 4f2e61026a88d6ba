#include "cache/classify/classify_inline.h"

#include "cache/state/array.h"
#include "cache/state/line_table.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static void begin_sharing(struct classify *classify, uint32_t store_line)
{
    const struct classify_config *config = &classify->config;
    unsigned shared[CLASSIFY_CACHES_MAX];
    for (unsigned i = 0; i < config->caches; i++)
        shared[i] = config->cache[i].shared;
    sharing_init(&classify->sharing, config->cpus, config->caches, config->block, store_line, shared);
}

/* CACHE remembers its lines. */
static void begin_lines(struct classify_cache *cache, const struct classify_cache_config *geometry, bool full)
{
    cache->state = line_table_create(cache->line_shift, sizeof *cache->state);
    if (geometry->shared > 1)
        cache->evictor = line_table_create(cache->line_shift, sizeof *cache->evictor);
    if (full)
        fa_cache_init(&cache->fa_cache, geometry->size / geometry->line, cache->line_shift);
}

struct classify *classify_create(const struct classify_config *config)
{
    if (config->mode == CLASSIFY_OFF)
        return NULL;
    if (config->cpus > CLASSIFY_CPUS_MAX || config->caches > CLASSIFY_CACHES_MAX)
        log_bug("classification for %u CPUs with %u caches", config->cpus, config->caches);
    struct classify *classify = checked_memory(calloc(1, sizeof *classify));
    classify->config = *config;
    classify->present = PRESENT;
    classify->full = config->mode == CLASSIFY_FULL;
    classify->tracks_words = config->mode >= CLASSIFY_SHARING;
    uint32_t store_line = 1u << 2;
    for (unsigned i = 0; i < config->caches; i++) {
        const struct classify_cache_config *geometry = &config->cache[i];
        uint32_t shift = (uint32_t)__builtin_ctz(geometry->line);
        if (geometry->first && geometry->data)
            store_line = geometry->line;
        if (classify->shortest_line == 0 || geometry->line < classify->shortest_line)
            classify->shortest_line = geometry->line;
        for (unsigned cpu = 0; cpu < config->cpus; cpu++) {
            struct classify_cache *cache = &classify->cpu[cpu].cache[i];
            classify->cache[cpu * CLASSIFY_CACHES_MAX + i] = cache;
            cache->context = &classify->cpu[cpu];
            cache->classify = classify;
            cache->cpu = (uint8_t)cpu;
            cache->number = (uint8_t)i;
            cache->first = geometry->first;
            cache->line_shift = shift;
            cache->home = &classify->cpu[geometry->shared > 1 ? cpu & ~(geometry->shared - 1) : cpu].cache[i];
            if (cache->home == cache)
                begin_lines(cache, geometry, config->mode == CLASSIFY_FULL);
            cache->state = cache->home->state;
            cache->evictor = cache->home->evictor;
        }
    }
    if (config->mode >= CLASSIFY_SHARING)
        begin_sharing(classify, store_line);
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
            struct classify_cache *cache = &classify->cpu[cpu].cache[i];
            if (cache->home != cache)
                continue;
            line_table_free(cache->state, cache->line_shift, sizeof *cache->state);
            line_table_free(cache->evictor, cache->line_shift, sizeof *cache->evictor);
            if (config->mode == CLASSIFY_FULL)
                fa_cache_release(&cache->fa_cache);
        }
    if (config->mode >= CLASSIFY_SHARING)
        sharing_release(&classify->sharing);
    for (unsigned i = 0; i < CLASSIFY_PROFILES; i++) {
        profile_release(&classify->profile[i]);
        profile_release(&classify->named[i]);
    }
    free(classify);
}

void classify_set_context(struct classify *classify, unsigned cpu, enum mode mode, uint32_t process)
{
#define PLACE_OF(mode)                                                                                                 \
    [mode] = {                                                                                                         \
        (mode) * sizeof((struct classify_counts *)NULL)->miss[0],                                                      \
        (mode) * sizeof((struct classify_counts *)NULL)->evicted[0]                                                    \
    }
    static const struct classify_offsets places[MODE_COUNT] = {PLACE_OF(MODE_USER), PLACE_OF(MODE_KERNEL),
                                                               PLACE_OF(MODE_IDLE)};
#undef PLACE_OF
    struct classify_context *context = &classify->cpu[cpu];
    context->mode = mode;
    context->process = process;
    context->counts_at = places[mode];
    context->owner = mode == MODE_USER ? OWNER_USER | process << PROCESS_SHIFT : OWNER_KERNEL;
}

static inline struct classify_cache *cache_of(const struct classify *classify, unsigned cpu, unsigned number)
{
    return classify->cache[cpu * CLASSIFY_CACHES_MAX + number];
}

void classify_permissions_by_line(struct classify *classify, unsigned cpu, unsigned cache, uint8_t *bytes)
{
    cache_of(classify, cpu, cache)->permission = bytes;
}

struct memsys_uses classify_uses(struct classify *classify, unsigned cpu, unsigned cache)
{
    const struct classify_cache *c = cache_of(classify, cpu, cache);
    if (!classify->full || !c->first)
        return (struct memsys_uses){NULL, NULL};
    return (struct memsys_uses){c->fa_cache.entry_of, c->fa_cache.used};
}

bool classify_cache_may_hold(const struct classify_cache *cache, paddr address)
{
    const enum line_state state = cache->state[address >> cache->line_shift] & LINE_STATE_MASK;
    return state != EVICTED && state != BACK_INVALIDATED;
}

/* The reference cache of CACHE evicted the line GONE. If CACHE is a first level and may still hold it, clears its
 * fast-path permission: the next use must be reported. */
static ALWAYS_INLINE void reference_evicted(const struct classify_cache *cache, uint32_t gone)
{
    const struct classify *classify = cache->classify;
    if (SIM_LIKELY(cache->permission != NULL))
        cache->permission[gone] = PERMIT_NONE;
    else if (cache->first && cache->state[gone] == classify->present)
        classify->config.withdraw_permission(classify->config.opaque, cache->cpu, cache->number,
                                             gone << cache->line_shift);
}

static OUT_OF_LINE enum memsys_permission insert_any(struct classify_cache *cache, uint32_t line, cycles time,
                                                     enum memsys_permission may)
{
    const uint32_t gone = fa_cache_insert(&cache->home->fa_cache, line, time);
    if (gone != FA_CACHE_NO_LINE)
        reference_evicted(cache, gone);
    return may;
}

/* The usual case: the head of the queue is the victim. */
OUT_OF_LINE enum memsys_permission classify_cache_insert(struct classify_cache *cache, uint32_t line, cycles time,
                                                         enum memsys_permission may)
{
    uint32_t gone;
    cache->counts.reference[cache->context->mode]++;
    if (SIM_UNLIKELY(!fa_cache_insert_fast(&cache->home->fa_cache, line, time, &gone)))
        return insert_any(cache, line, time, may);
    reference_evicted(cache, gone);
    return may;
}

/* CACHE uses LINE at time TICKS. The clocks of CPUs that share a cache differ: its uses have an order only. */
static inline void use_at(struct classify_cache *cache, uint32_t line, cycles ticks)
{
    use(cache, line, cache->evictor ? ++cache->home->uses : time_of_use(cache->context, ticks));
}

/* LINE of CACHE, if it was invalidated, is fetched again: who writes it from now on is another matter. */
static inline void end_invalidation(struct classify_cache *cache, uint32_t line)
{
    struct classify *classify = cache->classify;
    if (SIM_UNLIKELY(cache->state[line] == INVALIDATED) && classify->tracks_words)
        sharing_refetch(&classify->sharing, cache->home->cpu, cache->number, line << cache->line_shift,
                        1u << cache->line_shift);
}

void classify_cache_fill(struct classify_cache *cache, paddr address, cycles time)
{
    struct classify *classify = cache->classify;
    const uint32_t line = address >> cache->line_shift;
    end_invalidation(cache, line);
    cache->state[line] = classify->present;
    if (classify->full)
        use_at(cache, line, time * MEMSYS_TICKS);
}

void classify_hit(struct classify *classify, unsigned cpu, unsigned number, const struct memsys_request *request)
{
    struct classify_cache *cache = cache_of(classify, cpu, number);
    if (classify->full)
        use_at(cache, request->address >> cache->line_shift, memsys_ticks_of(request->access, request->now));
}

void classify_fill(struct classify *classify, unsigned cpu, unsigned number, paddr address, cycles time)
{
    classify_cache_fill(cache_of(classify, cpu, number), address, time);
}

/* LINE left CACHE for a reason other than eviction. */
static inline void invalidate(struct classify *classify, struct classify_cache *cache, uint32_t line,
                              enum line_state state)
{
    if (classify->full)
        fa_cache_remove(&cache->home->fa_cache, line);
    if (state == INVALIDATED && classify->tracks_words)
        sharing_invalidate(&classify->sharing, cache->home->cpu, cache->number, line << cache->line_shift,
                           1u << cache->line_shift);
}

void classify_cache_removal(struct classify_cache *cache, paddr address, enum memsys_removal why, unsigned by_cpu)
{
    static const uint8_t states[] = {
        [REMOVED_EVICTION] = EVICTED,           [REMOVED_BACK_INVALIDATION] = BACK_INVALIDATED,
        [REMOVED_INVALIDATION] = INVALIDATED,   [REMOVED_DMA] = INVALIDATED,
        [REMOVED_CACHE_OP] = FLUSHED,           [REMOVED_ALIAS] = EVICTED,
        [REMOVED_DIRECTORY] = BACK_INVALIDATED, [REMOVED_MOVE] = NEVER_HELD,
        [REMOVED_SUPPLIED] = SUPPLIED,
    };
    const uint32_t line = address >> cache->line_shift;
    const enum line_state state = states[why];
    const bool evicted = state == EVICTED || state == BACK_INVALIDATED;
    if (why == REMOVED_SUPPLIED)
        end_invalidation(cache, line);
    cache->state[line] = state | (evicted ? cache->classify->cpu[by_cpu].owner : 0);
    if (cache->evictor)
        cache->evictor[line] = (uint8_t)by_cpu;
    if (state != EVICTED)
        invalidate(cache->classify, cache, line, state);
}

void classify_removal(struct classify *classify, unsigned cpu, unsigned number, paddr address, enum memsys_removal why,
                      unsigned by_cpu)
{
    classify_cache_removal(cache_of(classify, cpu, number), address, why, by_cpu);
}

void classify_flush(struct classify *classify)
{
    classify->present += 1u << LINE_STATE_BITS;
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        for (unsigned i = 0; i < classify->config.caches; i++)
            if (classify->full && classify->cpu[cpu].cache[i].home == &classify->cpu[cpu].cache[i])
                fa_cache_clear(&classify->cpu[cpu].cache[i].fa_cache);
}

enum miss_class classify_cache_coherence(const struct classify *classify, const struct classify_cache *cache,
                                         const struct memsys_request *request)
{
    if (!classify->tracks_words)
        return CLASS_COHERENCE;
    bool written =
        sharing_is_true(&classify->sharing, cache->home->cpu, cache->number, request->address, request->size);
    return written ? CLASS_TRUE_SHARING : CLASS_FALSE_SHARING;
}

static inline enum miss_kind kind_of(const struct memsys_request *request)
{
    return request->access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
}

/* Records a miss or upgrade in CACHE for the profiles. */
static inline void note_miss(const struct classify_cache *cache, enum miss_class class)
{
    cache->context->missed |= 1u << cache->number;
    cache->context->class = class;
}

/* REQUEST will use the caches that it missed when they are filled: not before its own time. */
static inline void await_fill(struct classify_context *who, const struct memsys_request *request)
{
    const cycles before = memsys_ticks_of(request->access, request->now) - 1;
    if (who->last_use < before)
        who->last_use = before;
}

static ALWAYS_INLINE enum miss_class miss(struct classify_cache *cache, const struct memsys_request *request)
{
    const uint32_t line = request->address >> cache->line_shift;
    const bool held = cache->classify->full && fa_cache_holds(&cache->home->fa_cache, line);
    enum miss_class class = count_class(cache->classify, cache, request, kind_of(request), cache->state[line], held);
    note_miss(cache, class);
    cache->context->inner = class;
    await_fill(cache->context, request);
    return class;
}

enum miss_class classify_miss(struct classify *classify, unsigned cpu, unsigned number,
                              const struct memsys_request *request)
{
    return miss(cache_of(classify, cpu, number), request);
}

enum miss_class classify_last_class(const struct classify *classify, unsigned cpu)
{
    return classify->cpu[cpu].class;
}

void classify_cache_miss(struct classify_cache *cache, const struct memsys_request *request)
{
    miss(cache, request);
}

struct classify_cache *classify_cache_of(const struct classify *classify, unsigned cpu, unsigned cache)
{
    return cache_of(classify, cpu, cache);
}

enum memsys_permission classify_replace(struct classify_cache *first, const struct memsys_request *request,
                                        paddr victim)
{
    if (victim)
        first->state[victim >> first->line_shift] = EVICTED | first->context->owner;
    classify_cache_fill(first, request->address, request->now);
    return may_do(first->classify, first->cpu, request, request->access);
}

void classify_upgrade(struct classify *classify, unsigned cpu, unsigned number, const struct memsys_request *request)
{
    struct classify_cache *cache = cache_of(classify, cpu, number);
    missed_of(cache, kind_of(request))[CLASS_UPGRADE]++;
    note_miss(cache, CLASS_UPGRADE);
}

bool classify_store(struct classify *classify, unsigned cpu, paddr address, uint32_t size)
{
    return !classify->tracks_words || sharing_store(&classify->sharing, cpu, address, size);
}

bool classify_may_store(const struct classify *classify, unsigned cpu, paddr address)
{
    return !classify->tracks_words || sharing_may_store(&classify->sharing, cpu, address);
}

void classify_device_store(struct classify *classify, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    if (!classify->tracks_words)
        return;
    for (uint64_t at = address; at < end && at < top;) {
        uint64_t next = sharing_block_end(&classify->sharing, (paddr)at);
        uint64_t stop = next < end ? next : end;
        sharing_store(&classify->sharing, SHARING_DEVICE, (paddr)at, (uint32_t)(stop - at));
        at = next;
    }
}

uint64_t classify_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address)
{
    const struct classify_context *context = &classify->cpu[cpu];
    uint64_t process = context->mode == MODE_USER ? (uint64_t)context->process + 1 : 0;
    if (which == CLASSIFY_BY_ADDRESS)
        address &= ~(classify->shortest_line - 1);
    return process << 32 | address;
}

uint64_t classify_named_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address,
                            const paddr *physical)
{
    return classify->naming ? classify->naming(classify->naming_opaque, cpu, which, address, physical) : 0;
}

static void add_wait(struct classify_profile_entry *entry, enum memsys_wait kind, cycles waited)
{
    switch (kind) {
    case MEMSYS_WAIT_INSN: entry->insn_stall += waited; /* fall through */
    case MEMSYS_WAIT_DATA: entry->stall += waited; break;
    case MEMSYS_WAIT_PIPELINE: entry->pipeline_stall += waited; break;
    }
}

static void add_charged(struct classify_charged *charged, enum memsys_wait kind, cycles waited)
{
    *(kind == MEMSYS_WAIT_PIPELINE ? &charged->pipeline_stall : &charged->stall) += waited;
}

void classify_charge(struct classify *classify, unsigned cpu, enum classify_profile which, uint64_t key, uint64_t named,
                     enum memsys_wait kind, cycles waited)
{
    if (which == CLASSIFY_BY_PC)
        add_charged(&classify->cpu[cpu].charged, kind, waited);
    add_wait(profile_entry(&classify->profile[which], key), kind, waited);
    if (classify->naming)
        add_wait(profile_entry(&classify->named[which], named), kind, waited);
}

static void add_to(struct classify_profile_entry *entry, const struct classify *classify,
                   const struct classify_context *context, enum memsys_wait kind, cycles stall)
{
    add_wait(entry, kind, stall);
    for (unsigned i = 0; i < classify->config.caches; i++)
        entry->miss[i] += context->missed >> i & 1;
    if (context->missed)
        entry->class[context->class]++;
}

static void record_in_profile(struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address,
                              const struct memsys_request *request, cycles stall)
{
    const struct classify_context *context = &classify->cpu[cpu];
    const enum memsys_wait kind = request->access == MEMSYS_FETCH ? MEMSYS_WAIT_INSN : MEMSYS_WAIT_DATA;
    add_to(profile_entry(&classify->profile[which], classify_key(classify, cpu, which, address)), classify, context,
           kind, stall);
    if (classify->naming)
        add_to(profile_entry(&classify->named[which],
                             classify_named_key(classify, cpu, which, address, &request->address)),
               classify, context, kind, stall);
}

const struct classify_charged *classify_charged_to(const struct classify *classify, unsigned cpu)
{
    return &classify->cpu[cpu].charged;
}

void classify_stall(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    struct classify_context *context = &classify->cpu[cpu];
    if (stall != 0 || context->missed != 0) {
        if (classify->config.by_pc) {
            record_in_profile(classify, cpu, CLASSIFY_BY_PC, request->pc, request, stall);
            add_charged(&context->charged, MEMSYS_WAIT_DATA, stall);
            for (unsigned i = 0; i < classify->config.caches; i++)
                context->charged.miss[i] += context->missed >> i & 1;
        }
        if (classify->config.by_address && request->access != MEMSYS_FETCH)
            record_in_profile(classify, cpu, CLASSIFY_BY_ADDRESS, request->virtual_address, request, stall);
    }
    context->missed = 0;
}

void classify_set_naming(struct classify *classify, classify_naming_fn *name, void *opaque)
{
    classify->naming = name;
    classify->naming_opaque = opaque;
    for (unsigned i = 0; i < CLASSIFY_PROFILES; i++) {
        const struct profile *profile = &classify->profile[i];
        profile_release(&classify->named[i]);
        classify->named[i] = (struct profile){.count = 0};
        for (size_t at = 0; name && at < profile->count; at++)
            *profile_entry(&classify->named[i], profile->entries[at].key) = profile->entries[at];
    }
}

void classify_add_wait(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles waited)
{
    struct classify_context *context = &classify->cpu[cpu];
    context->waited[context->mode][kind_of(request)][context->class] += waited;
}

classify_waits_by_class classify_wait_cycles(const struct classify *classify, unsigned cpu, enum mode mode)
{
    return classify->cpu[cpu].waited[mode];
}

bool classify_cache_takes_kind(const struct classify *classify, unsigned cache, enum miss_kind kind)
{
    const struct classify_cache_config *geometry = &classify->config.cache[cache];
    return kind == MISS_INSN ? geometry->insn : geometry->data;
}

const struct classify_counts *classify_counts(const struct classify *classify, unsigned cpu, unsigned cache)
{
    return &classify->cpu[cpu].cache[cache].counts;
}

struct classify_profile_entry *classify_profile(const struct classify *classify, enum classify_profile which,
                                                size_t *count)
{
    return profile_sorted(classify->naming ? &classify->named[which] : &classify->profile[which], count);
}
