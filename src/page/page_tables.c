/* Execution over time, and the tables of devices, locks and all statistics. */
#include "src/page/page_sections.h"

#include "src/page/page_svg.h"
#include "src/report/report_over_time.h"
#include "src/results/annotations.h"
#include <stdlib.h>
#include <string.h>

/* Over time */

static void draw_series(const struct page *page, const struct results *column)
{
    struct report_time_chart *chart = report_time_chart_create(column, column->title);
    page_shares_draw(page, &chart->shares);
    report_time_chart_free(chart);
}

void page_put_over_time(const struct page *page)
{
    bool has[RESULT_FILES_MAX] = {false};
    page_begin_section(page, "over-time", "Over time");
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = page->runs->columns[run]->over_time != NULL;
    if (page_say_missing(page, has, "series over time", "--over-time 10ms --stats FILE.json") > 0)
        for (unsigned run = 0; run < page->runs->count; run++)
            if (has[run])
                draw_series(page, page->runs->columns[run]);
    page_end_section(page);
}

/* Numbers of a file */

enum { PATHS_MAX = 20000, PATH_SIZE = EXPRESSION_PATH_SIZE };

struct paths {
    unsigned count;
    char (*path)[PATH_SIZE];
    const char *const *some, *const *except; /* members whose names begin with one of SOME, or not with one of EXCEPT */
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

static void add_path(void *opaque, const char *path)
{
    struct paths *paths = opaque;
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

static bool is_wanted(const void *opaque, const char *member)
{
    const struct paths *paths = opaque;
    return paths->some ? begins_with(member, paths->some) : !begins_with(member, paths->except);
}

/* A table of the numbers in the members whose names begin with one of SOME, or not with one of EXCEPT. */
static void put_numbers(const struct page *page, const char *const some[], const char *const except[],
                        const char *search)
{
    struct paths paths = {.some = some, .except = except};
    for (unsigned run = 0; run < page->runs->count; run++)
        expression_visit_numbers(page->runs->columns[run], is_wanted, add_path, &paths);
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
            any |= expression_value_of(page->values, text).number != 0;
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
    static const char *const of_cpus[] = {"cpu",       "machine",    "parameters", "annotations", "over_time", "window",
                                          "evictions", "provenance", "simos",      "sampling",    NULL};
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

static void put_lock(const struct page *page, unsigned run, size_t i)
{
    static const char *const counts[] = {"acquires", "contended", "wait", "held", "held_longest"};
    const struct result_lock lock = results_lock(page->runs->columns[run], i);
    const struct {
        const char *member, *text;
    } texts[] = {{"name", lock.name},
                 {"kind", lock.kind},
                 {"caller", lock.caller},
                 {"longest_by/function", lock.longest_function},
                 {"longest_by/process", lock.longest_process}};
    enum { BEFORE_COUNTS = 3, TEXTS = sizeof texts / sizeof texts[0] };
    fputs("<tr>", page->out);
    if (page->runs->count > 1) {
        fputs("<td class=\"t\">", page->out);
        page_put_run(page, run);
        fputs("</td>", page->out);
    }
    for (unsigned text = 0; text < BEFORE_COUNTS; text++)
        page_cell_named(page, texts[text].text, "%u:/annotations/locks/%zu/%s", run, i, texts[text].member);
    for (size_t count = 0; count < sizeof counts / sizeof counts[0]; count++)
        page_cell(page, PAGE_COUNT, "%u:/annotations/locks/%zu/%s", run, i, counts[count]);
    for (unsigned text = BEFORE_COUNTS; text < TEXTS; text++)
        page_cell_named(page, texts[text].text, "%u:/annotations/locks/%zu/%s", run, i, texts[text].member);
    fputs("</tr>\n", page->out);
}

void page_put_locks(const struct page *page)
{
    bool has[RESULT_FILES_MAX] = {false};
    page_begin_section(page, "locks", "Locks of the kernel");
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = results_lock_count(page->runs->columns[run]) > 0;
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
        for (unsigned run = 0; run < page->runs->count; run++)
            for (size_t i = 0; i < results_lock_count(page->runs->columns[run]) && i < LOCKS_SHOWN; i++)
                put_lock(page, run, i);
        page_end_table(page);
    }
    page_end_section(page);
}
