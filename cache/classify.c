#include "cache/classify_private.h"

#include "cache/classify_table.h"
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

cycles *classify_use_times(struct classify *classify, unsigned cpu, unsigned cache)
{
    if (classify->config.mode != CLASSIFY_FULL || !classify->config.cache[cache].first)
        return NULL;
    return classify->cpu[cpu].cache[cache].shadow.used;
}

/* CACHE of CPU uses LINE: tell its shadow, which may have to drop another line. The use of one that the cache itself
 * still holds will be news to the shadow: it must not go unseen. */
static void use(struct classify *classify, unsigned cpu, unsigned number, uint32_t line, cycles time)
{
    struct classified *cache = &classify->cpu[cpu].cache[number];
    /* several accesses may be made at one time: they are in order, too */
    cache->last_use = time > cache->last_use ? time : cache->last_use + 1;
    uint32_t gone = shadow_use(&cache->shadow, line, cache->last_use);
    if (gone != SHADOW_NOTHING && cache->state[gone] == classify->present && classify->config.cache[number].first)
        classify->config.forget_quick(classify->config.opaque, cpu, number, gone << cache->line_shift);
}

static cycles time_of_use(const struct memsys_request *request)
{
    return request->now * CLASSIFY_USE_UNIT + (request->access != MEMSYS_FETCH);
}

void classify_hit(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request)
{
    if (classify->config.mode == CLASSIFY_FULL)
        use(classify, cpu, cache, request->address >> classify->cpu[cpu].cache[cache].line_shift, time_of_use(request));
}

void classify_fill(struct classify *classify, unsigned cpu, unsigned number, paddr address, cycles time)
{
    struct classified *cache = &classify->cpu[cpu].cache[number];
    uint32_t line = address >> cache->line_shift;
    if (cache->state[line] == LEFT_COHERENCE && classify->config.mode >= CLASSIFY_SHARING)
        sharing_regain(&classify->sharing, cpu, number, line << cache->line_shift, 1u << cache->line_shift);
    cache->state[line] = classify->present;
    if (classify->config.mode == CLASSIFY_FULL)
        use(classify, cpu, number, line, time * CLASSIFY_USE_UNIT);
}

void classify_leave(struct classify *classify, unsigned cpu, unsigned number, paddr address, enum classify_cause cause)
{
    struct classified *cache = &classify->cpu[cpu].cache[number];
    uint32_t line = address >> cache->line_shift, owner = 0;
    if (cause == LEFT_REPLACED || cause == LEFT_INCLUSION)
        owner = classify->cpu[cpu].owner;
    cache->state[line] = (uint32_t)cause | owner;
    if (cause == LEFT_COHERENCE && classify->config.mode >= CLASSIFY_SHARING)
        sharing_lose(&classify->sharing, cpu, number, line << cache->line_shift, 1u << cache->line_shift);
    if (cause != LEFT_REPLACED && classify->config.mode == CLASSIFY_FULL)
        shadow_remove(&cache->shadow, line);
}

void classify_flush(struct classify *classify)
{
    classify->present += 1u << CAUSE_BITS;
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        for (unsigned i = 0; i < classify->config.caches; i++)
            if (classify->config.mode == CLASSIFY_FULL)
                shadow_clear(&classify->cpu[cpu].cache[i].shadow);
}

static enum miss_class class_of_replaced(const struct classify *classify, const struct classified *cache, uint32_t line)
{
    if (classify->config.mode != CLASSIFY_FULL)
        return CLASS_REPLACED;
    return shadow_holds(&cache->shadow, line) ? CLASS_CONFLICT : CLASS_CAPACITY;
}

static enum miss_class class_of_coherence(const struct classify *classify, unsigned cpu, unsigned cache,
                                          const struct memsys_request *request)
{
    if (classify->config.mode < CLASSIFY_SHARING)
        return CLASS_COHERENCE;
    bool written = sharing_is_true(&classify->sharing, cpu, cache, request->address, request->size);
    return written ? CLASS_TRUE_SHARING : CLASS_FALSE_SHARING;
}

static void count(struct classify *classify, unsigned cpu, unsigned number, const struct memsys_request *request,
                  enum miss_class class)
{
    struct classified_cpu *who = &classify->cpu[cpu];
    enum miss_kind kind = request->access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
    who->cache[number].counts.miss[who->mode][kind][class]++;
    who->missed |= 1u << number;
    who->class = class;
}

enum miss_class classify_miss(struct classify *classify, unsigned cpu, unsigned number,
                              const struct memsys_request *request)
{
    struct classified_cpu *who = &classify->cpu[cpu];
    struct classified *cache = &who->cache[number];
    uint32_t line = request->address >> cache->line_shift, state = cache->state[line];
    enum miss_class class = CLASS_COLD;
    bool other = false, evicted = false;
    switch (state & CAUSE_MASK) {
    case NEVER_HELD: break;
    case PRESENT:
        if (state != classify->present) {
            class = CLASS_FLUSHED;
            break;
        }
        /* in a set that another virtual address selects */
        class = class_of_replaced(classify, cache, line);
        evicted = true;
        break;
    case LEFT_REPLACED:
        class = class_of_replaced(classify, cache, line);
        evicted = true;
        other = (state & ~(uint32_t)CAUSE_MASK) != who->owner;
        break;
    case LEFT_INCLUSION:
        class = CLASS_INCLUSION;
        evicted = true;
        other = (state & ~(uint32_t)CAUSE_MASK) != who->owner;
        break;
    case LEFT_COHERENCE: class = class_of_coherence(classify, cpu, number, request); break;
    case LEFT_FLUSHED: class = CLASS_FLUSHED; break;
    }
    count(classify, cpu, number, request, class);
    if (evicted) {
        enum miss_kind kind = request->access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
        cache->counts.evicted[who->mode][kind][other ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
    }
    return class;
}

void classify_upgrade(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request)
{
    count(classify, cpu, cache, request, CLASS_UPGRADE);
}

bool classify_store(struct classify *classify, unsigned cpu, paddr address, uint32_t size)
{
    if (classify->config.mode < CLASSIFY_SHARING)
        return true;
    return sharing_store(&classify->sharing, cpu, address, size);
}

bool classify_may_store(const struct classify *classify, unsigned cpu, paddr address)
{
    return classify->config.mode < CLASSIFY_SHARING || sharing_may_store(&classify->sharing, cpu, address);
}

void classify_device_store(struct classify *classify, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    if (classify->config.mode < CLASSIFY_SHARING)
        return;
    for (uint64_t at = address; at < end && at < top;) {
        uint64_t next = (at | (classify->config.block - 1)) + 1;
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
