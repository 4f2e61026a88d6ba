/* Execution over time, and the tables of devices, locks and all statistics. */
#include "src/page/page_sections.h"

#include "src/page/page_svg.h"
#include "src/report/report_over_time.h"
#include <stdlib.h>
#include <string.h>

/* Over time */

static void draw_series(const struct page *page, unsigned run)
{
    const struct report_column *column = page->runs->columns[run];
    struct report_intervals intervals = report_over_time_intervals(column);
    const double hz = column->clock_hz ? (double)column->clock_hz : 1;
    struct page_parts parts = {0};
    double *end = checked_memory(calloc(intervals.count + 1, sizeof *end));
    double *share = checked_memory(calloc((intervals.count + 1) * REPORT_TIME_PARTS, sizeof *share));
    for (unsigned part = 0; part < REPORT_TIME_PARTS; part++) {
        char colour[PAGE_LABEL];
        snprintf(colour, sizeof colour, "%s", report_time_part(part));
        char *comma = strchr(colour, ',');
        if (comma) /* "user, stalled" */
            memmove(comma, comma + 1, strlen(comma));
        page_parts_add(&parts, report_time_part(part), colour);
    }
    for (size_t i = 0; i < intervals.count; i++) {
        double sum = 0;
        end[i] = (double)intervals.row[i].end / hz;
        for (unsigned part = 0; part < REPORT_TIME_PARTS; part++)
            sum += (double)intervals.row[i].part[part];
        for (unsigned part = 0; sum > 0 && part < REPORT_TIME_PARTS; part++)
            share[i * REPORT_TIME_PARTS + part] = (double)intervals.row[i].part[part] / sum;
    }
    page_shares_draw(page, &(struct page_shares){.title = column->title,
                                                 .count = intervals.count,
                                                 .begin = (double)intervals.begin / hz,
                                                 .end = end,
                                                 .share = share,
                                                 .parts = &parts});
    free(end);
    free(share);
    free(intervals.row);
}

void page_put_over_time(const struct page *page)
{
    bool has[REPORT_COLUMNS_MAX] = {false};
    page_begin_section(page, "over-time", "Over time");
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = page->runs->columns[run]->over_time != NULL;
    if (page_say_missing(page, has, "series over time", "--over-time 10ms --stats FILE.json") > 0)
        for (unsigned run = 0; run < page->runs->count; run++)
            if (has[run])
                draw_series(page, run);
    page_end_section(page);
}

/* Numbers of a file */

enum { PATHS_MAX = 20000, PATH_SIZE = 160 };

struct paths {
    unsigned count;
    char (*path)[PATH_SIZE];
};

static bool begins_with(const char *text, const char *const prefixes[])
{
    for (unsigned i = 0; prefixes[i]; i++) {
        const size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) == 0 && text[length + strspn(text + length, "0123456789")] == 0)
            return true;
    }
    return false;
}

static void add_path(struct paths *paths, const char *path)
{
    if (paths->count == PATHS_MAX)
        return;
    if ((paths->count & (paths->count + 1)) == 0) /* 0, 1, 3, 7 ... */
        paths->path = checked_memory(realloc(paths->path, (2 * paths->count + 2) * sizeof *paths->path));
    snprintf(paths->path[paths->count++], PATH_SIZE, "%s", path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Add the paths of the numbers below VALUE, which is at PATH. */
static void add_numbers(struct paths *paths, json_t *value, const char *path)
{
    const char *key;
    json_t *member;
    if (json_is_number(value))
        add_path(paths, path);
    json_object_foreach(value, key, member)
    {
        char below[PATH_SIZE + PAGE_NAME];
        snprintf(below, sizeof below, "%s/%s", path, PAGE_ESCAPED(key));
        if (strlen(below) < PATH_SIZE)
            add_numbers(paths, member, below);
    }
}

/* A table of the numbers in the members whose names begin with one of SOME, or not with one of EXCEPT. */
static void put_numbers(const struct page *page, const char *const some[], const char *const except[],
                        const char *search)
{
    struct paths paths = {0};
    const char *key;
    json_t *member;
    for (unsigned run = 0; run < page->runs->count; run++)
        json_object_foreach(page->runs->columns[run]->root, key, member)
        {
            if (some ? begins_with(key, some) : !begins_with(key, except))
                add_numbers(&paths, member, PAGE_ESCAPED(key));
        }
    struct paths sorted = paths;
    if (page->runs->count > 1 && paths.count > 0)
        qsort(sorted.path, sorted.count, sizeof *sorted.path, by_path);
    page_begin_run_table(page, "statistic", true, search);
    for (unsigned i = 0; i < sorted.count; i++) {
        bool any = false;
        if (i > 0 && strcmp(sorted.path[i - 1], sorted.path[i]) == 0)
            continue;
        for (unsigned run = 0; run < page->runs->count; run++) {
            char text[PATH_SIZE + 16];
            snprintf(text, sizeof text, "%u:/%s", run, sorted.path[i]);
            any |= page_value_of(page->values, text).number != 0;
        }
        if (!any)
            continue;
        fputs("<tr><td class=\"t\">", page->out);
        for (const char *at = sorted.path[i]; *at; at++)
            fputc(*at == '/' ? '.' : *at, page->out);
        fputs("</td>", page->out);
        for (unsigned run = 0; run < page->runs->count; run++)
            page_cell(page, PAGE_COUNT, "%u:/%s", run, sorted.path[i]);
        fputs("</tr>\n", page->out);
    }
    page_end_table(page);
    free(paths.path);
}

void page_put_devices(const struct page *page)
{
    static const char *const of_cpus[] = {"cpu",    "machine",    "parameters", "annotations", "over_time",
                                          "window", "provenance", "simos",      "sampling",    NULL};
    page_begin_section(page, "devices", "Devices, memory and buses");
    fputs("<p>Counts that are not 0; <code>statistics.md</code> of the documentation has the meaning of each. Times "
          "are in "
          "the unit that is named there.</p>\n",
          page->out);
    put_numbers(page, NULL, of_cpus, "devices");
    page_end_section(page);
}

void page_put_statistics(const struct page *page)
{
    static const char *const of_cpus[] = {"cpu", "machine", NULL};
    page_begin_section(page, "statistics", "All statistics of the CPUs");
    fputs("<details><summary>Every count of every CPU that is not 0</summary>\n", page->out);
    put_numbers(page, of_cpus, NULL, "statistics");
    fputs("</details>\n", page->out);
    page_end_section(page);
}

/* Locks */

enum { LOCKS_SHOWN = 500 };

static void put_lock(const struct page *page, unsigned run, size_t i, const json_t *lock)
{
    static const char *const texts[] = {"name", "kind", "caller"};
    static const char *const counts[] = {"acquires", "contended", "wait", "held", "held_longest"};
    const json_t *by = json_object_get(lock, "longest_by");
    fputs("<tr>", page->out);
    if (page->runs->count > 1) {
        fputs("<td class=\"t\">", page->out);
        page_put_run(page, run);
        fputs("</td>", page->out);
    }
    for (size_t text = 0; text < sizeof texts / sizeof texts[0]; text++) {
        const char *value = json_string_value(json_object_get(lock, texts[text]));
        page_cell_named(page, value ? value : "", "%u:/annotations/locks/%zu/%s", run, i, texts[text]);
    }
    for (size_t count = 0; count < sizeof counts / sizeof counts[0]; count++)
        page_cell(page, PAGE_COUNT, "%u:/annotations/locks/%zu/%s", run, i, counts[count]);
    const char *function = json_string_value(json_object_get(by, "function"));
    const char *process = json_string_value(json_object_get(by, "process"));
    page_cell_named(page, function ? function : "", "%u:/annotations/locks/%zu/longest_by/function", run, i);
    page_cell_named(page, process ? process : "", "%u:/annotations/locks/%zu/longest_by/process", run, i);
    fputs("</tr>\n", page->out);
}

void page_put_locks(const struct page *page)
{
    bool has[REPORT_COLUMNS_MAX] = {false};
    page_begin_section(page, "locks", "Locks of the kernel");
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = json_array_size(
                       json_object_get(json_object_get(page->runs->columns[run]->root, "annotations"), "locks")) > 0;
    if (page_say_missing(page, has, "locks", "--script services") > 0) {
        fputs("<p>Times are in cycles. <i>Held longest</i> is the longest time from taking the lock to releasing it, "
              "with "
              "the function and the process that held it.</p>\n",
              page->out);
        page_begin_table(page,
                         page->runs->count > 1
                             ? "run|lock|kind|taken by|#taken|#contended|#waited|#held|#held longest|in|by process"
                             : "lock|kind|taken by|#taken|#contended|#waited|#held|#held longest|in|by process",
                         true, "locks");
        for (unsigned run = 0; run < page->runs->count; run++) {
            const json_t *locks =
                json_object_get(json_object_get(page->runs->columns[run]->root, "annotations"), "locks");
            for (size_t i = 0; i < json_array_size(locks) && i < LOCKS_SHOWN; i++)
                put_lock(page, run, i, json_array_get(locks, i));
        }
        page_end_table(page);
    }
    page_end_section(page);
}
