#include "annotations/accounts/statistics.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * STATISTICS_KEYS };

struct collection {
    char name[STATISTICS_NAME];
    struct statistics_entry *entry;
    size_t count, room;
    unsigned *slot; /* by hash of the key: index + 1; 0: free */
};

struct statistics {
    struct collection *collection;
    size_t count;
};

struct statistics *statistics_create(void)
{
    return checked_memory(calloc(1, sizeof(struct statistics)));
}

void statistics_free(struct statistics *statistics)
{
    if (!statistics)
        return;
    for (size_t i = 0; i < statistics->count; i++) {
        free(statistics->collection[i].entry);
        free(statistics->collection[i].slot);
    }
    free(statistics->collection);
    free(statistics);
}

static struct collection *find(const struct statistics *statistics, const char *name)
{
    for (size_t i = 0; statistics && i < statistics->count; i++)
        if (strcmp(statistics->collection[i].name, name) == 0)
            return &statistics->collection[i];
    return NULL;
}

bool statistics_add(struct statistics *statistics, const char *name)
{
    if (find(statistics, name))
        return false;
    statistics->collection =
        checked_memory(realloc(statistics->collection, (statistics->count + 1) * sizeof *statistics->collection));
    struct collection *new = &statistics->collection[statistics->count++];
    *new = (struct collection){.slot = checked_memory(calloc(SLOTS, sizeof *new->slot))};
    snprintf(new->name, sizeof new->name, "%s", name);
    return true;
}

/* FNV-1a */
static unsigned slot_of(const struct collection *collection, const char *key)
{
    unsigned hash = 2166136261u;
    for (const char *at = key; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    unsigned slot = hash % SLOTS;
    while (collection->slot[slot] && strcmp(collection->entry[collection->slot[slot] - 1].key, key) != 0)
        slot = (slot + 1) % SLOTS;
    return slot;
}

bool statistics_enter(struct statistics *statistics, const char *name, const char *key, double value, struct err *err)
{
    struct collection *collection = find(statistics, name);
    char cut[STATISTICS_NAME];
    if (!collection)
        return err_set(err, "there are no statistics \"%.64s\"", name);
    snprintf(cut, sizeof cut, "%s", key);
    const unsigned slot = slot_of(collection, cut);
    if (!collection->slot[slot]) {
        if (collection->count == STATISTICS_KEYS)
            return err_set(err, "statistics %s: there are %d keys already", name, STATISTICS_KEYS);
        if (collection->count == collection->room) {
            collection->room = collection->room ? 2 * collection->room : 16;
            collection->entry =
                checked_memory(realloc(collection->entry, collection->room * sizeof *collection->entry));
        }
        struct statistics_entry *new = &collection->entry[collection->count++];
        *new = (struct statistics_entry){.least = value, .most = value};
        memcpy(new->key, cut, sizeof cut);
        collection->slot[slot] = (unsigned)collection->count;
    }
    struct statistics_entry *entry = &collection->entry[collection->slot[slot] - 1];
    entry->count++;
    entry->sum += value;
    entry->least = value < entry->least ? value : entry->least;
    entry->most = value > entry->most ? value : entry->most;
    return true;
}

void statistics_reset(struct statistics *statistics)
{
    for (size_t i = 0; statistics && i < statistics->count; i++) {
        statistics->collection[i].count = 0;
        memset(statistics->collection[i].slot, 0, SLOTS * sizeof *statistics->collection[i].slot);
    }
}

bool statistics_any(const struct statistics *statistics)
{
    return statistics && statistics->count > 0;
}

const struct statistics_entry *statistics_list(const struct statistics *statistics, const char *name, size_t *count)
{
    static const struct statistics_entry none;
    const struct collection *collection = find(statistics, name);
    if (!collection)
        return NULL;
    *count = collection->count;
    return collection->entry ? collection->entry : &none;
}

const char *statistics_name(const struct statistics *statistics, size_t number)
{
    return statistics && number < statistics->count ? statistics->collection[number].name : NULL;
}

void statistics_print(const struct statistics *statistics, FILE *out)
{
    for (size_t i = 0; statistics && i < statistics->count; i++) {
        const struct collection *collection = &statistics->collection[i];
        fprintf(out, "\nStatistics %-25s %12s %15s %15s %15s %15s\n", collection->name, "count", "sum", "average",
                "least", "most");
        for (size_t j = 0; j < collection->count; j++) {
            const struct statistics_entry *entry = &collection->entry[j];
            fprintf(out, "%-36s %12llu %15.10g %15.10g %15.10g %15.10g\n", entry->key, entry->count, entry->sum,
                    entry->sum / (double)entry->count, entry->least, entry->most);
        }
    }
}

static void write_entry(const struct statistics_entry *entry, struct json_writer *json)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"sum", entry->sum}, {"least", entry->least}, {"most", entry->most}};
    json_member_object(json, entry->key);
    json_member_count(json, "count", entry->count);
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        json_key(json, values[i].name);
        json_put_rounded(json, "%.17g", values[i].value);
    }
    json_end_object(json);
}

void statistics_write_json(const struct statistics *statistics, struct json_writer *json)
{
    json_begin_object(json);
    for (size_t i = 0; i < statistics->count; i++) {
        const struct collection *collection = &statistics->collection[i];
        json_line(json, 6);
        json_member_object(json, collection->name);
        for (size_t j = 0; j < collection->count; j++)
            write_entry(&collection->entry[j], json);
        json_end_object(json);
    }
    json_line(json, 4);
    json_end_object(json);
}
