#include "src/results/service_changes.h"

#include "src/base/log.h"
#include "src/base/printable.h"
#include <stdlib.h>
#include <string.h>

static int64_t number(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : 0;
}

static void add_change(struct service_changes *changes, const char *service, const char *count_name, bool is_miss,
                       const json_t *before, const json_t *after)
{
    struct service_change change = {.is_miss = is_miss, .before = number(before), .after = number(after)};
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
typedef void visit_fn(struct service_changes *changes, const char *service, const char *prefix, const char *name,
                      json_t *before, json_t *after);
static void visit_both(struct service_changes *changes, const char *service, const char *prefix, json_t *before,
                       json_t *after, visit_fn *visit)
{
    const char *name;
    json_t *value;
    json_object_foreach(before, name, value) visit(changes, service, prefix, name, value, json_object_get(after, name));
    json_object_foreach(after, name, value) if (!json_object_get(before, name))
        visit(changes, service, prefix, name, NULL, value);
}

static void join(char text[SERVICE_COUNT_NAME], const char *prefix, const char *name)
{
    snprintf(text, SERVICE_COUNT_NAME, "%.30s%s%.14s", prefix, *prefix ? " " : "", name);
}

static void visit_class(struct service_changes *changes, const char *service, const char *prefix, const char *class,
                        json_t *before, json_t *after)
{
    char count_name[SERVICE_COUNT_NAME];
    snprintf(count_name, sizeof count_name, "%.20s %.18s misses", prefix, class);
    add_change(changes, service, count_name, true, before, after);
}

static void visit_kind(struct service_changes *changes, const char *service, const char *prefix, const char *kind,
                       json_t *before, json_t *after)
{
    char count_name[SERVICE_COUNT_NAME];
    join(count_name, prefix, kind);
    visit_both(changes, service, count_name, before, after, visit_class);
}

static void visit_cache(struct service_changes *changes, const char *service, const char *prefix, const char *cache,
                        json_t *before, json_t *after)
{
    char count_name[SERVICE_COUNT_NAME];
    join(count_name, prefix, cache);
    visit_both(changes, service, count_name, before, after, visit_kind);
}

static void visit_miss(struct service_changes *changes, const char *service, const char *prefix, const char *name,
                       json_t *before, json_t *after)
{
    char count_name[SERVICE_COUNT_NAME];
    (void)prefix;
    snprintf(count_name, sizeof count_name, "%.30s misses", name);
    add_change(changes, service, count_name, true, before, after);
}

/* Compare misses by class if both files have classes, otherwise by kind of miss. */
static void visit_service(struct service_changes *changes, const char *prefix, const char *unused, const char *service,
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

uint64_t service_change_size(const struct service_change *change)
{
    return change->after > change->before ? (uint64_t)change->after - (uint64_t)change->before
                                          : (uint64_t)change->before - (uint64_t)change->after;
}

static int by_size(const void *a, const void *b)
{
    const struct service_change *x = a, *y = b;
    if (service_change_size(x) != service_change_size(y))
        return service_change_size(x) < service_change_size(y) ? 1 : -1;
    int order = strcmp(x->service, y->service);
    return order ? order : strcmp(x->count_name, y->count_name);
}

static json_t *services_of(const struct results *results)
{
    return json_object_get(json_object_get(results->root, "annotations"), "services");
}

void service_changes_find(struct service_changes *changes, const struct results *before, const struct results *after)
{
    json_t *old_services = services_of(before), *new_services = services_of(after);
    *changes = (struct service_changes){0};
    if (!json_is_object(old_services) || !json_is_object(new_services))
        return;
    visit_both(changes, "", "", old_services, new_services, visit_service);
    if (changes->count)
        qsort(changes->change, changes->count, sizeof *changes->change, by_size);
}
