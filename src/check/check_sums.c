#include "src/check/check_findings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A sum of values. 128 bits hold one of as many 64-bit numbers as fit into memory. */
struct sum {
    __int128 total;
    size_t count; /* values in it, and tables */
    bool whole;   /* all of them are whole numbers */
};

enum { NUMBER_SIZE = 48 };

static const char *number_text(__int128 number, char text[NUMBER_SIZE])
{
    char *at = text + NUMBER_SIZE;
    unsigned __int128 rest = number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
    *--at = 0;
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (number < 0)
        *--at = '-';
    return at;
}

/* Does NAME match PATTERN, in which * stands for any text? */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *again = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            again = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++again;
        } else
            return false;
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static void add(struct sum *sum, const json_t *value)
{
    if (json_is_object(value) || json_is_array(value))
        return;
    sum->count++;
    if (json_is_integer(value))
        sum->total += json_integer_value(value);
    else
        sum->whole = false;
}

/* What is done with each value that a path matches. */
struct visit {
    void (*found)(const struct visit *visit, const json_t *value, const struct check_place *place);
    void *opaque;
};

/* Visit every value below VALUE that the components of PATH from DEPTH on match. */
static void visit_matches(const struct visit *visit, const json_t *value, const json_t *path, size_t depth,
                          const struct check_place *place)
{
    if (depth == json_array_size(path)) {
        visit->found(visit, value, place);
        return;
    }
    const char *pattern = json_string_value(json_array_get(path, depth)), *name;
    json_t *member;
    if (json_is_object(value) && !strchr(pattern, '*')) {
        const struct check_place inner = {.outer = place, .name = pattern};
        member = json_object_get(value, pattern);
        if (member)
            visit_matches(visit, member, path, depth + 1, &inner);
    } else if (json_is_object(value)) {
        json_object_foreach((json_t *)value, name, member)
        {
            const struct check_place inner = {.outer = place, .name = name};
            if (matches(pattern, name))
                visit_matches(visit, member, path, depth + 1, &inner);
        }
    } else if (json_is_array(value) && strcmp(pattern, "*") == 0)
        for (size_t i = 0; i < json_array_size(value); i++) {
            const struct check_place inner = {.outer = place, .index = i};
            visit_matches(visit, json_array_get(value, i), path, depth + 1, &inner);
        }
}

static void add_found(const struct visit *visit, const json_t *value, const struct check_place *place)
{
    (void)place;
    add(visit->opaque, value);
}

/* The number of the column NAME of a table; -1: there is none. */
static int column_of(const json_t *table, const char *name)
{
    if (!name)
        return -1;
    const json_t *columns = json_object_get(table, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *column = json_string_value(json_array_get(columns, i));
        if (column && strcmp(column, name) == 0)
            return (int)i;
    }
    return -1;
}

/* How many columns that WANTED names have, in ROW, the value that it says; -1: a column is missing. */
static int agreeing(const json_t *table, const json_t *row, const json_t *wanted)
{
    const char *name;
    json_t *value;
    int count = 0;
    json_object_foreach((json_t *)wanted, name, value)
    {
        const int column = column_of(table, name);
        if (column < 0)
            return -1;
        count += json_equal(json_array_get(row, (size_t)column), value);
    }
    return count;
}

/* Add to SUM the value that ROW of TABLE has in the column of TERM, if the term is about this row. */
static void add_row(struct sum *sum, const json_t *term, const json_t *table, const json_t *row)
{
    const json_t *where = json_object_get(term, "where"), *unless = json_object_get(term, "unless");
    const int column = column_of(table, json_string_value(json_object_get(term, "column")));
    const int chosen = agreeing(table, row, where), others = agreeing(table, row, unless);
    const json_t *value = column < 0 ? NULL : json_array_get(row, (size_t)column);
    if (chosen < 0 || others < 0 || !value)
        sum->whole = false;
    else if (chosen == (int)json_object_size(where) && others == 0)
        add(sum, value);
}

struct table_term {
    const json_t *term;
    struct sum *sum;
};

static void add_table(const struct visit *visit, const json_t *table, const struct check_place *place)
{
    const struct table_term *of = visit->opaque;
    const json_t *rows = json_object_get(table, "rows");
    (void)place;
    if (column_of(table, json_string_value(json_object_get(of->term, "column"))) < 0 || !json_is_array(rows))
        of->sum->whole = false;
    of->sum->count++; /* a table without such rows has 0 of them */
    for (size_t i = 0; i < json_array_size(rows) && of->sum->whole; i++)
        add_row(of->sum, of->term, table, json_array_get(rows, i));
}

struct application {
    struct check_findings *findings;
    const json_t *rule, *document;
    const json_t *table; /* of which the place is a row; or NULL */
};

/* The sum of TERMS of a rule at PLACE. */
static struct sum sum_of(const struct application *at, const json_t *terms, const json_t *place)
{
    struct sum sum = {.whole = true};
    for (size_t i = 0; i < json_array_size(terms); i++) {
        const json_t *term = json_array_get(terms, i);
        struct table_term of = {term, &sum};
        const struct visit values = {add_found, &sum}, tables = {add_table, &of};
        if (!json_is_object(term))
            visit_matches(&values, place, term, 0, NULL);
        else if (json_object_get(term, "table"))
            visit_matches(&tables, at->document, json_object_get(term, "table"), 0, NULL);
        else
            add_row(&sum, term, at->table, place);
    }
    return sum;
}

/* Evaluate a rule at one of its places. */
static void apply(const struct visit *visit, const json_t *value, const struct check_place *place)
{
    const struct application *of = visit->opaque;
    const char *rule = json_string_value(json_object_get(of->rule, "name"));
    const json_t *condition = json_object_get(of->rule, "if"), *relation = json_object_get(of->rule, "relation");
    const bool at_least = relation && strcmp(json_string_value(relation), ">=") == 0;
    const json_t *totals = json_object_get(of->rule, "total"), *others = json_object_get(of->rule, "parts");
    const struct sum given = sum_of(of, condition, value);
    if (condition && given.whole && given.total == 0)
        return;
    const struct sum total = sum_of(of, totals, value), parts = sum_of(of, others, value);
    if (!given.whole || !total.whole || !parts.whole) {
        of->findings->sums++;
        check_complain(of->findings, place, "%s: not a whole number", rule);
        return;
    }
    if ((totals && total.count == 0) || (others && parts.count == 0))
        return; /* this file does not have what the rule is about */
    of->findings->sums++;
    char total_text[NUMBER_SIZE], parts_text[NUMBER_SIZE];
    if (!others) {
        if (total.total <= 0)
            check_complain(of->findings, place, "%s: %s", rule, number_text(total.total, total_text));
    } else if (at_least ? total.total < parts.total : total.total != parts.total)
        check_complain(of->findings, place, "%s: %s, but the parts are %s", rule, number_text(total.total, total_text),
                       number_text(parts.total, parts_text));
}

/* Has TABLE the columns that MEMBER of TERM, an object, names? */
static bool has_named(const json_t *table, const json_t *term, const char *member)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(term, member), name, value) if (column_of(table, name) < 0) return false;
    return true;
}

/* Has TABLE the columns that the terms of RULE need of its rows? */
static bool has_columns(const json_t *table, const json_t *rule)
{
    static const char *const lists[] = {"if", "total", "parts"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const json_t *terms = json_object_get(rule, lists[i]);
        for (size_t n = 0; n < json_array_size(terms); n++) {
            const json_t *term = json_array_get(terms, n);
            if (column_of(table, json_string_value(json_object_get(term, "column"))) < 0 ||
                !has_named(table, term, "where") || !has_named(table, term, "unless"))
                return false;
        }
    }
    return true;
}

/* Evaluate a rule, whose terms are columns, at each row of TABLE. */
static void apply_to_rows(const struct visit *visit, const json_t *table, const struct check_place *place)
{
    struct application of = *(const struct application *)visit->opaque;
    const struct visit inner = {apply, &of};
    const struct check_place list = {.outer = place, .name = "rows"};
    const json_t *rows = json_object_get(table, "rows");
    if (!json_is_array(rows) || !has_columns(table, of.rule)) {
        of.findings->sums++;
        check_complain(of.findings, place, "%s: not a whole number",
                       json_string_value(json_object_get(of.rule, "name")));
        return;
    }
    of.table = table;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const struct check_place row = {.outer = &list, .index = i};
        apply(&inner, json_array_get(rows, i), &row);
    }
}

void check_sums(struct check_findings *findings, const json_t *document, const json_t *rules,
                const struct check_place *place)
{
    for (size_t i = 0; i < json_array_size(rules); i++) {
        struct application of = {findings, json_array_get(rules, i), document, NULL};
        const json_t *tables = json_object_get(of.rule, "rows");
        const struct visit visit = {tables ? apply_to_rows : apply, &of};
        visit_matches(&visit, document, tables ? tables : json_object_get(of.rule, "at"), 0, place);
    }
}
