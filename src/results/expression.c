#include "src/results/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The elements of an array by the text of their member KEY: TEXTS has an array of elements for each text. */
struct elements {
    const json_t *array;
    char key[EXPRESSION_NAME_SIZE];
    json_t *texts;
};

struct expressions {
    const struct result_files *runs;
    struct elements *elements;
    size_t count;
};

struct expressions *expressions_create(const struct result_files *runs)
{
    struct expressions *values = checked_memory(calloc(1, sizeof *values));
    values->runs = runs;
    return values;
}

void expressions_free(struct expressions *values)
{
    for (size_t i = 0; i < values->count; i++)
        json_decref(values->elements[i].texts);
    free(values->elements);
    free(values);
}

/* Sums of the terms read so far. */
struct sum {
    struct expressions *values;
    bool any, whole;
    int64_t count;
    double number;
};

const char *expression_escape(char escaped[EXPRESSION_NAME_SIZE], const char *name)
{
    size_t used = 0;
    for (; *name && used + 4 < EXPRESSION_NAME_SIZE; name++)
        if (isalnum((unsigned char)*name) || strchr("_-.", *name))
            escaped[used++] = *name;
        else
            used += (size_t)snprintf(escaped + used, EXPRESSION_NAME_SIZE - used, "%%%02X", (unsigned char)*name);
    escaped[used] = 0;
    return escaped;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : toupper((unsigned char)c) - 'A' + 10;
}

/* The LENGTH bytes at TEXT, a part of a path, in NAME without escapes. */
static void take_name(const char *text, size_t length, char name[EXPRESSION_NAME_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < EXPRESSION_NAME_SIZE; i++)
        if (text[i] == '%' && i + 2 < length && isxdigit((unsigned char)text[i + 1]) &&
            isxdigit((unsigned char)text[i + 2])) {
            name[used++] = (char)(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
            i += 2;
        } else
            name[used++] = text[i];
    name[used] = 0;
}

/* Member KEY of an object, or the element of an array with this number. */
static json_t *part_of(const json_t *value, const char *key)
{
    return json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
}

/* Take the first of the conditions "KEY=TEXT&KEY=TEXT" at *FILTER, which end at END. False at the end, or if it is
 * none. */
static bool take_condition(const char **filter, const char *end, char key[EXPRESSION_NAME_SIZE],
                           char text[EXPRESSION_NAME_SIZE])
{
    if (*filter >= end)
        return false;
    const char *const equal = memchr(*filter, '=', (size_t)(end - *filter));
    const char *next = memchr(*filter, '&', (size_t)(end - *filter));
    next = next ? next : end;
    if (!equal || equal > next)
        return false;
    take_name(*filter, (size_t)(equal - *filter), key);
    take_name(equal + 1, (size_t)(next - equal - 1), text);
    *filter = next + 1;
    return true;
}

/* Does ELEMENT fulfil the conditions from FILTER to END? */
static bool passes(const json_t *element, const char *filter, const char *end)
{
    char key[EXPRESSION_NAME_SIZE], wanted[EXPRESSION_NAME_SIZE];
    while (filter < end) {
        if (!take_condition(&filter, end, key, wanted))
            return false;
        const char *text = json_string_value(part_of(element, key));
        if (!text || strcmp(text, wanted) != 0)
            return false;
    }
    return true;
}

/* Does the member MEMBER begin with PREFIX, LENGTH bytes, and go on with digits? An empty prefix: any member. */
static bool matches(const char *member, const char *prefix, size_t length)
{
    return length == 0 || (strncmp(member, prefix, length) == 0 && member[length] &&
                           member[length + strspn(member + length, "0123456789")] == 0);
}

/* The elements of ARRAY whose member KEY is TEXT, in their order; NULL: none. Pages ask for each element of an array of
 * processes by its name, so the array is read once. */
static const json_t *elements_with(struct expressions *values, const json_t *array, const char *key, const char *text)
{
    size_t i;
    json_t *element;
    for (i = 0; i < values->count; i++)
        if (values->elements[i].array == array && strcmp(values->elements[i].key, key) == 0)
            return json_object_get(values->elements[i].texts, text);
    values->elements = checked_memory(realloc(values->elements, (values->count + 1) * sizeof *values->elements));
    struct elements *added = &values->elements[values->count++];
    *added = (struct elements){.array = array, .texts = checked_memory(json_object())};
    snprintf(added->key, sizeof added->key, "%s", key);
    json_array_foreach(array, i, element)
    {
        const char *const has = json_string_value(part_of(element, key));
        if (has && !json_object_get(added->texts, has))
            json_object_set_new(added->texts, has, checked_memory(json_array()));
        if (has)
            json_array_append(json_object_get(added->texts, has), element);
    }
    return json_object_get(added->texts, text);
}

static void add_value(struct sum *sum, const json_t *value, bool negative)
{
    if (json_is_integer(value)) {
        const int64_t count = json_integer_value(value);
        sum->whole &= !(negative ? __builtin_sub_overflow(sum->count, count, &sum->count)
                                 : __builtin_add_overflow(sum->count, count, &sum->count));
        sum->number += negative ? -(double)count : (double)count;
    } else if (json_is_real(value)) {
        sum->whole = false;
        sum->number += negative ? -json_real_value(value) : json_real_value(value);
    } else
        return;
    sum->any = true;
}

static void add_path(struct sum *sum, json_t *value, const char *path, bool negative);

/* Add the values with PATH below those elements of ARRAY that fulfil the conditions from FILTER to END. */
static void add_elements(struct sum *sum, const json_t *array, const char *filter, const char *end, const char *path,
                         bool negative)
{
    char key[EXPRESSION_NAME_SIZE], text[EXPRESSION_NAME_SIZE];
    json_t *element;
    size_t i;
    if (!array || !take_condition(&filter, end, key, text))
        return;
    json_array_foreach(elements_with(sum->values, array, key, text), i, element)
    {
        if (passes(element, filter, end))
            add_path(sum, element, path, negative);
    }
}

/* Add the values with PATH below VALUE. Paths are ours: the recursion is as deep as they are long. */
static void add_path(struct sum *sum, json_t *value, const char *path, bool negative)
{
    char name[EXPRESSION_NAME_SIZE];
    const char *key;
    json_t *member;
    if (!*path) {
        add_value(sum, value, negative);
        return;
    }
    const size_t length = strcspn(path, "/");
    const char *const rest = path + length + (path[length] == '/');
    const char *const filter = memchr(path, '?', length);
    take_name(path, filter ? (size_t)(filter - path) : length, name);
    if (filter)
        add_elements(sum, part_of(value, name), filter + 1, path + length, rest, negative);
    else if (path[length - 1] == '*') /* a star in a name would be escaped */
        json_object_foreach(value, key, member)
        {
            if (matches(key, name, strlen(name) - 1))
                add_path(sum, member, rest, negative);
        }
    else
        add_path(sum, part_of(value, name), rest, negative);
}

/* The term TEXT, of LENGTH bytes, without its '|': a path of a run. */
static void add_term(struct sum *sum, const char *text, size_t length)
{
    char term[EXPRESSION_SIZE], *path;
    const bool negative = *text == '-';
    snprintf(term, sizeof term, "%.*s", (int)(length - negative), text + negative);
    const unsigned long run = strtoul(term, &path, 10);
    const struct result_files *const runs = sum->values->runs;
    if (run < runs->count && strncmp(path, ":/", 2) == 0)
        add_path(sum, runs->columns[run]->root, path + 2, negative);
}

struct expression_value expression_value_of(struct expressions *values, const char *expression)
{
    struct sum above = {.values = values, .whole = true}, below = above;
    double factor = 1;
    bool whole = true, divided = false;
    for (const char *at = expression; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (*at == '*')
            factor *= strtod(at + 1, NULL), whole = false;
        else if (*at == '|' && !memchr(at, ':', length))
            factor /= strtod(at + 1, NULL), whole = false;
        else if (*at == '|')
            add_term(&below, at + 1, length - 1), divided = true;
        else
            add_term(&above, at, length);
        at += length;
    }
    const double divisor = divided ? below.number : 1;
    const struct expression_value value = {.known = above.any && divisor != 0,
                                           .whole = whole && !divided && above.whole,
                                           .count = above.count,
                                           .number = divisor != 0 ? above.number * factor / divisor : 0};
    return isfinite(value.number) ? value : (struct expression_value){.known = false};
}

static void visit_numbers(json_t *value, const char *path, void (*visit)(void *opaque, const char *path), void *opaque)
{
    const char *key;
    json_t *member;
    if (json_is_number(value))
        visit(opaque, path);
    json_object_foreach(value, key, member)
    {
        char below[EXPRESSION_PATH_SIZE + EXPRESSION_NAME_SIZE];
        snprintf(below, sizeof below, "%s/%s", path, EXPRESSION_ESCAPED(key));
        if (strlen(below) < EXPRESSION_PATH_SIZE)
            visit_numbers(member, below, visit, opaque);
    }
}

void expression_visit_numbers(const struct results *results, bool (*wanted)(const void *opaque, const char *member),
                              void (*visit)(void *opaque, const char *path), void *opaque)
{
    const char *key;
    json_t *member;
    json_object_foreach(results->root, key, member)
    {
        if (wanted(opaque, key))
            visit_numbers(member, EXPRESSION_ESCAPED(key), visit, opaque);
    }
}

size_t expression_of_formula(char *text, size_t size, enum formula number, unsigned run, const char *const *accounts)
{
    const struct measure_formula *formula = measure_formula(number);
    const struct {
        enum term term;
        const char *sign;
    } parts[] = {{formula->add, ""}, {formula->subtract, "-"}, {formula->per, "|"}};
    size_t used = 0;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        for (size_t i = 0; parts[part].term != TERM_NONE && accounts[i]; i++) {
            static const char *const members[TERMS] = {
                [TERM_CYCLES] = "cycles", [TERM_WAIT] = "wait", [TERM_INSNS] = "insns", [TERM_STALL] = "stall/*"};
            const char *member = members[parts[part].term];
            used += used < size ? (size_t)snprintf(text + used, size - used, "%s%s%u:/%s/%s", used ? " " : "",
                                                   parts[part].sign, run, accounts[i], member ? member : "?")
                                : 0;
        }
    return used;
}
