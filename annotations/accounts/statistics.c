#include "annotations/accounts/statistics.h"

#include "src/base/hash_map.h"
#include "src/base/printable.h"
#include <stdlib.h>
#include <string.h>

struct collection {
    char name[STATISTICS_NAME];
    struct statistics_entry *entry;
    size_t count, room;
    struct hash_map entries; /* index in `entry` by key */
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
        hash_map_release(&statistics->collection[i].entries);
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
    *new = (struct collection){.count = 0};
    snprintf(new->name, sizeof new->name, "%s", name);
    return true;
}

/* A key, and the collection that it is sought in. */
struct sought {
    const struct collection *collection;
    const char *key;
};

static bool has_key(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    return strcmp(sought->collection->entry[slot->number].key, sought->key) == 0;
}

static struct statistics_entry *find_entry(const struct collection *collection, uint64_t hash, const char *key)
{
    const struct sought sought = {collection, key};
    const struct hash_slot *slot = hash_map_find_equal(&collection->entries, hash, has_key, &sought);
    return slot ? &collection->entry[slot->number] : NULL;
}

static struct statistics_entry *add_entry(struct collection *collection, uint64_t hash)
{
    if (collection->count == collection->room) {
        collection->room = collection->room ? 2 * collection->room : 16;
        collection->entry = checked_memory(realloc(collection->entry, collection->room * sizeof *collection->entry));
    }
    hash_map_add(&collection->entries, hash)->number = collection->count;
    return &collection->entry[collection->count++];
}

bool statistics_enter(struct statistics *statistics, const char *name, const char *key, double value, struct err *err)
{
    struct collection *collection = find(statistics, name);
    char cut[STATISTICS_NAME];
    if (!collection)
        return err_set(err, "there are no statistics \"%.64s\"", name);
    snprintf(cut, sizeof cut, "%s", key);
    const uint64_t hash = hash_text(cut);
    struct statistics_entry *entry = find_entry(collection, hash, cut);
    if (!entry) {
        if (collection->count == STATISTICS_KEYS)
            return err_set(err, "statistics %s: there are %d keys already", name, STATISTICS_KEYS);
        entry = add_entry(collection, hash);
        *entry = (struct statistics_entry){.least = value, .most = value};
        memcpy(entry->key, cut, sizeof cut);
    }
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
        hash_map_clear(&statistics->collection[i].entries);
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
        fprintf(out, "\nStatistics %-25s %12s %15s %15s %15s %15s\n", PRINTABLE(collection->name), "count", "sum",
                "average", "least", "most");
        for (size_t j = 0; j < collection->count; j++) {
            const struct statistics_entry *entry = &collection->entry[j];
            fprintf(out, "%-36s %12llu %15.10g %15.10g %15.10g %15.10g\n", PRINTABLE(entry->key), entry->count,
                    entry->sum, entry->sum / (double)entry->count, entry->least, entry->most);
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
