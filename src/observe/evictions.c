#include "src/observe/evictions.h"

#include "annotations/tcl/annotate.h"
#include "cache/classify/classify.h"
#include "cache/classify/evictors.h"
#include "cpu/segments.h"
#include "src/base/hash_map.h"
#include "src/base/json_writer.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 96, ROWS_MOST = 200 };

static const char all[] = "(all)", others[] = "(others)", unknown[] = "(unknown)";

/* Misses of all pairs of two names in one cache. */
struct row {
    const char *missed, *evicted_by;
    unsigned cpu;
    enum memsys_cache cache;
    uint32_t set, sets; /* one of the sets, and how many there are; 0: not counted */
    uint64_t misses;
};

struct table {
    const struct machine *machine;
    const struct evictors *evictors;
    vaddr image_end;       /* the kernel's code and data end there; 0: its symbols are not known */
    struct hash_map names; /* of keys: owned texts */
    struct row *row;
    size_t count, room;
};

/* Names */

/* The address behind the kernel's code and data. */
static vaddr image_end(const struct symbols *symbols)
{
    const struct symbol *end = symbols ? symbols_find(symbols, "_end") : NULL, *symbol;
    for (size_t i = 0; symbols && !end && (symbol = symbols_get(symbols, i)) != NULL; i++)
        if (!symbols_get(symbols, i + 1))
            end = symbol;
    return end ? end->address : 0;
}

/* The object of the kernel at ADDRESS; NULL: none, or it is not known. */
static const struct symbol *object_at(const struct table *table, vaddr address)
{
    const struct symbols *symbols = table->machine->symbols;
    vaddr first, end;
    if (!vaddr_in_kseg0(address) || address > table->image_end)
        return NULL;
    const bool is_text = symbols_text(symbols, &first, &end) && address >= first && address < end;
    return is_text || symbols_have_data(symbols) ? symbols_at(symbols, address) : NULL;
}

/* A key without a naming, which is an address and the process. */
static void name_address(const struct table *table, uint64_t key, char name[NAME_SIZE])
{
    const struct symbols *symbols = table->machine->symbols;
    const vaddr address = (vaddr)key;
    const bool is_code = key & EVICTORS_CODE, is_process = (key & ~EVICTORS_CODE) >> 32 != 0;
    const struct symbol *symbol = is_process           ? NULL
                                  : is_code && symbols ? symbols_at(symbols, address)
                                                       : object_at(table, address);
    if (symbol)
        snprintf(name, NAME_SIZE, "%s", symbol->name);
    else
        snprintf(name, NAME_SIZE, "%s",
                 is_process || vaddr_in_kuseg(address) ? "program"
                 : is_code                             ? "kernel code"
                                                       : "memory");
}

/* A line that no access has touched, by its address as the caches see it. */
static void name_line(const struct table *table, paddr line, char name[NAME_SIZE])
{
    const bool is_moved = memsys_layout(table->machine->memsys) != NULL || line > UNMAPPED_PHYSICAL;
    const struct symbol *symbol = is_moved ? NULL : object_at(table, vaddr_of_kseg0(line));
    snprintf(name, NAME_SIZE, "%s", symbol ? symbol->name : "memory");
}

static void make_name(const struct table *table, uint64_t key, char name[NAME_SIZE])
{
    const enum classify_profile which = key & EVICTORS_CODE ? CLASSIFY_BY_PC : CLASSIFY_BY_ADDRESS;
    if (key & EVICTORS_LINE)
        name_line(table, (paddr)key, name);
    else if (!annotate_profile_text(table->machine->annotate, which, key & ~EVICTORS_CODE, name, NAME_SIZE))
        name_address(table, key, name);
}

static const char *name_of(struct table *table, uint64_t key)
{
    struct hash_slot *slot = hash_map_find(&table->names, key);
    char name[NAME_SIZE];
    if (slot)
        return slot->pointer;
    make_name(table, key, name);
    slot = hash_map_add(&table->names, key);
    slot->pointer = checked_memory(strdup(name));
    return slot->pointer;
}

/* Rows */

static int by_names(const struct row *x, const struct row *y)
{
    if (x->cpu != y->cpu || x->cache != y->cache)
        return x->cpu != y->cpu ? (x->cpu > y->cpu) - (x->cpu < y->cpu) : (int)x->cache - (int)y->cache;
    const int order = strcmp(x->missed, y->missed);
    return order ? order : strcmp(x->evicted_by, y->evicted_by);
}

static int by_names_and_set(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const int order = by_names(x, y);
    return order ? order : (x->set > y->set) - (x->set < y->set);
}

static int by_misses(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->misses != y->misses ? (x->misses < y->misses) - (x->misses > y->misses) : by_names(x, y);
}

static void add_row(struct table *table, const struct row *row)
{
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 1024;
        table->row = checked_memory(realloc(table->row, table->room * sizeof *table->row));
    }
    table->row[table->count++] = *row;
}

static void add_pairs(struct table *table, unsigned cpu, enum memsys_cache cache)
{
    size_t count;
    const struct evictor_pair *pair = evictors_pairs(table->evictors, cpu, cache, &count);
    for (size_t i = 0; i < count; i++)
        add_row(table, &(struct row){.missed = name_of(table, pair[i].missed),
                                     .evicted_by = name_of(table, pair[i].evicted_by),
                                     .cpu = cpu,
                                     .cache = cache,
                                     .set = pair[i].set,
                                     .sets = 1,
                                     .misses = pair[i].misses});
}

/* Makes one row of those of the same names. */
static void join_rows(struct table *table)
{
    size_t kept = 0;
    if (table->count > 0)
        qsort(table->row, table->count, sizeof *table->row, by_names_and_set);
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->row[i];
        struct row *last = kept > 0 ? &table->row[kept - 1] : NULL;
        if (last && by_names(last, row) == 0) {
            last->sets += row->set != last->set; /* their sets ascend */
            last->set = row->set;
            last->misses += row->misses;
        } else {
            table->row[kept++] = *row;
        }
    }
    table->count = kept;
}

static void make_rows(struct table *table)
{
    const struct machine *machine = table->machine;
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++)
            add_pairs(table, cpu, cache);
    join_rows(table);
    if (table->count > 0)
        qsort(table->row, table->count, sizeof *table->row, by_misses);
}

/* Output */

static void put_row(const struct table *table, const struct row *row, struct json_writer *json)
{
    json_line(json, 6);
    json_begin_array(json);
    json_put_count(json, row->cpu);
    json_put_text(json, memsys_cache_name(table->machine->memsys, row->cache));
    json_put_text(json, row->missed);
    json_put_text(json, row->evicted_by);
    if (row->sets == 1)
        json_put_count(json, row->set);
    else
        json_put_null(json);
    json_put_count(json, row->sets);
    json_put_count(json, row->misses);
    json_end_array(json);
}

/* What CPU's CACHE has beyond the rows that are shown. */
static void put_rest(const struct table *table, unsigned cpu, enum memsys_cache cache, struct json_writer *json)
{
    struct row rest = {.missed = others, .evicted_by = others, .cpu = cpu, .cache = cache};
    struct row lost = {.missed = all, .evicted_by = unknown, .cpu = cpu, .cache = cache};
    for (size_t i = ROWS_MOST; i < table->count; i++)
        if (table->row[i].cpu == cpu && table->row[i].cache == cache)
            rest.misses += table->row[i].misses;
    lost.misses = evictors_unknown(table->evictors, cpu, cache);
    if (rest.misses > 0)
        put_row(table, &rest, json);
    if (lost.misses > 0)
        put_row(table, &lost, json);
}

static void put_table(const struct table *table, struct json_writer *json)
{
    static const char *const columns[] = {"cpu", "cache", "missed", "evicted_by", "set", "sets", "misses"};
    json_begin_object(json);
    json_line(json, 4);
    json_member_array(json, "columns");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        json_put_text(json, columns[i]);
    json_end_array(json);
    json_line(json, 4);
    json_member_array(json, "rows");
    for (size_t i = 0; i < table->count && i < ROWS_MOST; i++)
        put_row(table, &table->row[i], json);
    for (unsigned cpu = 0; cpu < table->machine->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++)
            put_rest(table, cpu, cache, json);
    json_line(json, 4);
    json_end_array(json);
    json_line(json, 2);
    json_end_object(json);
}

static void write_table(void *opaque, struct json_writer *json)
{
    const struct machine *machine = opaque;
    struct table table = {
        .machine = machine, .evictors = memsys_evictors(machine->memsys), .image_end = image_end(machine->symbols)};
    make_rows(&table);
    put_table(&table, json);
    for (const struct hash_slot *slot = NULL; (slot = hash_map_next(&table.names, slot)) != NULL;)
        free(slot->pointer);
    hash_map_release(&table.names);
    free(table.row);
}

void evictions_register(struct machine *machine)
{
    if (memsys_evictors(machine->memsys))
        stats_json(machine->stats, "evictions", "which functions and data evict each other", write_table, machine);
}

void evictions_begin(struct machine *machine)
{
    memsys_begin_evictors(machine->memsys);
}
