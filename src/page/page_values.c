#include "src/page/page_values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of the terms read so far. */
struct sum {
    bool any, whole;
    int64_t count;
    double number;
};

const char *page_escape(char escaped[PAGE_NAME], const char *name)
{
    size_t used = 0;
    for (; *name && used + 4 < PAGE_NAME; name++)
        if (isalnum((unsigned char)*name) || strchr("_-.", *name))
            escaped[used++] = *name;
        else
            used += (size_t)snprintf(escaped + used, PAGE_NAME - used, "%%%02X", (unsigned char)*name);
    escaped[used] = 0;
    return escaped;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : toupper((unsigned char)c) - 'A' + 10;
}

/* The LENGTH bytes at TEXT, a part of a path, in NAME without escapes. */
static void take_name(const char *text, size_t length, char name[PAGE_NAME])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < PAGE_NAME; i++)
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

/* Has ELEMENT what the LENGTH bytes at FILTER say, "KEY=TEXT&KEY=TEXT"? */
static bool passes(const json_t *element, const char *filter, size_t length)
{
    char key[PAGE_NAME], wanted[PAGE_NAME];
    const char *const end = filter + length;
    while (filter < end) {
        const char *equal = memchr(filter, '=', (size_t)(end - filter));
        const char *next = memchr(filter, '&', (size_t)(end - filter));
        next = next ? next : end;
        if (!equal || equal > next)
            return false;
        take_name(filter, (size_t)(equal - filter), key);
        take_name(equal + 1, (size_t)(next - equal - 1), wanted);
        const char *text = json_string_value(part_of(element, key));
        if (!text || strcmp(text, wanted) != 0)
            return false;
        filter = next + 1;
    }
    return true;
}

/* Does the member MEMBER begin with PREFIX, LENGTH bytes, and go on with digits? An empty prefix: any member. */
static bool matches(const char *member, const char *prefix, size_t length)
{
    return length == 0 || (strncmp(member, prefix, length) == 0 && member[length] &&
                           member[length + strspn(member + length, "0123456789")] == 0);
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

/* Add the values with PATH below VALUE. Paths are ours: the recursion is as deep as they are long. */
static void add_path(struct sum *sum, json_t *value, const char *path, bool negative)
{
    char name[PAGE_NAME];
    const char *key;
    json_t *member;
    size_t i;
    if (!*path) {
        add_value(sum, value, negative);
        return;
    }
    const size_t length = strcspn(path, "/");
    const char *const rest = path + length + (path[length] == '/');
    const char *const filter = memchr(path, '?', length);
    take_name(path, filter ? (size_t)(filter - path) : length, name);
    if (filter)
        json_array_foreach(part_of(value, name), i, member)
        {
            if (passes(member, filter + 1, (size_t)(path + length - filter - 1)))
                add_path(sum, member, rest, negative);
        }
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
static void add_term(struct sum *sum, const struct report *runs, const char *text, size_t length)
{
    char term[PAGE_EXPRESSION], *path;
    const bool negative = *text == '-';
    snprintf(term, sizeof term, "%.*s", (int)(length - negative), text + negative);
    const unsigned long run = strtoul(term, &path, 10);
    if (run < runs->count && strncmp(path, ":/", 2) == 0)
        add_path(sum, runs->columns[run]->root, path + 2, negative);
}

struct page_value page_value_of(const struct report *runs, const char *expression)
{
    struct sum above = {.whole = true}, below = {.whole = true};
    double factor = 1;
    bool whole = true, divided = false;
    for (const char *at = expression; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (*at == '*')
            factor *= strtod(at + 1, NULL), whole = false;
        else if (*at == '|' && !memchr(at, ':', length))
            factor /= strtod(at + 1, NULL), whole = false;
        else if (*at == '|')
            add_term(&below, runs, at + 1, length - 1), divided = true;
        else
            add_term(&above, runs, at, length);
        at += length;
    }
    const double divisor = divided ? below.number : 1;
    const struct page_value value = {.known = above.any && divisor != 0,
                                     .whole = whole && !divided && above.whole,
                                     .count = above.count,
                                     .number = divisor != 0 ? above.number * factor / divisor : 0};
    return isfinite(value.number) ? value : (struct page_value){.known = false};
}
