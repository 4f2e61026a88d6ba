#include "src/results/leaves.h"
#include "src/results/accounts.h"
#include "src/base/sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The sum of all leaves: far from what a run of a file can have, and from the limits of arithmetic. */
#define CYCLES_MAX ((int64_t)1 << 60)

struct rows {
    const char *title;
    struct leaf *row;
    size_t count, room;
    int64_t sum;      /* of the sizes of all */
    uint64_t counted; /* the sum of all counts */
    struct err *err;
};

int leaf_name_order(const struct leaf_name *a, const struct leaf_name *b)
{
    const int orders[] = {strcmp(a->routine, b->routine), strcmp(a->cause, b->cause), strcmp(a->data, b->data),
                          strcmp(a->class, b->class)};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return leaf_name_order(&((const struct leaf *)a)->name, &((const struct leaf *)b)->name);
}

static bool add(struct rows *rows, struct leaf_name name, uint64_t count, int64_t cycles)
{
    if (cycles < -CYCLES_MAX || cycles > CYCLES_MAX || !sum_add_signed(&rows->sum, cycles < 0 ? -cycles : cycles) ||
        rows->sum > CYCLES_MAX || !sum_add(&rows->counted, count) || rows->counted > (uint64_t)CYCLES_MAX)
        return err_set(rows->err, "%.256s: more cycles than any run has", rows->title);
    if (count == 0 && cycles == 0)
        return true;
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 1024;
        rows->row = checked_memory(realloc(rows->row, rows->room * sizeof *rows->row));
    }
    rows->row[rows->count++] = (struct leaf){name, count, cycles};
    return true;
}

/* The sum of the misses of ACCOUNT in the set MISSES. */
static uint64_t misses_of(const json_t *account, unsigned misses)
{
    const json_t *counts = json_object_get(account, "miss");
    uint64_t sum = 0;
    for (unsigned miss = 0; miss < MISS_COUNT; miss++) {
        const json_t *count = json_object_get(counts, miss_name(miss));
        if (misses >> miss & 1 && results_is_count(count))
            sum_add(&sum, (uint64_t)json_integer_value(count));
    }
    return sum;
}

/* How often there was a stall of CAUSE in ACCOUNT, as far as its misses tell. */
static uint64_t times_of(const json_t *account, const char *name)
{
    const struct measure_cause *cause = measure_cause_named(name);
    const uint64_t times = cause ? misses_of(account, cause->times) : 0,
                   but = cause ? misses_of(account, cause->but) : 0;
    return times > but ? times - but : 0;
}

/* Add the rows of ACCOUNT, which is called ROUTINE: what its cycles were spent on. */
static bool add_account(struct rows *rows, const char *routine, const json_t *account)
{
    static const char *const groups[] = {"stall", "interlock", "pipeline"};
    const json_t *cycles = json_object_get(account, "cycles"), *insns = json_object_get(account, "insns");
    const json_t *wait = json_object_get(account, "wait");
    if (!results_is_count(cycles) || !results_is_count(insns) || (wait && !results_is_count(wait)))
        return err_set(rows->err, "%.256s: the account of \"%.64s\" has no cycles and instructions", rows->title,
                       routine);
    int64_t runs = json_integer_value(cycles) - json_integer_value(wait);
    if (!add(rows, (struct leaf_name){routine, "wait", "", ""}, 0, json_integer_value(wait)))
        return false;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        json_t *group = json_object_get(account, groups[i]), *value;
        const char *cause;
        json_object_foreach(group, cause, value)
        {
            if (!results_is_count(value) || json_integer_value(value) > runs)
                return err_set(rows->err, "%.256s: the account of \"%.64s\" does not add up at %.32s.%.32s",
                               rows->title, routine, groups[i], cause);
            runs -= json_integer_value(value);
            if (!add(rows, (struct leaf_name){routine, cause, "", ""}, times_of(account, cause),
                     json_integer_value(value)))
                return false;
        }
    }
    if (runs < 0)
        return err_set(rows->err, "%.256s: the account of \"%.64s\" waits longer than it lasts", rows->title, routine);
    return add(rows, (struct leaf_name){routine, "execute", "", ""}, (uint64_t)json_integer_value(insns), runs);
}

static bool add_modes(struct rows *rows, const json_t *root)
{
    char cpu[16];
    for (unsigned i = 0;; i++) {
        snprintf(cpu, sizeof cpu, "cpu%u", i);
        const json_t *modes = json_object_get(json_object_get(root, cpu), "mode");
        if (!json_object_get(root, cpu))
            return true;
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            if (!add_account(rows, mode_name((enum mode)mode), json_object_get(modes, mode_name((enum mode)mode))))
                return false;
    }
}

static bool add_services(struct rows *rows, const json_t *root)
{
    const char *name;
    json_t *account, *services = json_object_get(json_object_get(root, "annotations"), "services");
    json_object_foreach(services, name, account)
    {
        if (!add_account(rows, name, account))
            return false;
    }
    return true;
}

static json_t *places_of(const json_t *root)
{
    return json_object_get(json_object_get(json_object_get(root, "annotations"), "cycles"), "rows");
}

static bool add_places(struct rows *rows, const json_t *root)
{
    const json_t *row;
    size_t i;
    json_array_foreach(places_of(root), i, row)
    {
        const char *text[PLACE_COUNT];
        for (unsigned at = 0; at < PLACE_COUNT; at++)
            text[at] = json_string_value(json_array_get(row, at));
        const struct leaf_name name = {text[PLACE_ROUTINE], text[PLACE_CAUSE], text[PLACE_DATA], text[PLACE_CLASS]};
        if (!add(rows, name, (uint64_t)json_integer_value(json_array_get(row, PLACE_COUNT)),
                 json_integer_value(json_array_get(row, PLACE_CYCLES))))
            return false;
    }
    return true;
}

enum leaf_level leaf_level_of(const struct results *results)
{
    const json_t *root = results->root;
    if (json_is_array(places_of(root)))
        return LEAVES_BY_PLACE;
    return json_is_object(json_object_get(json_object_get(root, "annotations"), "services")) ? LEAVES_BY_SERVICE
                                                                                             : LEAVES_BY_MODE;
}

bool leaves_read(const struct results *results, const char *title, enum leaf_level level, struct leaf **rows,
                 size_t *count, struct err *err)
{
    const json_t *root = results->root;
    struct rows all = {.title = title, .err = err};
    *rows = NULL;
    *count = 0;
    if (!results_check_accounts(root, title, err))
        return false;
    const bool done = level == LEAVES_BY_PLACE     ? add_places(&all, root)
                      : level == LEAVES_BY_SERVICE ? add_services(&all, root)
                                                   : add_modes(&all, root);
    if (!done) {
        free(all.row);
        return false;
    }
    if (all.count > 0)
        qsort(all.row, all.count, sizeof *all.row, by_name);
    for (size_t i = 0; i < all.count; i++) {
        struct leaf *last = *count ? &all.row[*count - 1] : NULL;
        if (last && leaf_name_order(&last->name, &all.row[i].name) == 0) {
            last->count += all.row[i].count;
            last->cycles += all.row[i].cycles;
        } else {
            all.row[(*count)++] = all.row[i];
        }
    }
    *rows = all.row;
    return true;
}
