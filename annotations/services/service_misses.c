/*
 * Misses by service, process, routine, data structure, cache and class: the product of what section 2.1.1 of SOSP'95
 * counts "by the program counter generating the misses and by the virtual address of the misses" and of the services of
 * table 4.8. Its sums are the counters of the caches.
 *
 * A miss is counted under numbers. That of a routine, data structure or process is given when it is first seen; that of
 * a service is its own, or that of a call that may still turn out to be of another service (service_calls.c). Texts
 * come with the results.
 */
#include "annotations/services/service_misses.h"

#include "annotations/services/numbers.h"
#include "annotations/services/service_calls.h"
#include "annotations/services/service_charge.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_totals.h"
#include "annotations/services/services_state.h"

#include "cache/classify/miss_observer.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Widths of the parts of a key of `counts`: place, context, cache, class. */
enum { PLACE_BITS = 28, CONTEXT_BITS = 28, CACHE_BITS = 3, CLASS_BITS = 4 };
enum { COMPACT_LEAST = 1 << 16 };
_Static_assert((int)PLACE_BITS >= NUMBERS_BITS && (int)CONTEXT_BITS >= NUMBERS_BITS, "room for all numbers");
_Static_assert(PLACE_BITS + CONTEXT_BITS + CACHE_BITS + CLASS_BITS <= 64, "a key has 64 bits");
_Static_assert(MEMSYS_CACHES <= 1 << CACHE_BITS && CLASS_COUNT < 1 << CLASS_BITS, "room for caches and classes");

struct miss_record {
    struct services *services;
    const struct miss_names *names;
    void *opaque;
    struct miss_observer *observer;
    struct numbers routines, data; /* of keys of `names`; data 0: an instruction fetch */
    struct numbers places;         /* of pairs of a routine and data */
    struct numbers contexts;       /* of an execution, a mode and a process: context_value() */
    char (*processes)[16];         /* names */
    size_t process_count, process_room;
    size_t last_process;         /* the number given last; most misses are of the same process as the one before */
    struct hash_map process_map; /* by hash of the name */
    struct tally counts;         /* misses and their stall */
    size_t compact_at;           /* number of rows */
    uint64_t begin[MEMSYS_CACHES][MODE_COUNT][CLASS_COUNT]; /* the caches' counters then, if misses are classified */
    uint64_t begin_first;                                   /* service_first_level_misses() then */
};

/* Numbers of processes */

struct name_sought {
    const struct miss_record *record;
    const char *name;
};

static bool is_process(const void *opaque, const struct hash_slot *slot)
{
    const struct name_sought *sought = opaque;
    return strcmp(sought->record->processes[slot->number], sought->name) == 0;
}

static size_t number_of_name(struct miss_record *record, const char *name)
{
    const struct name_sought sought = {record, name};
    const uint64_t hash = hash_text(name);
    const struct hash_slot *slot = hash_map_find_equal(&record->process_map, hash, is_process, &sought);
    if (slot)
        return slot->number;
    if (record->process_count == record->process_room) {
        record->process_room = record->process_room ? 2 * record->process_room : 64;
        record->processes =
            checked_memory(realloc(record->processes, record->process_room * sizeof *record->processes));
    }
    hash_map_add(&record->process_map, hash)->number = record->process_count;
    snprintf(record->processes[record->process_count], sizeof record->processes[0], "%s", name);
    return record->process_count++;
}

static size_t process_number(struct miss_record *record, const char *name)
{
    if (record->process_count == 0 || strcmp(record->processes[record->last_process], name) != 0)
        record->last_process = number_of_name(record, name);
    return record->last_process;
}

/* Who executes, in which mode, in which process. */
static uint64_t context_value(uint32_t who, enum mode mode, size_t process)
{
    return (uint64_t)process << 34 | (uint64_t)mode << 32 | who;
}

static uint64_t key_of(size_t place, size_t context, unsigned cache, unsigned class)
{
    return ((uint64_t)place << CONTEXT_BITS | context) << (CACHE_BITS + CLASS_BITS) | (uint64_t)cache << CLASS_BITS |
           class;
}

static size_t place_of(uint64_t key)
{
    return key >> (CONTEXT_BITS + CACHE_BITS + CLASS_BITS);
}

static size_t context_of(uint64_t key)
{
    return key >> (CACHE_BITS + CLASS_BITS) & ((UINT64_C(1) << CONTEXT_BITS) - 1);
}

static unsigned cache_of(uint64_t key)
{
    return key >> CLASS_BITS & ((1 << CACHE_BITS) - 1);
}

static unsigned class_of(uint64_t key)
{
    return key & ((1 << CLASS_BITS) - 1);
}

/* Counting */

/* Count under its service what was counted under a call whose service is final. */
static void compact(struct miss_record *record)
{
    struct tally before = record->counts;
    struct numbers contexts = record->contexts;
    record->counts = (struct tally){.count = 0};
    record->contexts = (struct numbers){.count = 0};
    for (size_t i = 0; i < before.count; i++) {
        const struct tally_row *row = &before.rows[i];
        const uint64_t key = row->key, context = contexts.values[context_of(key)];
        const uint32_t who = service_call_settled(record->services, (uint32_t)context);
        const uint64_t settled = (context & ~(uint64_t)UINT32_MAX) | who;
        tally_add(&record->counts,
                  key_of(place_of(key), number_of(&record->contexts, settled), cache_of(key), class_of(key)),
                  row->count, row->cycles);
    }
    tally_release(&before);
    numbers_release(&contexts);
    record->compact_at = 2 * record->counts.count > COMPACT_LEAST ? 2 * record->counts.count : COMPACT_LEAST;
}

static void missed(void *opaque, const struct observed_miss *miss)
{
    struct miss_record *record = opaque;
    struct services *services = record->services;
    struct core *core = services->machine->cores[miss->cpu];
    const struct miss_names *names = record->names;
    const bool fetch = miss->access == MEMSYS_FETCH;
    const size_t routine = number_of(&record->routines, names->routine(record->opaque, core, miss->pc));
    const size_t data =
        fetch ? 0
              : 1 + number_of(&record->data, names->data(record->opaque, core, miss->virtual_address, miss->address));
    const size_t process = process_number(record, services_current_process(services, core).name);
    const size_t context =
        number_of(&record->contexts, context_value(service_executing(services, miss->cpu), core->mode, process));
    const size_t place = number_of(&record->places, (uint64_t)routine << 32 | data);
    tally_add(&record->counts,
              key_of(place, context, miss->cache, miss->upgrade ? (unsigned)CLASS_UPGRADE : (unsigned)miss->class), 1,
              (int64_t)miss->stall);
    if (record->counts.count >= record->compact_at)
        compact(record);
}

/* The number that CLASSIFY gives to CACHE; CLASSIFY_CACHES_MAX: none. */
static unsigned classified_number(const struct classify *classify, const char *cache)
{
    unsigned number = 0;
    while (number < CLASSIFY_CACHES_MAX) {
        const char *name = classify_cache_name(classify, number);
        if (name && cache && strcmp(name, cache) == 0)
            break;
        number++;
    }
    return number;
}

/* Add the misses of CPU in the cache of NUMBER to COUNTERS, by mode and class. */
static void add_counters(const struct classify *classify, unsigned cpu, unsigned number,
                         uint64_t counters[MODE_COUNT][CLASS_COUNT])
{
    const struct classify_counts *counts = classify_counts(classify, cpu, number);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned class = 0; class < CLASS_COUNT; class ++)
            counters[mode][class] += counts->miss[mode][MISS_INSN][class] + counts->miss[mode][MISS_DATA][class];
}

/* The caches' own counters. */
static void read_counters(const struct services *services, uint64_t counters[MEMSYS_CACHES][MODE_COUNT][CLASS_COUNT])
{
    const struct classify *classify = memsys_classification(services->machine->memsys);
    memset(counters, 0, MEMSYS_CACHES * sizeof *counters);
    for (unsigned cache = 0; classify && cache < MEMSYS_CACHES; cache++) {
        const unsigned number = classified_number(classify, memsys_cache_name(services->machine->memsys, cache));
        for (unsigned cpu = 0; number < CLASSIFY_CACHES_MAX && cpu < services->machine->cpus; cpu++)
            add_counters(classify, cpu, number, counters[cache]);
    }
}

static void begin(struct miss_record *record)
{
    tally_clear(&record->counts);
    record->compact_at = COMPACT_LEAST;
    read_counters(record->services, record->begin);
    record->begin_first = service_first_level_misses(record->services);
}

bool services_record_misses(struct services *services, const struct miss_names *names, void *opaque)
{
    if (!services->machine->memsys || memsys_is_flat(services->machine->memsys))
        return false;
    services_charge(services);
    if (!services->misses) {
        struct miss_record *record = checked_memory(calloc(1, sizeof *record));
        *record = (struct miss_record){.services = services, .names = names, .opaque = opaque};
        service_calls_wanted(services);
        record->observer = miss_observer_begin(services->machine->memsys, missed, record);
        services->misses = record;
    }
    begin(services->misses);
    return true;
}

void service_misses_free(struct miss_record *record)
{
    if (!record)
        return;
    miss_observer_end(record->observer);
    numbers_release(&record->routines);
    numbers_release(&record->data);
    numbers_release(&record->places);
    numbers_release(&record->contexts);
    hash_map_release(&record->process_map);
    tally_release(&record->counts);
    free(record->processes);
    free(record);
}

void service_misses_reset(struct services *services)
{
    if (services->misses)
        begin(services->misses);
}

/* Add up what was counted: by cache, mode and class in SUM; returns the misses of the first level. */
static uint64_t add_up(const struct miss_record *record, uint64_t sum[MEMSYS_CACHES][MODE_COUNT][CLASS_COUNT])
{
    uint64_t first = 0;
    memset(sum, 0, MEMSYS_CACHES * sizeof *sum);
    for (size_t i = 0; i < record->counts.count; i++) {
        const uint64_t key = record->counts.rows[i].key, misses = record->counts.rows[i].count;
        const unsigned mode = record->contexts.values[context_of(key)] >> 32 & 3, class = class_of(key);
        if (class < CLASS_COUNT)
            sum[cache_of(key)][mode][class] += misses;
        if (class != CLASS_UPGRADE && cache_of(key) <= MEMSYS_L1D)
            first += misses;
    }
    return first;
}

bool service_misses_check(const struct services *services, struct err *err)
{
    const struct miss_record *record = services->misses;
    const struct memsys *memsys = services->machine->memsys;
    uint64_t now[MEMSYS_CACHES][MODE_COUNT][CLASS_COUNT], sum[MEMSYS_CACHES][MODE_COUNT][CLASS_COUNT];
    if (!record)
        return true;
    const uint64_t first = add_up(record, sum), misses = service_first_level_misses(services) - record->begin_first;
    if (first != misses)
        return err_set(err, "the misses by place add up to %" PRIu64 " of %" PRIu64, first, misses);
    read_counters(services, now);
    for (unsigned cache = 0; memsys_classification(memsys) && cache < MEMSYS_CACHES; cache++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            for (unsigned class = 0; class < CLASS_COUNT; class ++) {
                const uint64_t counted = now[cache][mode][class] - record->begin[cache][mode][class];
                if (sum[cache][mode][class] != counted)
                    return err_set(err, "the misses by place of %s, %s, %s add up to %" PRIu64 " of %" PRIu64,
                                   mode_name((enum mode)mode), memsys_cache_name(memsys, cache),
                                   classify_class_name((enum miss_class) class), sum[cache][mode][class], counted);
            }
    return true;
}

/* Results */

enum { TEXT_MAX = 128 };

struct row {
    const char *service, *process, *routine, *data;
    uint8_t mode, cache, class;
    uint64_t misses;
    cycles stall;
};

static int by_texts(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const int texts[] = {strcmp(x->service, y->service),
                         strcmp(x->process, y->process),
                         x->mode - y->mode,
                         strcmp(x->routine, y->routine),
                         strcmp(x->data, y->data),
                         x->cache - y->cache,
                         x->class - y->class};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i])
            return texts[i];
    return 0;
}

/* The texts of the keys of NUMBERS. The caller frees them. */
static char (*texts_of(const struct miss_record *record, const struct numbers *numbers, bool is_data))[TEXT_MAX]
{
    char(*texts)[TEXT_MAX] = checked_memory(calloc(numbers->count + 1, sizeof *texts));
    for (size_t i = 0; i < numbers->count; i++)
        (is_data ? record->names->data_text : record->names->routine_text)(record->opaque, numbers->values[i], texts[i],
                                                                           TEXT_MAX);
    return texts;
}

static void put_row(const struct services *services, const struct row *row, struct json_writer *json)
{
    const struct memsys *memsys = services->machine->memsys;
    json_line(json, 6);
    json_begin_array(json);
    json_put_text(json, mode_name(row->mode));
    json_put_text(json, row->service);
    json_put_text(json, row->process);
    json_put_text(json, row->routine);
    json_put_text(json, row->data);
    json_put_text(json, memsys_cache_name(memsys, row->cache));
    json_put_text(json, row->class < CLASS_COUNT ? classify_class_name(row->class) : "any");
    json_put_count(json, row->misses);
    json_put_count(json, row->stall);
    json_end_array(json);
}

/* Write ROWS, those with the same texts as one. */
static void put_rows(const struct services *services, struct row *rows, size_t count, struct json_writer *json)
{
    for (size_t i = 0; i < count; i++) {
        struct row sum = rows[i];
        for (; i + 1 < count && by_texts(&rows[i], &rows[i + 1]) == 0; i++) {
            sum.misses += rows[i + 1].misses;
            sum.stall += rows[i + 1].stall;
        }
        put_row(services, &sum, json);
    }
}

void service_misses_write_json(const struct services *services, struct json_writer *json)
{
    static const char *const columns[] = {"mode",  "service", "process", "routine", "data",
                                          "cache", "class",   "misses",  "stall"};
    const struct miss_record *record = services->misses;
    char(*routines)[TEXT_MAX] = texts_of(record, &record->routines, false);
    char(*data)[TEXT_MAX] = texts_of(record, &record->data, true);
    struct row *rows = checked_memory(calloc(record->counts.count + 1, sizeof *rows));
    for (size_t i = 0; i < record->counts.count; i++) {
        const struct tally_row *from = &record->counts.rows[i];
        const uint64_t context = record->contexts.values[context_of(from->key)];
        const uint64_t place = record->places.values[place_of(from->key)];
        rows[i] = (struct row){.service = services->name[service_call_service(services, (uint32_t)context)],
                               .process = record->processes[context >> 34],
                               .mode = context >> 32 & 3,
                               .routine = routines[place >> 32],
                               .data = (uint32_t)place ? data[(uint32_t)place - 1] : "",
                               .cache = (uint8_t)cache_of(from->key),
                               .class = (uint8_t)class_of(from->key),
                               .misses = from->count,
                               .stall = (cycles)from->cycles};
    }
    qsort(rows, record->counts.count, sizeof *rows, by_texts);
    json_line(json, 4);
    json_member_object(json, "misses");
    json_line(json, 5);
    json_member_array(json, "columns");
    for (unsigned i = 0; i < sizeof columns / sizeof columns[0]; i++)
        json_put_text(json, columns[i]);
    json_end_array(json);
    json_line(json, 5);
    json_member_array(json, "rows");
    put_rows(services, rows, record->counts.count, json);
    json_line(json, 5);
    json_end_array(json);
    json_end_object(json);
    free(rows);
    free(routines);
    free(data);
}
