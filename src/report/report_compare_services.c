#include "src/report/report_compare_services.h"

#include "src/base/json_file.h"
#include "src/base/log.h"
#include "src/base/printable.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, COUNT_NAME = 48, PRINTED = 40 };

/* A count of a service that differs. */
struct change {
    char service[NAME], count_name[COUNT_NAME]; /* "execve", "l2 data conflict misses" */
    bool is_miss;                               /* false: calls, cycles or instructions */
    int64_t before, after;
};

struct changes {
    size_t count, room;
    struct change *change;
};

static int64_t number(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : 0;
}

static void add_change(struct changes *changes, const char *service, const char *count_name, bool is_miss,
                       const json_t *before, const json_t *after)
{
    struct change change = {.is_miss = is_miss, .before = number(before), .after = number(after)};
    if (change.before == change.after)
        return;
    snprintf(change.service, sizeof change.service, "%.60s", service);
    snprintf(change.count_name, sizeof change.count_name, "%.47s", count_name);
    printable_replace(change.service, '?');
    printable_replace(change.count_name, '?');
    if (changes->count == changes->room) {
        changes->room = changes->room ? 2 * changes->room : 64;
        changes->change = checked_memory(realloc(changes->change, changes->room * sizeof *changes->change));
    }
    changes->change[changes->count++] = change;
}

/* Call VISIT for each member of either object, in the order of the first. */
typedef void visit_fn(struct changes *changes, const char *service, const char *prefix, const char *name,
                      json_t *before, json_t *after);
static void visit_both(struct changes *changes, const char *service, const char *prefix, json_t *before, json_t *after,
                       visit_fn *visit)
{
    const char *name;
    json_t *value;
    json_object_foreach(before, name, value) visit(changes, service, prefix, name, value, json_object_get(after, name));
    json_object_foreach(after, name, value) if (!json_object_get(before, name))
        visit(changes, service, prefix, name, NULL, value);
}

static void join(char text[COUNT_NAME], const char *prefix, const char *name)
{
    snprintf(text, COUNT_NAME, "%.30s%s%.14s", prefix, *prefix ? " " : "", name);
}

static void visit_class(struct changes *changes, const char *service, const char *prefix, const char *class,
                        json_t *before, json_t *after)
{
    char count_name[COUNT_NAME];
    snprintf(count_name, sizeof count_name, "%.20s %.18s misses", prefix, class);
    add_change(changes, service, count_name, true, before, after);
}

static void visit_kind(struct changes *changes, const char *service, const char *prefix, const char *kind,
                       json_t *before, json_t *after)
{
    char count_name[COUNT_NAME];
    join(count_name, prefix, kind);
    visit_both(changes, service, count_name, before, after, visit_class);
}

static void visit_cache(struct changes *changes, const char *service, const char *prefix, const char *cache,
                        json_t *before, json_t *after)
{
    char count_name[COUNT_NAME];
    join(count_name, prefix, cache);
    visit_both(changes, service, count_name, before, after, visit_kind);
}

static void visit_miss(struct changes *changes, const char *service, const char *prefix, const char *name,
                       json_t *before, json_t *after)
{
    char count_name[COUNT_NAME];
    (void)prefix;
    snprintf(count_name, sizeof count_name, "%.30s misses", name);
    add_change(changes, service, count_name, true, before, after);
}

/* Compare misses by class if both files have classes, otherwise by kind of miss. */
static void visit_service(struct changes *changes, const char *prefix, const char *unused, const char *service,
                          json_t *before, json_t *after)
{
    static const char *const counts[] = {"calls", "cycles", "insns"};
    (void)prefix, (void)unused;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        add_change(changes, service, counts[i], false, json_object_get(before, counts[i]),
                   json_object_get(after, counts[i]));
    json_t *old_class = json_object_get(before, "class"), *new_class = json_object_get(after, "class");
    if ((old_class || !before) && (new_class || !after))
        visit_both(changes, service, "", old_class, new_class, visit_cache);
    else
        visit_both(changes, service, "", json_object_get(before, "miss"), json_object_get(after, "miss"), visit_miss);
}

static uint64_t magnitude(const struct change *change)
{
    return change->after > change->before ? (uint64_t)change->after - (uint64_t)change->before
                                          : (uint64_t)change->before - (uint64_t)change->after;
}

static int by_magnitude(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (magnitude(x) != magnitude(y))
        return magnitude(x) < magnitude(y) ? 1 : -1;
    int order = strcmp(x->service, y->service);
    return order ? order : strcmp(x->count_name, y->count_name);
}

static void print(const struct changes *changes, bool misses, FILE *out)
{
    size_t seen = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->change[i];
        if (change->is_miss != misses || ++seen > PRINTED)
            continue;
        if (seen == 1)
            fprintf(out, "\n%s\n", misses ? "misses of services, by class" : "services");
        fprintf(out, "%-22s %-30s %15" PRId64 " %15" PRId64 "  %c%" PRIu64 "\n", change->service, change->count_name,
                change->before, change->after, change->after > change->before ? '+' : '-', magnitude(change));
    }
    if (seen > PRINTED)
        fprintf(out, "and %zu more\n", seen - PRINTED);
}

static json_t *services_of(const json_t *root)
{
    return json_object_get(json_object_get(root, "annotations"), "services");
}

void report_compare_services(const json_t *old_root, const json_t *new_root, FILE *out)
{
    struct changes changes = {0};
    json_t *before = services_of(old_root), *after = services_of(new_root);
    if (!json_is_object(before) || !json_is_object(after))
        return;
    visit_both(&changes, "", "", before, after, visit_service);
    if (changes.count)
        qsort(changes.change, changes.count, sizeof *changes.change, by_magnitude);
    print(&changes, false, out);
    print(&changes, true, out);
    free(changes.change);
}
