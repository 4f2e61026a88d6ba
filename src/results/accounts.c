#include "src/results/accounts.h"

#include "src/measure/attribution.h"
#include "src/base/printable.h"

#include <stdio.h>
#include <string.h>

/* A sum of counts: 128 bits hold one of as many 64-bit numbers as fit into memory. */
typedef unsigned __int128 total;

enum { TOTAL_TEXT = 48 };

bool results_is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

uint64_t results_count_in(const json_t *value)
{
    return results_is_count(value) ? (uint64_t)json_integer_value(value) : 0;
}

uint64_t results_count_of(const json_t *object, const char *name)
{
    return results_count_in(json_object_get(object, name));
}

double results_number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

double results_stall_of(const json_t *stall, enum measure_side side)
{
    const struct measure_cause *cause;
    double sum = 0;
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        if (cause->family == MEASURE_STALL && cause->side == side)
            sum += json_number_value(json_object_get(stall, cause->name));
    return sum;
}

/* The form of annotations */

static bool is_row_of_places(const json_t *row)
{
    bool good = json_is_array(row) && json_array_size(row) == PLACE_COLUMNS;
    for (unsigned i = 0; good && i < PLACE_COLUMNS; i++) {
        const json_t *value = json_array_get(row, i);
        good = i < PLACE_COUNT ? json_is_string(value) : results_is_count(value);
    }
    return good;
}

static bool has_columns_of_places(const json_t *columns)
{
    static const char *const names[PLACE_COLUMNS] = {"mode", "routine", "cause", "data", "class", "count", "cycles"};
    bool good = json_is_array(columns) && json_array_size(columns) == PLACE_COLUMNS;
    for (size_t i = 0; good && i < PLACE_COLUMNS; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        good = name && strcmp(name, names[i]) == 0;
    }
    return good;
}

static bool check_places(const json_t *places, const char *title, struct err *err)
{
    const json_t *rows = json_object_get(places, "rows"), *row;
    size_t i;
    if (!has_columns_of_places(json_object_get(places, "columns")))
        return err_set(err, "%.256s: annotations.cycles.columns are not those of cycles by place", title);
    if (!json_is_array(rows))
        return err_set(err, "%.256s: annotations.cycles.rows is no list", title);
    json_array_foreach(rows, i, row)
    {
        if (!is_row_of_places(row))
            return err_set(err, "%.256s: row %zu of annotations.cycles is not one of cycles by place", title, i);
    }
    return true;
}

bool results_check_annotations(const json_t *root, const char *title, struct err *err)
{
    static const struct {
        const char *name;
        json_type type;
    } members[] = {{"events", JSON_OBJECT}, {"services", JSON_OBJECT}, {"processes", JSON_ARRAY},
                   {"misses", JSON_OBJECT}, {"locks", JSON_ARRAY},     {"cycles", JSON_OBJECT}};
    const json_t *annotations = json_object_get(root, "annotations"), *services, *service;
    const char *name;
    if (!annotations)
        return true;
    if (!json_is_object(annotations))
        return err_set(err, "%.256s: annotations is no object", title);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const json_t *member = json_object_get(annotations, members[i].name);
        if (member && json_typeof(member) != members[i].type)
            return err_set(err, "%.256s: annotations.%s is no %s", title, members[i].name,
                           members[i].type == JSON_ARRAY ? "list" : "object");
    }
    services = json_object_get(annotations, "services");
    json_object_foreach((json_t *)services, name, service)
    {
        if (!json_is_object(service))
            return err_set(err, "%.256s: annotations.services.%.64s is no object", title, PRINTABLE(name));
    }
    const json_t *places = json_object_get(annotations, "cycles");
    return !places || check_places(places, title, err);
}

/* Sums */

static const char *total_text(total number, char text[TOTAL_TEXT])
{
    char *at = text + TOTAL_TEXT;
    *--at = '\0';
    do
        *--at = (char)('0' + (int)(number % 10));
    while (number /= 10);
    return at;
}

static bool complain(const char *title, const char *place, const char *what, total sum, total of, struct err *err)
{
    char sum_text[TOTAL_TEXT], of_text[TOTAL_TEXT];
    return err_set(err, "%.256s: %s: %s add up to %s of %s cycles", title, place, what, total_text(sum, sum_text),
                   total_text(of, of_text));
}

/* Add VALUE to *SUM. An absent one is 0; false if it is anything else than a count. */
static bool add(total *sum, const json_t *value)
{
    *sum += results_is_count(value) ? (total)json_integer_value(value) : 0;
    return !value || results_is_count(value);
}

static bool add_group(total *sum, json_t *group)
{
    const char *name;
    json_t *value;
    bool good = !group || json_is_object(group);
    json_object_foreach(group, name, value) good &= add(sum, value);
    return good;
}

/* The cycles of the account of a mode at PLACE, added to *SUM, are execution, stalls, interlocks and wait; pipeline
 * stalls are a part of execution. */
static bool check_mode(const json_t *account, const char *title, const char *place, total *sum, struct err *err)
{
    total cycles = 0, execute = 0, pipeline = 0;
    bool good = json_object_get(account, "cycles") && json_object_get(account, "execute") &&
                add(&cycles, json_object_get(account, "cycles")) &&
                add(&execute, json_object_get(account, "execute")) &&
                add_group(&pipeline, json_object_get(account, "pipeline"));
    total parts = execute;
    good = good && add(&parts, json_object_get(account, "wait")) &&
           add_group(&parts, json_object_get(account, "stall")) &&
           add_group(&parts, json_object_get(account, "interlock"));
    if (!good)
        return err_set(err, "%.256s: %s: not an account of cycles", title, place);
    *sum += cycles;
    if (parts != cycles)
        return complain(title, place, "execution, stalls, interlocks and wait", parts, cycles, err);
    return pipeline <= execute || complain(title, place, "pipeline stalls", pipeline, execute, err);
}

/* The cycles of a processor are those of its modes, which are added to *SUM; those without power; and those before a
 * restore on another machine. */
static bool check_cpu(const json_t *cpu, const char *title, const char *name, total *sum, struct err *err)
{
    char place[64];
    total cycles = 0, modes = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        const char *of = mode_name((enum mode)mode);
        snprintf(place, sizeof place, "%s.mode.%s", name, of);
        if (!check_mode(json_object_get(json_object_get(cpu, "mode"), of), title, place, &modes, err))
            return false;
    }
    *sum += modes;
    if (!json_object_get(cpu, "cycles") || !add(&cycles, json_object_get(cpu, "cycles")) ||
        !add(&modes, json_object_get(cpu, "off")) ||
        !add(&modes, json_object_get(json_object_get(cpu, "before"), "cycles")))
        return err_set(err, "%.256s: %s: not an account of cycles", title, name);
    return modes == cycles || complain(title, name, "the modes, `off` and `before`", modes, cycles, err);
}

/* The cycles that services and places must add up to, of the CYCLES of all processors. The accounts of a run that
 * continues a checkpoint on the same machine are those since power-on, but its annotations begin with the run: where
 * they began is known of one processor only; with more, *EXACT is false and there may be less. */
static total annotated(const json_t *root, total cycles, bool *exact)
{
    total begun = 0, before = 0;
    add(&begun, json_object_get(json_object_get(root, "annotations"), "begun"));
    add(&before, json_object_get(json_object_get(json_object_get(root, "cpu0"), "before"), "cycles"));
    const bool continues = begun > before && !json_object_get(root, "window");
    *exact = !continues || !json_object_get(root, "cpu1");
    if (!continues || !*exact)
        return cycles;
    return cycles + before > begun ? cycles + before - begun : 0;
}

static bool add_services(total *sum, json_t *services, const char *title, struct err *err)
{
    const char *name;
    json_t *service;
    json_object_foreach(services, name, service)
    {
        if (!add(sum, json_object_get(service, "cycles")))
            return err_set(err, "%.256s: annotations.services.%.64s: not an account of cycles", title, PRINTABLE(name));
    }
    return true;
}

bool results_check_accounts(const json_t *root, const char *title, struct err *err)
{
    total cycles = 0, of_services = 0, of_places = 0;
    char name[16];
    bool exact;
    size_t i;
    for (unsigned cpu = 0;; cpu++) {
        snprintf(name, sizeof name, "cpu%u", cpu);
        const json_t *one = json_object_get(root, name);
        if (!one)
            break;
        if (!check_cpu(one, title, name, &cycles, err))
            return false;
    }
    if (!results_check_annotations(root, title, err))
        return false;
    const json_t *annotations = json_object_get(root, "annotations"), *row;
    json_t *services = json_object_get(annotations, "services");
    const json_t *places = json_object_get(annotations, "cycles");
    cycles = annotated(root, cycles, &exact);
    if (!add_services(&of_services, services, title, err))
        return false;
    if (services && (exact ? of_services != cycles : of_services > cycles))
        return complain(title, "annotations.services", "the services", of_services, cycles, err);
    json_array_foreach(json_object_get(places, "rows"), i, row) add(&of_places, json_array_get(row, PLACE_CYCLES));
    if (services)
        cycles = of_services;
    return !places || (exact || services ? of_places == cycles : of_places <= cycles) ||
           complain(title, "annotations.cycles", "the rows", of_places, cycles, err);
}
