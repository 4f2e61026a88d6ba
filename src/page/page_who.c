/* Where the time went: by service and by process, for runs with annotations. */
#include "src/page/page_sections.h"

#include "src/base/array.h"
#include "src/page/page_svg.h"
#include "src/results/annotations.h"
#include "src/results/name_index.h"
#include "src/results/processes.h"
#include "src/report/report.h"
#include "src/results/values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHART_ROWS = 14 };

/* A service, or the processes of one name, in all runs; and where its figures are in a file, below "annotations/". */
struct who {
    const char *name;
    char path[EXPRESSION_NAME_SIZE + 24];
    double seconds; /* in the run in which it has most */
};

struct who_list {
    size_t count;
    struct who *row;
    struct name_index names;
};

static void release_list(struct who_list *list)
{
    name_index_release(&list->names);
    free(list->row);
}

static uint64_t hz_of(const struct page *page, unsigned run)
{
    const uint64_t hz = page->runs->columns[run]->clock_hz;
    return hz ? hz : 1;
}

/* Add the name to the list, whose figures are at PATH and the escaped name. */
static void add_name(struct who_list *list, const char *name, const char *path)
{
    if (name_index_number(&list->names, name) < list->count)
        return;
    list->row = array_room(list->row, list->count, sizeof *list->row);
    struct who *who = &list->row[list->count++];
    *who = (struct who){.name = name};
    snprintf(who->path, sizeof who->path, "%s%s", path, EXPRESSION_ESCAPED(name));
}

static int by_seconds(const void *a, const void *b)
{
    const struct who *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Sort the list by the cycles at the members FIRST and SECOND (NULL: none), in seconds. */
static void sort_list(const struct page *page, struct who_list *list, const char *first, const char *second)
{
    for (size_t i = 0; i < list->count; i++)
        for (unsigned run = 0; run < page->runs->count; run++) {
            char text[EXPRESSION_SIZE];
            const char *path = list->row[i].path;
            int used =
                snprintf(text, sizeof text, "%u:/annotations/%s/%s |%" PRIu64, run, path, first, hz_of(page, run));
            if (second && used > 0 && (size_t)used < sizeof text)
                snprintf(text + used, sizeof text - (size_t)used, " %u:/annotations/%s/%s", run, path, second);
            const double seconds = expression_value_of(page->values, text).number;
            if (seconds > list->row[i].seconds)
                list->row[i].seconds = seconds;
        }
    if (list->count)
        qsort(list->row, list->count, sizeof *list->row, by_seconds);
}

/* Headings of a table with COUNT columns, whose titles are NAMES, for each run. */
static void begin_table(const struct page *page, const char *first, const char *const names[], unsigned count,
                        const char *search)
{
    fprintf(page->out,
            "<div class=\"table\"><input type=\"search\" class=\"search\" placeholder=\"Search %s\" "
            "aria-label=\"Search %s\"><div class=\"wide\"><table class=\"sortable\"><thead><tr><th class=\"t\">%s</th>",
            search, search, first);
    for (unsigned run = 0; run < page->runs->count; run++)
        for (unsigned i = 0; i < count; i++) {
            fputs("<th>", page->out);
            if (page->runs->count > 1) {
                page_put_run(page, run);
                fputs("<br>", page->out);
            }
            fprintf(page->out, "%s</th>", names[i]);
        }
    fputs("</tr></thead><tbody>\n", page->out);
}

/* Services */

/* The parts of a service's cycles, with the members that are added and subtracted. */
struct service_parts {
    struct page_parts parts;
    char names[PAGE_PARTS_MAX][PAGE_LABEL];
};

static void add_stall(void *opaque, const char *name)
{
    struct service_parts *of = opaque;
    bool known = false;
    for (unsigned i = 1; i < of->parts.count; i++)
        known |= strcmp(of->names[i], name) == 0;
    if (known || of->parts.count == PAGE_PARTS_MAX)
        return;
    char key[PAGE_LABEL + 8], label[PAGE_LABEL];
    snprintf(of->names[of->parts.count], PAGE_LABEL, "%s", name);
    snprintf(key, sizeof key, "stall.%.80s", name);
    report_label(key, label, sizeof label);
    page_parts_add(&of->parts, label, name);
}

static struct service_parts *service_parts(const struct page *page)
{
    struct service_parts *of = checked_memory(calloc(1, sizeof *of));
    page_parts_add(&of->parts, "execution", "execute");
    for (unsigned run = 0; run < page->runs->count; run++)
        results_visit_service_stalls(page->runs->columns[run], add_stall, of);
    return of;
}

static void draw_services(const struct page *page, const struct who_list *list)
{
    struct service_parts *of = service_parts(page);
    struct chart_bars *bars = page_bars_create("Time of the kernel by service, execution and stalls",
                                               "seconds of CPU time, all CPUs", &of->parts);
    unsigned rows = 0;
    for (size_t i = 0; i < list->count && rows < CHART_ROWS; i++) {
        if (!service_is_of_kernel(list->row[i].name))
            continue;
        for (unsigned run = 0; run < page->runs->count; run++, rows++) {
            const char *path = list->row[i].path;
            char label[PAGE_LABEL + RESULTS_TITLE_SIZE];
            snprintf(label, sizeof label, "%.60s%s%.60s", list->row[i].name, page->runs->count > 1 ? ", " : "",
                     page->runs->count > 1 ? page->runs->columns[run]->title : "");
            chart_bars_add(bars, label);
            page_bars_set(bars, page, 0,
                          "%u:/annotations/%s/cycles -%u:/annotations/%s/wait -%u:/annotations/%s/stall/* |%" PRIu64,
                          run, path, run, path, run, path, hz_of(page, run));
            for (unsigned part = 1; part < of->parts.count; part++)
                page_bars_set(bars, page, part, "%u:/annotations/%s/stall/%s |%" PRIu64, run, path,
                              EXPRESSION_ESCAPED(of->names[part]), hz_of(page, run));
        }
    }
    page_bars_draw(bars, page);
    free(of);
}

static void put_service(const struct page *page, const struct who *who)
{
    const char *p = who->path;
    char account[sizeof who->path + 16];
    snprintf(account, sizeof account, "annotations/%s", p);
    const char *const accounts[] = {account, NULL};
    fputs("<tr>", page->out);
    page_cell_text(page, who->name);
    for (unsigned r = 0; r < page->runs->count; r++) {
        page_cell(page, PAGE_SECONDS, "%u:/annotations/%s/cycles |%" PRIu64, r, p, hz_of(page, r));
        page_cell(page, PAGE_PERCENT, "%u:/annotations/%s/cycles |%u:/cpu*/mode/*/cycles", r, p, r);
        page_cell_formula(page, FORMULA_CPI, r, accounts);
        if (page->runs->count > 1)
            continue;
        page_cell(page, PAGE_COUNT, "%u:/annotations/%s/calls", r, p);
        page_cell(page, PAGE_COUNT, "%u:/annotations/%s/insns", r, p);
        page_cell_formula(page, FORMULA_MCPI, r, accounts);
    }
    fputs("</tr>\n", page->out);
}

static void add_service(void *opaque, const char *name)
{
    add_name(opaque, name, "services/");
}

void page_put_services(const struct page *page)
{
    const char *const columns[] = {"time, s", "share of all cycles", measure_formula(FORMULA_CPI)->heading,
                                   "calls",   "instructions",        measure_formula(FORMULA_MCPI)->heading};
    bool has[RESULT_FILES_MAX] = {false};
    struct who_list list = {0};
    page_begin_section(page, "services", "By service of the operating system");
    for (unsigned run = 0; run < page->runs->count; run++) {
        results_visit_names(page->runs->columns[run], "annotations.services", add_service, &list);
        has[run] = results_has(page->runs->columns[run], "annotations.services");
    }
    if (page_say_missing(page, has, "services", "--script services") > 0) {
        sort_list(page, &list, "cycles", NULL);
        draw_services(page, &list);
        begin_table(page, "service", columns, page->runs->count > 1 ? 3 : sizeof columns / sizeof columns[0],
                    "services");
        for (size_t i = 0; i < list.count; i++)
            put_service(page, &list.row[i]);
        page_end_table(page);
    }
    release_list(&list);
    page_end_section(page);
}

/* Processes */

static void draw_processes(const struct page *page, const struct who_list *list)
{
    struct page_parts parts = {0};
    page_parts_add(&parts, "user", "user");
    page_parts_add(&parts, "kernel", "kernel");
    struct chart_bars *bars =
        page_bars_create("Time by process, all of a name together", "seconds of CPU time, all CPUs", &parts);
    unsigned rows = 0;
    for (size_t i = 0; i < list->count && rows < CHART_ROWS; i++)
        for (unsigned run = 0; run < page->runs->count; run++, rows++) {
            char label[PAGE_LABEL + RESULTS_TITLE_SIZE];
            snprintf(label, sizeof label, "%.60s%s%.60s", list->row[i].name, page->runs->count > 1 ? ", " : "",
                     page->runs->count > 1 ? page->runs->columns[run]->title : "");
            chart_bars_add(bars, label);
            for (unsigned part = 0; part < 2; part++)
                page_bars_set(bars, page, part, "%u:/annotations/%s/%s/cycles |%" PRIu64, run, list->row[i].path,
                              parts.part[part].label, hz_of(page, run));
        }
    page_bars_draw(bars, page);
}

static void put_process(const struct page *page, const struct who *who)
{
    const char *p = who->path;
    char user[sizeof who->path + 24], kernel[sizeof who->path + 24];
    snprintf(user, sizeof user, "annotations/%s/user", p);
    snprintf(kernel, sizeof kernel, "annotations/%s/kernel", p);
    const char *const accounts[] = {user, kernel, NULL};
    fputs("<tr>", page->out);
    page_cell_text(page, who->name);
    for (unsigned r = 0; r < page->runs->count; r++) {
        page_cell(page, PAGE_SECONDS, "%u:/annotations/%s/user/cycles |%" PRIu64, r, p, hz_of(page, r));
        page_cell(page, PAGE_SECONDS, "%u:/annotations/%s/kernel/cycles |%" PRIu64, r, p, hz_of(page, r));
        page_cell(page, PAGE_PERCENT,
                  "%u:/annotations/%s/user/cycles %u:/annotations/%s/kernel/cycles |%u:/cpu*/mode/*/cycles", r, p, r, p,
                  r);
        if (page->runs->count > 1)
            continue;
        page_cell(page, PAGE_COUNT, "%u:/annotations/%s/user/insns %u:/annotations/%s/kernel/insns", r, p, r, p);
        page_cell_formula(page, FORMULA_CPI, r, accounts);
    }
    fputs("</tr>\n", page->out);
}

void page_put_processes(const struct page *page)
{
    const char *const columns[] = {"user, s", "kernel, s", "share of all cycles", "instructions",
                                   measure_formula(FORMULA_CPI)->heading};
    bool has[RESULT_FILES_MAX] = {false};
    struct who_list list = {0};
    page_begin_section(page, "processes", "By process");
    for (unsigned run = 0; run < page->runs->count; run++)
        for (size_t i = 0; i < results_process_count(page->runs->columns[run]); i++) {
            const char *name = results_process_name(page->runs->columns[run], i);
            if (name)
                add_name(&list, name, "processes?name=");
            has[run] |= name != NULL;
        }
    if (page_say_missing(page, has, "processes", "--script services") > 0) {
        sort_list(page, &list, "user/cycles", "kernel/cycles");
        draw_processes(page, &list);
        begin_table(page, "processes of this name", columns,
                    page->runs->count > 1 ? 3 : sizeof columns / sizeof columns[0], "processes");
        for (size_t i = 0; i < list.count; i++)
            put_process(page, &list.row[i]);
        page_end_table(page);
    }
    release_list(&list);
    page_end_section(page);
}
