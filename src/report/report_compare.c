#include "src/report/report_compare.h"

#include "src/base/json_file.h"
#include "src/base/printable.h"
#include "src/report/report_column.h"
#include "src/report/report_compare_services.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256, VALUE_SIZE = 64, LABEL = 36, COLUMN = 20 };

/* A value that differs: a number, a string, or a value that only one file has. */
struct difference {
    char *name;                          /* "cpu0.mode.user.cycles" */
    const json_t *old_value, *new_value; /* NULL: not in the file */
    double change;                       /* relative change, 0 to 1; 2 if not a number in both files */
    double amount;                       /* absolute change */
    size_t order;                        /* position in the files */
};

struct comparison {
    const json_t *root[2];
    size_t count, size, seen;
    struct difference *differences;
};

static void add_difference(struct comparison *comparison, const char *name, const json_t *old_value,
                           const json_t *new_value)
{
    struct difference difference = {.name = checked_memory(strdup(name)),
                                    .old_value = old_value,
                                    .new_value = new_value,
                                    .change = 2,
                                    .order = comparison->count};
    printable_replace(difference.name, '?');
    if (json_is_number(old_value) && json_is_number(new_value)) {
        double before = json_number_value(old_value), after = json_number_value(new_value);
        double larger = fmax(fabs(before), fabs(after));
        difference.amount = fabs(after - before);
        difference.change = larger > 0 ? fmin(difference.amount / larger, 1) : 0;
    }
    if (comparison->count == comparison->size) {
        comparison->size = comparison->size ? 2 * comparison->size : 256;
        comparison->differences =
            checked_memory(realloc(comparison->differences, comparison->size * sizeof *comparison->differences));
    }
    comparison->differences[comparison->count++] = difference;
}

static void join(char path[PATH_SIZE], const char *prefix, const char *name)
{
    snprintf(path, PATH_SIZE, "%.150s%s%.100s", prefix, *prefix ? "." : "", name);
}

static void compare_values(struct comparison *comparison, const char *path, json_t *old_value, json_t *new_value);

/* The version of the program is no result of the run. */
static bool is_compared(const char *path)
{
    return strcmp(path, "simos") != 0;
}

/* Compare the members of both objects in the order of the first, then those that only the second has. */
static void compare_objects(struct comparison *comparison, const char *prefix, json_t *old_object, json_t *new_object)
{
    const char *name;
    json_t *value;
    char path[PATH_SIZE];
    json_object_foreach(old_object, name, value)
    {
        join(path, prefix, name);
        if (is_compared(path))
            compare_values(comparison, path, value, json_object_get(new_object, name));
    }
    json_object_foreach(new_object, name, value)
    {
        join(path, prefix, name);
        if (is_compared(path) && !json_object_get(old_object, name))
            compare_values(comparison, path, NULL, value);
    }
}

static void compare_values(struct comparison *comparison, const char *path, json_t *old_value, json_t *new_value)
{
    bool deep = (!old_value || json_is_object(old_value)) && (!new_value || json_is_object(new_value));
    if (deep) {
        compare_objects(comparison, path, old_value, new_value);
        return;
    }
    comparison->seen++;
    if (!old_value || !new_value || !json_equal(old_value, new_value))
        add_difference(comparison, path, old_value, new_value);
}

static int by_change(const void *first, const void *second)
{
    const struct difference *a = first, *b = second;
    if (a->change != b->change)
        return a->change > b->change ? -1 : 1;
    if (a->amount != b->amount)
        return a->amount > b->amount ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Format VALUE for the table; long strings are truncated. */
static void text_of(const json_t *value, char text[VALUE_SIZE])
{
    if (!value)
        snprintf(text, VALUE_SIZE, "(none)");
    else if (json_is_integer(value))
        snprintf(text, VALUE_SIZE, "%" PRId64, (int64_t)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, VALUE_SIZE, "%.6g", json_real_value(value));
    else if (json_is_string(value))
        snprintf(text, VALUE_SIZE, "\"%.56s\"", json_string_value(value));
    else
        snprintf(text, VALUE_SIZE, json_is_null(value) ? "null" : "(a list)");
    printable_replace(text, '?');
}

/* Format the relative change, "+3.2 %"; there is no percentage relative to 0. */
static void change_of(double before, double after, char text[VALUE_SIZE])
{
    if (before == 0)
        snprintf(text, VALUE_SIZE, "%s", after == 0 ? "" : "from 0");
    else
        snprintf(text, VALUE_SIZE, "%+.3g %%", 100 * (after - before) / fabs(before));
}

static void put_line(FILE *out, const char *name, const char *old_text, const char *new_text, const char *change)
{
    fprintf(out, "%-*s %*s %*s  %s\n", LABEL, name, COLUMN, old_text, COLUMN, new_text, change);
}

static void put_difference(FILE *out, const struct difference *difference)
{
    char old_text[VALUE_SIZE], new_text[VALUE_SIZE], change[VALUE_SIZE] = "";
    text_of(difference->old_value, old_text);
    text_of(difference->new_value, new_text);
    if (difference->change <= 1)
        change_of(json_number_value(difference->old_value), json_number_value(difference->new_value), change);
    put_line(out, difference->name, old_text, new_text, change);
}

/* Accounts, summed over the CPUs. */

static void put_numbers(FILE *out, const char *name, int digits, double before, double after)
{
    char old_text[VALUE_SIZE], new_text[VALUE_SIZE], change[VALUE_SIZE];
    snprintf(old_text, sizeof old_text, "%.*f", digits, before);
    snprintf(new_text, sizeof new_text, "%.*f", digits, after);
    change_of(before, after, change);
    put_line(out, name, old_text, new_text, before == after ? "=" : change);
}

static void put_accounts(FILE *out, const struct report_column *before, const struct report_column *after)
{
    static const struct {
        const char *name, *key; /* a key that ends with "." stands for all keys with this prefix */
    } rows[] = {{"cycles", "cycles"},        {"instructions", "insns"},    {"execution", "execute"},
                {"memory stalls", "stall."}, {"interlocks", "interlock."}, {"wait", "wait"},
                {"misses", "miss."}};
    static const char *const names[REPORT_SUMS] = {"user", "kernel", "user+kernel", "idle", "total"};
    char name[64];
    put_numbers(out, "simulated seconds", 9, report_column_seconds(before), report_column_seconds(after));
    put_numbers(out, "non-idle CPU seconds", 9, report_column_busy_seconds(before), report_column_busy_seconds(after));
    for (unsigned sum = 0; sum < REPORT_SUMS; sum++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            uint64_t (*const sum_of)(const struct report_column *, const char *, enum report_sum) =
                strchr(rows[i].key, '.') ? report_column_sum_all : report_column_sum;
            snprintf(name, sizeof name, "%s, %s", rows[i].name, names[sum]);
            uint64_t old_count = sum_of(before, rows[i].key, sum), new_count = sum_of(after, rows[i].key, sum);
            if (old_count || new_count)
                put_numbers(out, name, 0, (double)old_count, (double)new_count);
        }
    }
}

/* The end of TEXT that fits a column. */
static const char *end_of(const char *text)
{
    size_t length = strlen(text);
    return length > COLUMN ? text + length - COLUMN : text;
}

static void print(const struct comparison *comparison, const struct report_column columns[2], FILE *out)
{
    if (comparison->count == 0) {
        fprintf(out, "the same: %zu values\n", comparison->seen);
        return;
    }
    put_line(out, "", end_of(columns[0].title), end_of(columns[1].title), "");
    if (strcmp(columns[0].simos, columns[1].simos) != 0)
        put_line(out, "written by simos", columns[0].simos, columns[1].simos, "");
    put_accounts(out, &columns[0], &columns[1]);
    report_compare_services(comparison->root[0], comparison->root[1], out);
    fprintf(out, "\n%zu of %zu values differ, largest change first\n", comparison->count, comparison->seen);
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->differences[i].change <= 1)
            put_difference(out, &comparison->differences[i]);
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->differences[i].change > 1)
            put_difference(out, &comparison->differences[i]);
}

static void release(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        free(comparison->differences[i].name);
    free(comparison->differences);
}

bool report_compare(const char *old_path, const char *new_path, bool *differs, FILE *out, struct err *err)
{
    const char *const paths[2] = {old_path, new_path};
    struct report_column *columns = checked_memory(calloc(2, sizeof *columns));
    struct comparison comparison = {.count = 0};
    json_t *root[2] = {NULL, NULL};
    bool done = true;
    for (int i = 0; i < 2 && done; i++) {
        root[i] = json_file_read(INPUT_STATISTICS, paths[i], NULL, err);
        done = root[i] && report_column_read(&columns[i], paths[i], root[i], err);
    }
    if (done) {
        comparison.root[0] = root[0];
        comparison.root[1] = root[1];
        compare_objects(&comparison, "", root[0], root[1]);
        if (comparison.count > 0)
            qsort(comparison.differences, comparison.count, sizeof *comparison.differences, by_change);
        print(&comparison, columns, out);
        *differs = comparison.count > 0;
    }
    release(&comparison);
    report_column_release(&columns[0]);
    report_column_release(&columns[1]);
    json_decref(root[0]);
    json_decref(root[1]);
    free(columns);
    return done;
}
