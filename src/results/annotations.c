#include "src/results/annotations.h"

#include "src/base/log.h"
#include "src/base/sums.h"
#include "src/results/accounts.h"
#include <stdlib.h>
#include <string.h>

static json_t *annotation(const struct results *results, const char *name)
{
    return json_object_get(json_object_get(results->root, "annotations"), name);
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static struct account read_account(const json_t *from)
{
    struct account account = {.cycles = results_count_of(from, "cycles"),
                              .insns = results_count_of(from, "insns"),
                              .wait = results_count_of(from, "wait"),
                              .calls = results_count_of(from, "calls")};
    json_t *stall = json_object_get(from, "stall"), *value;
    const char *cause;
    json_object_foreach(stall, cause, value) sum_add(&account.stall, results_count_of(stall, cause));
    return account;
}

/* Services and processes */

bool results_has_services(const struct results *results)
{
    return json_is_object(annotation(results, "services")) && json_is_array(annotation(results, "processes"));
}

void results_visit_services(const struct results *results, size_t process,
                            void (*visit)(void *opaque, const char *name, const struct account *account), void *opaque)
{
    json_t *services = process == RESULTS_ALL_PROCESSES
                           ? annotation(results, "services")
                           : json_object_get(json_array_get(annotation(results, "processes"), process), "services");
    const char *name;
    json_t *service;
    json_object_foreach(services, name, service)
    {
        const struct account account = read_account(service);
        visit(opaque, name, &account);
    }
}

void results_visit_service_stalls(const struct results *results, void (*visit)(void *opaque, const char *name),
                                  void *opaque)
{
    const char *name, *cause;
    json_t *service, *stall;
    json_object_foreach(annotation(results, "services"), name, service)
    {
        json_object_foreach(json_object_get(service, "stall"), cause, stall) visit(opaque, cause);
    }
}

size_t results_process_count(const struct results *results)
{
    return json_array_size(annotation(results, "processes"));
}

static const json_t *process_at(const struct results *results, size_t index)
{
    return json_array_get(annotation(results, "processes"), index);
}

const char *results_process_name(const struct results *results, size_t index)
{
    return json_string_value(json_object_get(process_at(results, index), "name"));
}

struct account results_process_account(const struct results *results, size_t index, enum mode mode)
{
    return read_account(json_object_get(process_at(results, index), mode_name(mode)));
}

/* Locks */

bool results_has_locks(const struct results *results)
{
    return json_is_array(annotation(results, "locks"));
}

size_t results_lock_count(const struct results *results)
{
    return json_array_size(annotation(results, "locks"));
}

struct result_lock results_lock(const struct results *results, size_t index)
{
    const json_t *lock = json_array_get(annotation(results, "locks"), index);
    const json_t *longest = json_object_get(lock, "longest_by");
    return (struct result_lock){.name = text_of(lock, "name"),
                                .kind = text_of(lock, "kind"),
                                .caller = text_of(lock, "caller"),
                                .acquires = results_count_of(lock, "acquires"),
                                .contended = results_count_of(lock, "contended"),
                                .wait = results_count_of(lock, "wait"),
                                .held = results_count_of(lock, "held"),
                                .held_longest = results_count_of(lock, "held_longest"),
                                .longest_function = text_of(longest, "function"),
                                .longest_process = text_of(longest, "process")};
}

/* Misses by place */

/* Find where the columns are; false if one is not there. */
static bool find_columns(struct miss_rows *rows, const json_t *columns)
{
    static const char *const names[MISS_ROW_COLUMNS] = {
        [MISS_ROW_MODE] = "mode",       [MISS_ROW_SERVICE] = "service", [MISS_ROW_PROCESS] = "process",
        [MISS_ROW_ROUTINE] = "routine", [MISS_ROW_DATA] = "data",       [MISS_ROW_CACHE] = "cache",
        [MISS_ROW_CLASS] = "class",     [MISS_ROW_MISSES] = "misses",   [MISS_ROW_STALL] = "stall"};
    unsigned found = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        for (unsigned column = 0; column < MISS_ROW_COLUMNS; column++)
            if (name && strcmp(name, names[column]) == 0) {
                rows->at[column] = i;
                found |= 1u << column;
            }
    }
    return found == (1u << MISS_ROW_COLUMNS) - 1;
}

/* Set ROW from the list OF; false if it is no row of misses. */
static bool read_row(const struct miss_rows *rows, const json_t *of, struct miss_row *row)
{
    bool whole = true;
    for (unsigned column = 0; column < MISS_ROW_TEXTS; column++) {
        row->text[column] = json_string_value(json_array_get(of, rows->at[column]));
        whole &= row->text[column] != NULL;
    }
    const json_t *misses = json_array_get(of, rows->at[MISS_ROW_MISSES]),
                 *stall = json_array_get(of, rows->at[MISS_ROW_STALL]);
    row->misses = results_count_in(misses);
    row->stall = results_count_in(stall);
    return whole && results_is_count(misses) && results_is_count(stall);
}

bool miss_rows_read(const struct results *results, struct miss_rows *rows)
{
    const json_t *all = annotation(results, "misses"), *of = json_object_get(all, "rows");
    *rows = (struct miss_rows){.malformed = SIZE_MAX};
    if (!json_is_array(of) || !find_columns(rows, json_object_get(all, "columns")))
        return false;
    rows->row = checked_memory(calloc(json_array_size(of) + 1, sizeof *rows->row));
    for (size_t i = 0; i < json_array_size(of); i++)
        if (read_row(rows, json_array_get(of, i), &rows->row[rows->count]))
            rows->count++;
        else if (rows->malformed == SIZE_MAX)
            rows->malformed = i;
    return true;
}
