#include "src/results/evictions.h"

#include "src/base/log.h"
#include "src/base/sums.h"
#include "src/results/accounts.h"
#include <stdlib.h>
#include <string.h>

enum { CPU, CACHE, MISSED, EVICTED_BY, SET, SETS, MISSES, COLUMNS };

static const char *const names[COLUMNS] = {"cpu", "cache", "missed", "evicted_by", "set", "sets", "misses"};

/* Where a row of the file has each column. False if one is missing. */
static bool find_columns(const json_t *columns, size_t at[COLUMNS])
{
    unsigned found = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        for (unsigned column = 0; column < COLUMNS; column++)
            if (name && strcmp(name, names[column]) == 0) {
                at[column] = i;
                found |= 1u << column;
            }
    }
    return found == (1u << COLUMNS) - 1;
}

/* Set ROW from the list OF; false if it is no row of the table. */
static bool read_row(const json_t *of, const size_t at[COLUMNS], struct eviction *row)
{
    const json_t *cpu = json_array_get(of, at[CPU]), *set = json_array_get(of, at[SET]);
    const json_t *sets = json_array_get(of, at[SETS]), *misses = json_array_get(of, at[MISSES]);
    *row = (struct eviction){.cpu = (unsigned)results_count_in(cpu),
                             .cache = json_string_value(json_array_get(of, at[CACHE])),
                             .missed = json_string_value(json_array_get(of, at[MISSED])),
                             .evicted_by = json_string_value(json_array_get(of, at[EVICTED_BY])),
                             .in_one_set = results_is_count(set) && results_count_in(set) <= UINT32_MAX,
                             .sets = results_count_in(sets),
                             .misses = results_count_in(misses)};
    row->set = row->in_one_set ? (uint32_t)results_count_in(set) : 0;
    return row->cache && row->missed && row->evicted_by && results_is_count(cpu) &&
           results_count_in(cpu) <= UINT32_MAX && results_is_count(sets) && results_is_count(misses) &&
           (row->in_one_set || json_is_null(set));
}

static bool is_sum(const struct eviction *row, const char *name)
{
    return row->sets == 0 && strcmp(row->evicted_by, name) == 0;
}

bool evictions_read(const struct results *results, struct evictions *evictions)
{
    const json_t *all = json_object_get(results->root, "evictions"), *of = json_object_get(all, "rows");
    size_t at[COLUMNS];
    *evictions = (struct evictions){.count = 0};
    if (!json_is_array(of) || !find_columns(json_object_get(all, "columns"), at))
        return false;
    evictions->row = checked_memory(calloc(json_array_size(of) + 1, sizeof *evictions->row));
    for (size_t i = 0; i < json_array_size(of); i++) {
        struct eviction *row = &evictions->row[evictions->count];
        if (!read_row(json_array_get(of, i), at, row))
            continue;
        if (is_sum(row, "(others)"))
            sum_add(&evictions->others, row->misses);
        else if (is_sum(row, "(unknown)"))
            sum_add(&evictions->unknown, row->misses);
        else
            evictions->count++;
    }
    return true;
}

void evictions_release(struct evictions *evictions)
{
    free(evictions->row);
    *evictions = (struct evictions){.count = 0};
}
