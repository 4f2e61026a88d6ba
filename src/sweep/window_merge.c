#include "src/sweep/window_merge.h"

#include "cpu/core.h"
#include "src/base/json_writer.h"
#include "src/base/stats.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct merging {
    json_t *const *windows;
    const char *const *names;
    size_t count;
    struct err *err;
};

/* Derived ratios of merged counts */

static uint64_t count_of(const json_t *group, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(group, name));
}

static struct bucket bucket_of(const json_t *mode)
{
    const json_t *stall = json_object_get(mode, "stall");
    struct bucket bucket = {
        .cycles = count_of(mode, "cycles"), .insns = count_of(mode, "insns"), .wait = count_of(mode, "wait")};
    for (unsigned i = 0; i < STALL_COUNT; i++)
        bucket.stall[i] = count_of(stall, stall_name(i));
    return bucket;
}

/* Recompute the formulas (CPI and others) of MODE from its merged counts. */
static void recompute_formulas(json_t *mode)
{
    const struct bucket bucket = bucket_of(mode);
    double terms[TERMS];
    measure_bucket_terms(&bucket, terms);
    for (enum formula i = 0; i < FORMULAS; i++) {
        const char *const name = measure_formula(i)->name;
        if (json_object_get(mode, name))
            json_object_set_new(mode, name, json_real(measure_figure_or_0(i, terms)));
    }
}

/* Recompute `ipc` of a merged group cpuN.mxs. */
static void recompute_ipc(json_t *group)
{
    const uint64_t cycles = count_of(group, "cycles");
    if (json_object_get(group, "ipc") && json_is_integer(json_object_get(group, "graduated")))
        json_object_set_new(group, "ipc",
                            json_real(cycles ? (double)count_of(group, "graduated") / (double)cycles : 0));
}

static bool is_mode(const json_t *group)
{
    return json_is_integer(json_object_get(group, "cycles")) && json_is_integer(json_object_get(group, "insns")) &&
           json_is_object(json_object_get(group, "stall"));
}

/* Sums */

static json_t *merge_integers(const struct merging *merging, json_t *const *values, const char *path)
{
    json_int_t sum = 0;
    for (size_t i = 0; i < merging->count; i++)
        if (!json_is_integer(values[i]) || __builtin_add_overflow(sum, json_integer_value(values[i]), &sum)) {
            err_set(merging->err, "window %s: %s is not an additive count", merging->names[i], path);
            return NULL;
        }
    return json_integer(sum);
}

static json_t *merge_texts(const struct merging *merging, json_t *const *values)
{
    for (size_t i = 1; i < merging->count; i++)
        if (!json_equal(values[i], values[0]))
            return json_null();
    return json_incref(values[0]);
}

static json_t *merge_values(const struct merging *merging, json_t *const *values, const char *path);

/* Merge the members NAME of all GROUPS. PATH: the groups' name, for messages. */
static json_t *merge_members(const struct merging *merging, json_t *const *groups, const char *path, const char *name)
{
    json_t **values = checked_memory(calloc(merging->count, sizeof(json_t *)));
    char full[256];
    snprintf(full, sizeof full, "%s%s%s", path, *path ? "." : "", name);
    json_t *merged = NULL;
    size_t i = 0;
    for (; i < merging->count && (values[i] = json_object_get(groups[i], name)); i++)
        ;
    if (i < merging->count)
        err_set(merging->err, "window %s has no %s, which window %s has", merging->names[i], full, merging->names[0]);
    else
        merged = merge_values(merging, values, full);
    free(values);
    return merged;
}

static json_t *merge_groups(const struct merging *merging, json_t *const *groups, const char *path)
{
    json_t *merged = json_object(), *value;
    const char *name;
    json_object_foreach(groups[0], name, value)
    {
        if (!*path && strcmp(name, "evictions") == 0)
            continue; /* a table */
        json_t *member = merge_members(merging, groups, path, name);
        if (!member) {
            json_decref(merged);
            return NULL;
        }
        json_object_set_new(merged, name, member);
    }
    if (is_mode(merged))
        recompute_formulas(merged);
    recompute_ipc(merged);
    return merged;
}

/* For machine.seconds, the only additive value that is not an integer. */
static json_t *add_seconds(const struct merging *merging, json_t *const *values)
{
    double sum = 0;
    for (size_t i = 0; i < merging->count; i++)
        sum += json_number_value(values[i]);
    return json_real(sum);
}

/* Recursion depth is bounded by the names of our statistics, or by the JSON parser. */
static json_t *merge_values(const struct merging *merging, json_t *const *values, const char *path)
{
    bool all_integers = true;
    if (strcmp(path, "annotations") == 0)
        return window_merge_annotations(values, merging->count);
    for (size_t i = 0; i < merging->count; i++)
        all_integers = all_integers && json_is_integer(values[i]);
    if (json_is_object(values[0]))
        return merge_groups(merging, values, path);
    if (json_is_string(values[0]))
        return merge_texts(merging, values);
    if (strcmp(path, "machine.seconds") == 0)
        return add_seconds(merging, values);
    return all_integers ? merge_integers(merging, values, path) : json_null();
}

static json_t *described(const struct merging *merging, size_t i, const char *name)
{
    return json_object_get(json_object_get(merging->windows[i], "window"), name);
}

/* Is NAME of window I that of window OTHER? */
static bool same(const struct merging *merging, size_t i, size_t other, const char *name)
{
    const json_t *value = described(merging, i, name);
    return (value && json_equal(value, described(merging, other, name))) ||
           err_set(merging->err, "window %s: its %s is not that of window %s", merging->names[i], name,
                   merging->names[other]);
}

static json_int_t warmup_of(const struct merging *merging, size_t i)
{
    return json_integer_value(described(merging, i, "warmup"));
}

/* The member `window` of the result: count; the longest warm-up, and the shortest if it differs (a window near the
 * beginning of a series has less in front of it); its model and the length, which must be equal in all windows, the
 * model in those that have a warm-up. */
static json_t *describe(const struct merging *merging)
{
    size_t longest = 0, shortest = 0;
    for (size_t i = 0; i < merging->count; i++) {
        if (!json_is_integer(described(merging, i, "warmup"))) {
            err_set(merging->err, "window %s: there is no window.warmup", merging->names[i]);
            return NULL;
        }
        longest = warmup_of(merging, i) > warmup_of(merging, longest) ? i : longest;
        shortest = warmup_of(merging, i) < warmup_of(merging, shortest) ? i : shortest;
    }
    for (size_t i = 0; i < merging->count; i++)
        if (!same(merging, i, 0, "length") || (warmup_of(merging, i) > 0 && !same(merging, i, longest, "warmup_model")))
            return NULL;
    const json_int_t most = warmup_of(merging, longest), least = warmup_of(merging, shortest);
    json_t *text = json_pack("{s:I, s:I}", "count", (json_int_t)merging->count, "warmup", most);
    if (least != most)
        json_object_set_new(text, "warmup_least", json_integer(least));
    json_object_set(text, "warmup_model", described(merging, longest, "warmup_model"));
    json_object_set(text, "length", described(merging, 0, "length"));
    return text;
}

json_t *window_merge(json_t *const *windows, const char *const *names, size_t count, struct err *err)
{
    const struct merging merging = {windows, names, count, err};
    json_t *text = describe(&merging);
    json_t *merged = text ? merge_groups(&merging, windows, "") : NULL;
    if (merged)
        json_object_set(merged, "window", text);
    json_decref(text);
    return merged;
}

/* Output */

static void write_value(const json_t *value, int depth, struct json_writer *json)
{
    const char *name;
    json_t *member;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        json_begin_object(json);
        json_object_foreach((json_t *)(uintptr_t)value, name, member)
        {
            json_line(json, 2 * (depth + 1));
            json_key(json, name);
            write_value(member, depth + 1, json);
        }
        if (json_object_size(value) > 0)
            json_line(json, 2 * depth);
        json_end_object(json);
        break;
    case JSON_ARRAY:
        json_begin_array(json);
        for (size_t i = 0; i < json_array_size(value); i++)
            write_value(json_array_get(value, i), depth, json);
        json_end_array(json);
        break;
    case JSON_STRING: json_put_text(json, json_string_value(value)); break;
    case JSON_INTEGER: json_put_integer(json, json_integer_value(value)); break;
    case JSON_REAL: json_put_double(json, json_real_value(value)); break;
    case JSON_TRUE: json_put_bool(json, true); break;
    case JSON_FALSE: json_put_bool(json, false); break;
    case JSON_NULL: json_put_null(json); break;
    }
}

void window_write_json(const json_t *value, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    write_value(value, 0, &json);
    putc('\n', out);
}
