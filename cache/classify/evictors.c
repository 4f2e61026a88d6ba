#include "cache/classify/evictors.h"

#include "cache/classify/classify.h"
#include "cache/state/engine.h"
#include "cache/state/hooks.h"
#include "cache/state/line_table.h"
#include "src/base/hash_map.h"
#include <stdlib.h>
#include <string.h>

/* Keys by number, from 1; 0: none. */
struct places {
    uint64_t *key;
    size_t count, room;
    struct hash_map numbers;
};

/* A pair with the numbers of its two keys. */
struct counted {
    uint32_t missed, by, set;
};

/* One cache of one CPU. */
struct record {
    /* By line number: the place whose line took this line's place; 0: it is not known, the line is present, or it was
     * not lost by replacement. Of a shared cache its first CPU's. NULL: there is no such cache. */
    uint32_t *by;
    uint32_t line_shift;
    struct counted *counted;
    struct evictor_pair *pair; /* of the same index */
    size_t count, room;
    struct hash_map index;
    uint64_t known;  /* the sum of all pairs */
    uint64_t before; /* replaced() when counting began */
};

/* A line that CPU's CACHE has lost, until the line that takes its place is known: that which fills FOR. */
struct lost {
    unsigned cpu;
    enum memsys_cache cache, for_cache;
    paddr line;
    bool is_claimed; /* FOR_CACHE is known */
};

/* The losses to one CPU's accesses, and its latest access that missed. */
struct filling {
    struct lost *lost;
    size_t count, room;
    struct memsys_request request;
    uint32_t place; /* of the request; 0: there was none */
};

struct evictors {
    struct memsys *memsys;
    const struct classify *classify;
    uint8_t number[MEMSYS_CACHES]; /* of the caches, in `classify` */
    struct memsys_event_ops ops;
    struct places places;
    uint32_t *last; /* by number of the shortest lines: the place that was last seen to be accessed there */
    uint32_t last_shift;
    struct filling filling[BOARD_MAX_CPUS];
    struct record record[BOARD_MAX_CPUS][MEMSYS_CACHES];
};

/* Places */

static uint32_t number_of(struct places *places, uint64_t key)
{
    const struct hash_slot *slot = hash_map_find(&places->numbers, key);
    if (slot)
        return (uint32_t)slot->number;
    if (places->count + 1 >= places->room) {
        places->room = places->room ? 2 * places->room : 1024;
        places->key = checked_memory(realloc(places->key, places->room * sizeof *places->key));
    }
    places->key[++places->count] = key;
    hash_map_add(&places->numbers, key)->number = places->count;
    return (uint32_t)places->count;
}

static uint64_t key_of(const struct classify *classify, unsigned cpu, const struct memsys_request *request)
{
    const bool fetch = request->access == MEMSYS_FETCH;
    const enum classify_profile which = fetch ? CLASSIFY_BY_PC : CLASSIFY_BY_ADDRESS;
    uint64_t key = classify_named_key(classify, cpu, which, request->virtual_address, &request->address);
    if (key == 0)
        key = classify_key(classify, cpu, which, request->virtual_address);
    return fetch ? key | EVICTORS_CODE : key;
}

static bool is_same_access(const struct memsys_request *a, const struct memsys_request *b)
{
    return a->address == b->address && a->virtual_address == b->virtual_address && a->access == b->access &&
           a->pc == b->pc && a->now == b->now;
}

/* The place of REQUEST, an access of CPU, which comes again for each cache that it misses. */
static uint32_t note_access(struct evictors *evictors, unsigned cpu, const struct memsys_request *request)
{
    struct filling *filling = &evictors->filling[cpu];
    if (filling->place == 0 || !is_same_access(&filling->request, request)) {
        filling->request = *request;
        filling->place = number_of(&evictors->places, key_of(evictors->classify, cpu, request));
        evictors->last[request->address >> evictors->last_shift] = filling->place;
    }
    return filling->place;
}

/* The place for which CPU's CACHE is filled with LINE: the access that missed it; otherwise the line itself, of which
 * more may be known when its victim misses. */
static uint32_t place_of_fill(struct evictors *evictors, unsigned cpu, const struct array *cache, paddr line)
{
    const struct filling *filling = &evictors->filling[cpu];
    if (filling->place != 0 && (filling->request.address & cache->line_mask) == line)
        return filling->place;
    return number_of(&evictors->places, EVICTORS_LINE | line);
}

/* PLACE, or if it is a line what has been accessed in it. */
static uint32_t known_place(const struct evictors *evictors, uint32_t place)
{
    const uint64_t key = evictors->places.key[place];
    const uint32_t accessed = key & EVICTORS_LINE ? evictors->last[(paddr)key >> evictors->last_shift] : 0;
    return accessed ? accessed : place;
}

/* Pairs */

static bool is_pair(const void *sought, const struct hash_slot *slot)
{
    const struct record *record = ((const struct record *const *)sought)[0];
    const struct counted *counted = ((const struct counted *const *)sought)[1], *at = &record->counted[slot->number];
    return at->missed == counted->missed && at->by == counted->by && at->set == counted->set;
}

static uint64_t hash_of(const struct counted *counted)
{
    return (((uint64_t)counted->missed << 32 | counted->by) ^ (uint64_t)counted->set << 40) *
           UINT64_C(0x9e3779b97f4a7c15);
}

static void add_pair(struct record *record, const struct counted *counted, const struct places *places)
{
    if (record->count == record->room) {
        record->room = record->room ? 2 * record->room : 256;
        record->counted = checked_memory(realloc(record->counted, record->room * sizeof *record->counted));
        record->pair = checked_memory(realloc(record->pair, record->room * sizeof *record->pair));
    }
    record->counted[record->count] = *counted;
    record->pair[record->count++] = (struct evictor_pair){
        .missed = places->key[counted->missed], .evicted_by = places->key[counted->by], .set = counted->set};
}

static void count_pair(struct record *record, const struct counted *counted, const struct places *places)
{
    const void *const sought[] = {record, counted};
    const uint64_t hash = hash_of(counted);
    const struct hash_slot *slot = hash_map_find_equal(&record->index, hash, is_pair, sought);
    if (!slot) {
        add_pair(record, counted, places);
        struct hash_slot *added = hash_map_add(&record->index, hash);
        added->number = record->count - 1;
        slot = added;
    }
    record->pair[slot->number].misses++;
    record->known++;
}

static uint32_t set_of(const struct array *cache, const struct memsys_request *request)
{
    return array_first_of(cache, request) >> cache->way_shift >> cache->sector_shift;
}

/* Events */

static const struct array *array_of(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache)
{
    return evictors->memsys->node[cpu].cache[cache];
}

static uint32_t *by_of(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache, paddr line)
{
    const struct record *record = &evictors->record[cpu][cache];
    return &record->by[line >> record->line_shift];
}

static void on_hit(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                   paddr line)
{
    (void)cache;
    (void)line;
    note_access(opaque, cpu, request);
}

static void on_miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr line)
{
    struct evictors *evictors = opaque;
    const uint32_t by = *by_of(evictors, cpu, cache, line);
    const uint32_t place = note_access(evictors, cpu, request);
    if (by == 0)
        return;
    const struct counted counted = {place, known_place(evictors, by), set_of(array_of(evictors, cpu, cache), request)};
    count_pair(&evictors->record[cpu][cache], &counted, &evictors->places);
}

static void add_lost(struct filling *filling, struct lost lost)
{
    if (filling->count == filling->room) {
        filling->room = filling->room ? 2 * filling->room : 64;
        filling->lost = checked_memory(realloc(filling->lost, filling->room * sizeof *filling->lost));
    }
    filling->lost[filling->count++] = lost;
}

/* CPU's CACHE evicts LINE: so the caches inside it have lost theirs for what is about to fill CACHE. */
static void claim_inner(struct filling *filling, const struct array *array, enum memsys_cache cache, paddr line)
{
    for (size_t i = 0; i < filling->count; i++)
        if (!filling->lost[i].is_claimed && (filling->lost[i].line & array->line_mask) == line) {
            filling->lost[i].is_claimed = true;
            filling->lost[i].for_cache = cache;
        }
}

static void on_removal(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                       unsigned by_cpu)
{
    struct evictors *evictors = opaque;
    struct filling *filling = &evictors->filling[by_cpu];
    if (why == REMOVED_EVICTION)
        claim_inner(filling, array_of(evictors, cpu, cache), cache, line);
    if (why == REMOVED_EVICTION || why == REMOVED_BACK_INVALIDATION)
        add_lost(filling, (struct lost){cpu, cache, cache, line, why == REMOVED_EVICTION});
}

static void on_fill(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line)
{
    struct evictors *evictors = opaque;
    struct filling *filling = &evictors->filling[cpu];
    size_t kept = 0;
    *by_of(evictors, cpu, cache, line) = 0;
    const uint32_t place = filling->count ? place_of_fill(evictors, cpu, array_of(evictors, cpu, cache), line) : 0;
    for (size_t i = 0; i < filling->count; i++) {
        const struct lost *lost = &filling->lost[i];
        if (lost->is_claimed && lost->for_cache == cache)
            *by_of(evictors, lost->cpu, lost->cache, lost->line) = place;
        else
            filling->lost[kept++] = *lost;
    }
    filling->count = kept;
}

static void on_flush(void *opaque)
{
    struct evictors *evictors = opaque;
    for (unsigned cpu = 0; cpu < evictors->memsys->cpus; cpu++)
        evictors->filling[cpu].count = 0;
}

/* Results */

/* Misses that the classification has counted of lines that CPU's CACHE had lost by replacement. */
static uint64_t replaced(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache)
{
    const struct classify_counts *counts = classify_counts(evictors->classify, cpu, evictors->number[cache]);
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned kind = 0; kind < MISS_KINDS; kind++)
            for (unsigned who = 0; who < MISS_EVICTORS; who++)
                sum += counts->evicted[mode][kind][who];
    return sum;
}

const struct evictor_pair *evictors_pairs(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache,
                                          size_t *count)
{
    *count = evictors->record[cpu][cache].count;
    return evictors->record[cpu][cache].pair;
}

uint64_t evictors_unknown(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache)
{
    const struct record *record = &evictors->record[cpu][cache];
    return record->by ? replaced(evictors, cpu, cache) - record->before - record->known : 0;
}

static void clear_pairs(struct record *record)
{
    hash_map_clear(&record->index);
    record->count = 0;
    record->known = 0;
}

void evictors_begin(struct evictors *evictors)
{
    for (unsigned cpu = 0; cpu < evictors->memsys->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++)
            if (evictors->record[cpu][cache].by) {
                clear_pairs(&evictors->record[cpu][cache]);
                evictors->record[cpu][cache].before = replaced(evictors, cpu, cache);
            }
}

void evictors_forget(struct evictors *evictors)
{
    line_table_clear(evictors->last, evictors->last_shift, sizeof *evictors->last);
    for (unsigned cpu = 0; cpu < evictors->memsys->cpus; cpu++) {
        evictors->filling[cpu].count = 0;
        evictors->filling[cpu].place = 0;
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
            struct record *record = &evictors->record[cpu][cache];
            if (record->by)
                line_table_clear(record->by, record->line_shift, sizeof *record->by);
            clear_pairs(record);
            record->before = 0;
        }
    }
}

struct evictors *evictors_create(struct memsys *memsys, const struct classify *classify, const uint8_t *number)
{
    struct evictors *evictors = checked_memory(calloc(1, sizeof *evictors));
    evictors->memsys = memsys;
    evictors->classify = classify;
    memcpy(evictors->number, number, sizeof evictors->number);
    evictors->last_shift = UINT32_MAX;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
            const struct array *array = array_of(evictors, cpu, cache);
            struct record *record = &evictors->record[cpu][cache];
            if (array->word == NULL)
                continue;
            record->line_shift = array->line_shift;
            record->by = memsys_is_first_of(memsys, cpu, cache)
                             ? line_table_create(array->line_shift, sizeof *record->by)
                             : evictors->record[cpu & ~(memsys->shared[level_of(cache)] - 1)][cache].by;
            if (array->line_shift < evictors->last_shift)
                evictors->last_shift = array->line_shift;
        }
    evictors->last = line_table_create(evictors->last_shift, sizeof *evictors->last);
    /* an access to a prefetched line hits */
    evictors->ops = (struct memsys_event_ops){.hit = memsys->prefetch ? on_hit : NULL,
                                              .miss = on_miss,
                                              .fill = on_fill,
                                              .removal = on_removal,
                                              .flush = on_flush};
    memsys_attach(memsys, &evictors->ops, evictors);
    return evictors;
}

void evictors_free(struct evictors *evictors)
{
    if (!evictors)
        return;
    for (unsigned cpu = 0; cpu < evictors->memsys->cpus; cpu++) {
        free(evictors->filling[cpu].lost);
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
            struct record *record = &evictors->record[cpu][cache];
            if (memsys_is_first_of(evictors->memsys, cpu, cache))
                line_table_free(record->by, record->line_shift, sizeof *record->by);
            free(record->counted);
            free(record->pair);
            hash_map_release(&record->index);
        }
    }
    line_table_free(evictors->last, evictors->last_shift, sizeof *evictors->last);
    free(evictors->places.key);
    hash_map_release(&evictors->places.numbers);
    free(evictors);
}
