/* Where the time went: by service and by process, for runs with annotations. */
#include "src/page/page_sections.h"

#include "src/page/page_svg.h"
#include "src/report/name_index.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHART_ROWS = 14 };

/* A service, or the processes of one name, in all runs; and where its figures are in a file, below "annotations/". */
struct who {
    const char *name;
    char path[PAGE_NAME + 24];
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

static const json_t *annotations_of(const struct page *page, unsigned run)
{
    return json_object_get(page->runs->columns[run]->root, "annotations");
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
    list->row = checked_memory(realloc(list->row, (list->count + 1) * sizeof *list->row));
    struct who *who = &list->row[list->count++];
    *who = (struct who){.name = name};
    snprintf(who->path, sizeof who->path, "%s%s", path, PAGE_ESCAPED(name));
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
            char text[PAGE_EXPRESSION];
            const char *path = list->row[i].path;
            int used =
                snprintf(text, sizeof text, "%u:/annotations/%s/%s |%" PRIu64, run, path, first, hz_of(page, run));
            if (second && used > 0 && (size_t)used < sizeof text)
                snprintf(text + used, sizeof text - (size_t)used, " %u:/annotations/%s/%s", run, path, second);
            const double seconds = page_value_of(page->values, text).number;
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
static struct page_parts *service_parts(const struct page *page, char names[PAGE_PARTS_MAX][PAGE_LABEL])
{
    struct page_parts *parts = checked_memory(calloc(1, sizeof *parts));
    const char *name, *kind;
    json_t *service, *stall;
    page_parts_add(parts, "execution", "execute");
    for (unsigned run = 0; run < page->runs->count; run++)
        json_object_foreach(page->runs->columns[run]->services, name, service)
        {
            json_object_foreach(json_object_get(service, "stall"), kind, stall)
            {
                bool known = false;
                for (unsigned i = 1; i < parts->count; i++)
                    known |= strcmp(names[i], kind) == 0;
                if (known || parts->count == PAGE_PARTS_MAX)
                    continue;
                char key[PAGE_LABEL + 8], label[PAGE_LABEL];
                snprintf(names[parts->count], PAGE_LABEL, "%s", kind);
                snprintf(key, sizeof key, "stall.%.80s", kind);
                report_label(key, label, sizeof label);
                page_parts_add(parts, label, kind);
            }
        }
    return parts;
}

static void draw_services(const struct page *page, const struct who_list *list)
{
    char names[PAGE_PARTS_MAX][PAGE_LABEL];
    struct page_parts *parts = service_parts(page, names);
    struct page_bars *bars =
        page_bars_create("Time of the kernel by service, execution and stalls", "seconds of CPU time, all CPUs", parts);
    unsigned rows = 0;
    for (size_t i = 0; i < list->count && rows < CHART_ROWS; i++) {
        if (strcmp(list->row[i].name, "IDLE") == 0 || strcmp(list->row[i].name, "USER") == 0)
            continue;
        for (unsigned run = 0; run < page->runs->count; run++, rows++) {
            const char *path = list->row[i].path;
            char label[PAGE_LABEL + REPORT_TITLE_SIZE];
            snprintf(label, sizeof label, "%.60s%s%.60s", list->row[i].name, page->runs->count > 1 ? ", " : "",
                     page->runs->count > 1 ? page->runs->columns[run]->title : "");
            page_bars_add(bars, label);
            page_bars_set(bars, page, 0,
                          "%u:/annotations/%s/cycles -%u:/annotations/%s/wait -%u:/annotations/%s/stall/* |%" PRIu64,
                          run, path, run, path, run, path, hz_of(page, run));
            for (unsigned part = 1; part < parts->count; part++)
                page_bars_set(bars, page, part, "%u:/annotations/%s/stall/%s |%" PRIu64, run, path,
                              PAGE_ESCAPED(names[part]), hz_of(page, run));
        }
    }
    page_bars_draw(bars, page);
    free(parts);
}

static void put_service(const struct page *page, const struct who *who)
{
    const char *p = who->path;
    fputs("<tr>", page->out);
    page_cell_text(page, who->name);
    for (unsigned r = 0; r < page->runs->count; r++) {
        page_cell(page, PAGE_SECONDS, "%u:/annotations/%s/cycles |%" PRIu64, r, p, hz_of(page, r));
        page_cell(page, PAGE_PERCENT, "%u:/annotations/%s/cycles |%u:/cpu*/mode/*/cycles", r, p, r);
        page_cell(page, PAGE_RATIO, "%u:/annotations/%s/cycles -%u:/annotations/%s/wait |%u:/annotations/%s/insns", r,
                  p, r, p, r, p);
        if (page->runs->count > 1)
            continue;
        page_cell(page, PAGE_COUNT, "%u:/annotations/%s/calls", r, p);
        page_cell(page, PAGE_COUNT, "%u:/annotations/%s/insns", r, p);
        page_cell(page, PAGE_RATIO, "%u:/annotations/%s/stall/* |%u:/annotations/%s/insns", r, p, r, p);
    }
    fputs("</tr>\n", page->out);
}

void page_put_services(const struct page *page)
{
    static const char *const columns[] = {"time, s", "share of all cycles", "CPI", "calls", "instructions", "MCPI"};
    bool has[REPORT_COLUMNS_MAX] = {false};
    struct who_list list = {0};
    const char *name;
    json_t *service;
    page_begin_section(page, "services", "By service of the operating system");
    for (unsigned run = 0; run < page->runs->count; run++) {
        json_object_foreach(page->runs->columns[run]->services, name, service) add_name(&list, name, "services/");
        has[run] = json_object_size(page->runs->columns[run]->services) > 0;
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
    struct page_bars *bars =
        page_bars_create("Time by process, all of a name together", "seconds of CPU time, all CPUs", &parts);
    unsigned rows = 0;
    for (size_t i = 0; i < list->count && rows < CHART_ROWS; i++)
        for (unsigned run = 0; run < page->runs->count; run++, rows++) {
            char label[PAGE_LABEL + REPORT_TITLE_SIZE];
            snprintf(label, sizeof label, "%.60s%s%.60s", list->row[i].name, page->runs->count > 1 ? ", " : "",
                     page->runs->count > 1 ? page->runs->columns[run]->title : "");
            page_bars_add(bars, label);
            for (unsigned part = 0; part < 2; part++)
                page_bars_set(bars, page, part, "%u:/annotations/%s/%s/cycles |%" PRIu64, run, list->row[i].path,
                              parts.part[part].label, hz_of(page, run));
        }
    page_bars_draw(bars, page);
}

static void put_process(const struct page *page, const struct who *who)
{
    const char *p = who->path;
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
        page_cell(page, PAGE_RATIO,
                  "%u:/annotations/%s/user/cycles %u:/annotations/%s/kernel/cycles -%u:/annotations/%s/user/wait "
                  "-%u:/annotations/%s/kernel/wait |%u:/annotations/%s/user/insns |%u:/annotations/%s/kernel/insns",
                  r, p, r, p, r, p, r, p, r, p, r, p);
    }
    fputs("</tr>\n", page->out);
}

void page_put_processes(const struct page *page)
{
    static const char *const columns[] = {"user, s", "kernel, s", "share of all cycles", "instructions", "CPI"};
    bool has[REPORT_COLUMNS_MAX] = {false};
    struct who_list list = {0};
    json_t *process;
    size_t i;
    page_begin_section(page, "processes", "By process");
    for (unsigned run = 0; run < page->runs->count; run++)
        json_array_foreach(json_object_get(annotations_of(page, run), "processes"), i, process)
        {
            const char *name = json_string_value(json_object_get(process, "name"));
            if (name)
                add_name(&list, name, "processes?name=");
            has[run] |= name != NULL;
        }
    if (page_say_missing(page, has, "processes", "--script services") > 0) {
        sort_list(page, &list, "user/cycles", "kernel/cycles");
        draw_processes(page, &list);
        begin_table(page, "processes of this name", columns,
                    page->runs->count > 1 ? 3 : sizeof columns / sizeof columns[0], "processes");
        for (i = 0; i < list.count; i++)
            put_process(page, &list.row[i]);
        page_end_table(page);
    }
    release_list(&list);
    page_end_section(page);
}
