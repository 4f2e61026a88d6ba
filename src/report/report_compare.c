#include "src/report/report_compare.h"

#include "src/base/json_file.h"
#include "src/results/differences.h"
#include "src/report/report_compare_services.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 64, LABEL = 36, COLUMN = 20 };

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
    char change[VALUE_SIZE] = "";
    if (difference->change <= 1)
        change_of(difference->before, difference->after, change);
    put_line(out, difference->name, difference->old_text, difference->new_text, change);
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

static void put_accounts(FILE *out, const struct results *before, const struct results *after)
{
    static const struct {
        const char *name, *key; /* a key that ends with "." stands for all keys with this prefix */
    } rows[] = {{"cycles", "cycles"},        {"instructions", "insns"},    {"execution", "execute"},
                {"memory stalls", "stall."}, {"interlocks", "interlock."}, {"wait", "wait"},
                {"misses", "miss."}};
    static const char *const names[MODES_SUMS] = {"user", "kernel", "user+kernel", "idle", "total"};
    char name[64];
    put_numbers(out, "simulated seconds", 9, results_seconds(before), results_seconds(after));
    put_numbers(out, "non-idle CPU seconds", 9, results_busy_seconds(before), results_busy_seconds(after));
    for (unsigned sum = 0; sum < MODES_SUMS; sum++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            uint64_t (*const sum_of)(const struct results *, const char *, enum modes) =
                strchr(rows[i].key, '.') ? results_sum_all : results_sum;
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

static void print(const struct differences *differences, const struct results columns[2], FILE *out)
{
    if (differences->count == 0) {
        fprintf(out, "the same: %zu values\n", differences->seen);
        return;
    }
    put_line(out, "", end_of(columns[0].title), end_of(columns[1].title), "");
    if (strcmp(columns[0].simos, columns[1].simos) != 0)
        put_line(out, "written by simos", columns[0].simos, columns[1].simos, "");
    put_accounts(out, &columns[0], &columns[1]);
    report_compare_services(&columns[0], &columns[1], out);
    fprintf(out, "\n%zu of %zu values differ, largest change first\n", differences->count, differences->seen);
    for (size_t i = 0; i < differences->count; i++)
        if (differences->row[i].change <= 1)
            put_difference(out, &differences->row[i]);
    for (size_t i = 0; i < differences->count; i++)
        if (differences->row[i].change > 1)
            put_difference(out, &differences->row[i]);
}

bool report_compare(const char *old_path, const char *new_path, bool *differs, FILE *out, struct err *err)
{
    const char *const paths[2] = {old_path, new_path};
    struct results *columns = checked_memory(calloc(2, sizeof *columns));
    struct differences differences;
    bool done = true;
    for (int i = 0; i < 2 && done; i++) {
        json_t *root = json_file_read(INPUT_STATISTICS, paths[i], NULL, err);
        done = root && results_read(&columns[i], paths[i], root, err);
        json_decref(root);
    }
    if (done) {
        differences_find(&differences, &columns[0], &columns[1]);
        print(&differences, columns, out);
        *differs = differences.count > 0;
        differences_release(&differences);
    }
    results_release(&columns[0]);
    results_release(&columns[1]);
    free(columns);
    return done;
}
