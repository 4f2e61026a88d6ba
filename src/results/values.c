#include "src/results/values.h"

#include "src/base/sums.h"
#include "src/results/accounts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

/* The value NAME below FROM; NULL if there is none. */
static json_t *value_at(const json_t *from, const char *name)
{
    json_t *value = (json_t *)from;
    char copy[NAME_SIZE], *rest = copy;
    if (snprintf(copy, sizeof copy, "%s", name) >= NAME_SIZE)
        return NULL;
    for (const char *part; *name && (part = strsep(&rest, "."));)
        value = json_object_get(value, part);
    return value;
}

static const json_t *cpu_of(const struct results *results, unsigned cpu)
{
    char name[16];
    snprintf(name, sizeof name, "cpu%u", cpu);
    return json_object_get(results->root, name);
}

bool results_count(const struct results *results, const char *name, uint64_t *count)
{
    const json_t *value = value_at(results->root, name);
    const bool known = results_is_count(value);
    *count = results_count_in(value);
    return known;
}

uint64_t results_cpu_count(const struct results *results, unsigned cpu, const char *name)
{
    return results_count_in(value_at(cpu_of(results, cpu), name));
}

uint64_t results_cpus_count(const struct results *results, const char *name)
{
    uint64_t sum = 0;
    for (unsigned cpu = 0; cpu < results->cpus; cpu++)
        sum_add(&sum, results_cpu_count(results, cpu, name));
    return sum;
}

const char *results_text(const struct results *results, const char *name)
{
    return json_string_value(value_at(results->root, name));
}

const char *results_parameter(const struct results *results, const char *name)
{
    return json_string_value(value_at(json_object_get(results->root, "parameters"), name));
}

bool results_has(const struct results *results, const char *name)
{
    const json_t *value = value_at(results->root, name);
    return json_is_object(value) || json_is_array(value) ? json_object_size(value) + json_array_size(value) > 0
                                                         : value != NULL;
}

/* Visits */

struct visit {
    void (*visit)(void *opaque, const char *name, const json_t *value);
    void *opaque;
};

static void visit_below(const struct visit *visit, const char *name, json_t *value)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value)) {
        visit->visit(visit->opaque, name, value);
        return;
    }
    json_object_foreach(value, key, member)
    {
        char below[NAME_SIZE];
        if (snprintf(below, sizeof below, "%s%s%s", name, *name ? "." : "", key) < NAME_SIZE)
            visit_below(visit, below, member);
    }
}

void results_visit(const struct results *results, const char *name,
                   void (*visit)(void *opaque, const char *name, const json_t *value), void *opaque)
{
    json_t *value = value_at(results->root, name);
    if (value)
        visit_below(&(struct visit){visit, opaque}, name, value);
}

void results_visit_names(const struct results *results, const char *name, void (*visit)(void *opaque, const char *name),
                         void *opaque)
{
    const char *key;
    json_t *member;
    json_object_foreach(value_at(results->root, name), key, member) visit(opaque, key);
}

/* Provenance */

const char *results_word(const struct results *results, size_t index)
{
    const json_t *words = value_at(results->root, "provenance.words");
    const char *word = json_string_value(json_array_get(words, index));
    return word || index >= json_array_size(words) ? word : "?";
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "?";
}

bool results_source(const struct results *results, size_t index, struct result_source *source)
{
    const json_t *file = json_array_get(value_at(results->root, "provenance.files"), index);
    *source = (struct result_source){text_of(file, "role"), text_of(file, "path"), text_of(file, "sha256"),
                                     json_integer_value(json_object_get(file, "size"))};
    return file;
}
