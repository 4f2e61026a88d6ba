/* Misses by routine, data structure and class, for runs with `--script misses`. */
#include "src/page/page_sections.h"

#include "src/base/sums.h"
#include "src/page/page_svg.h"
#include "src/results/annotations.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 1000, CHART_ROWS = 12, CLASSES = 16 };

/* The texts of a row that the page shows, and the columns of the file that have them. */
enum text { ROUTINE, DATA, CACHE, CLASS, TEXTS };
static const enum miss_column column_of[TEXTS] = {
    [ROUTINE] = MISS_ROW_ROUTINE, [DATA] = MISS_ROW_DATA, [CACHE] = MISS_ROW_CACHE, [CLASS] = MISS_ROW_CLASS};

/* Rows of a file with the same texts, added. */
struct group {
    const char *text[TEXTS];
    int64_t misses, stall;
};

struct misses {
    unsigned run;
    struct miss_rows rows;
    size_t count;
    int64_t stall;
    struct group *group; /* most stall first */
};

static int by_texts(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = 0;
    for (unsigned i = 0; i < TEXTS && order == 0; i++)
        order = strcmp(x->text[i], y->text[i]);
    return order;
}

static int by_stall(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->stall != y->stall)
        return x->stall < y->stall ? 1 : -1;
    if (x->misses != y->misses)
        return x->misses < y->misses ? 1 : -1;
    return by_texts(a, b);
}

/* Add GROUPs with the same texts, which are adjacent. */
static size_t add_up(struct group *group, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept && by_texts(&group[kept - 1], &group[i]) == 0) {
            group[kept - 1].misses += group[i].misses;
            group[kept - 1].stall += group[i].stall;
        } else
            group[kept++] = group[i];
    return kept;
}

static void release(struct misses *misses)
{
    free(misses->rows.row);
    free(misses->group);
}

/* Read the misses of a run. False if it has none; release(misses) in both cases. */
static bool read_misses(struct misses *misses, const struct page *page, unsigned run)
{
    *misses = (struct misses){.run = run};
    if (!miss_rows_read(page->runs->columns[run], &misses->rows) || misses->rows.count == 0)
        return false;
    misses->group = checked_memory(calloc(misses->rows.count, sizeof *misses->group));
    for (size_t i = 0; i < misses->rows.count; i++) {
        const struct miss_row *row = &misses->rows.row[i];
        struct group *group = &misses->group[i];
        for (unsigned text = 0; text < TEXTS; text++)
            group->text[text] = row->text[column_of[text]];
        group->misses = (int64_t)row->misses;
        group->stall = (int64_t)row->stall;
        sum_add_signed(&misses->stall, group->stall);
    }
    qsort(misses->group, misses->rows.count, sizeof *misses->group, by_texts);
    misses->count = add_up(misses->group, misses->rows.count);
    qsort(misses->group, misses->count, sizeof *misses->group, by_stall);
    return misses->count > 0;
}

/* The path of the rows with the texts of GROUP, of the columns in the set COLUMNS. */
static void put_filter(char *text, size_t size, const struct misses *misses, const struct group *group,
                       unsigned columns)
{
    size_t used = (size_t)snprintf(text, size, "%u:/annotations/misses/rows?", misses->run);
    const char *separator = "";
    for (unsigned i = 0; i < TEXTS && used < size; i++)
        if (columns >> i & 1) {
            used += (size_t)snprintf(text + used, size - used, "%s%zu=%s", separator, misses->rows.at[column_of[i]],
                                     EXPRESSION_ESCAPED(group->text[i]));
            separator = "&";
        }
}

/* Charts */

/* The stall of one routine or data structure by class. */
struct place {
    const char *name;
    int64_t stall, by_class[CLASSES];
};

static int by_place_stall(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->stall == y->stall ? strcmp(x->name, y->name) : x->stall < y->stall ? 1 : -1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

static unsigned class_number(struct page_parts *classes, const char *names[CLASSES], const char *name)
{
    for (unsigned i = 0; i < classes->count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (classes->count == CLASSES - 1)
        return CLASSES - 1;
    char label[PAGE_LABEL];
    snprintf(label, sizeof label, "%.90s", name);
    for (char *at = label; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    names[classes->count] = name;
    page_parts_add(classes, label, name);
    return classes->count - 1;
}

/* Draw the places of COLUMN with most stall. */
static void draw_places(const struct page *page, const struct misses *misses, enum text column, const char *title)
{
    struct page_parts classes = {0};
    const char *names[CLASSES];
    const uint64_t hz = page->runs->columns[misses->run]->clock_hz ? page->runs->columns[misses->run]->clock_hz : 1;
    struct place *places = checked_memory(calloc(misses->count, sizeof *places));
    size_t count = 0;
    for (size_t i = 0; i < misses->count; i++) {
        const struct group *group = &misses->group[i];
        places[i].name = group->text[column];
        places[i].stall = places[i].by_class[class_number(&classes, names, group->text[CLASS])] = group->stall;
    }
    qsort(places, misses->count, sizeof *places, by_name);
    for (size_t i = 0; i < misses->count; i++)
        if (count && strcmp(places[count - 1].name, places[i].name) == 0) {
            places[count - 1].stall += places[i].stall;
            for (unsigned c = 0; c < CLASSES; c++)
                places[count - 1].by_class[c] += places[i].by_class[c];
        } else
            places[count++] = places[i];
    qsort(places, count, sizeof *places, by_place_stall);
    struct chart_bars *bars = page_bars_create(title, "seconds of stall, all CPUs", &classes);
    for (size_t i = 0, rows = 0; i < count && rows < CHART_ROWS; i++) {
        if (!*places[i].name) /* fetches have no data structure */
            continue;
        rows++;
        chart_bars_add(bars, places[i].name);
        for (unsigned c = 0; c < classes.count; c++) {
            char path[EXPRESSION_SIZE];
            struct group group = {.text = {[CLASS] = names[c]}};
            group.text[column] = places[i].name;
            put_filter(path, sizeof path - 64, misses, &group, 1u << column | 1u << CLASS);
            page_bars_set_value(bars, c, (double)places[i].by_class[c] / (double)hz, "%s/%zu |%" PRIu64, path,
                                misses->rows.at[MISS_ROW_STALL], hz);
        }
    }
    page_bars_draw(bars, page);
    free(places);
}

/* The table */

static void put_count(const struct page *page, int64_t count, size_t column)
{
    const struct expression_value value = {.known = true, .whole = true, .count = count, .number = (double)count};
    page_cell_value(page, PAGE_COUNT, &value, "./%zu", column);
}

static void put_group(const struct page *page, const struct misses *misses, const struct group *group)
{
    char path[EXPRESSION_SIZE];
    put_filter(path, sizeof path, misses, group, (1u << TEXTS) - 1);
    fputs("<tr data-b=\"", page->out);
    page_text(page->out, path);
    fputs("\">", page->out);
    if (page->runs->count > 1) {
        fputs("<td class=\"t\">", page->out);
        page_put_run(page, misses->run);
        fputs("</td>", page->out);
    }
    for (unsigned i = 0; i < TEXTS; i++)
        page_cell_text(page, group->text[i]);
    put_count(page, group->misses, misses->rows.at[MISS_ROW_MISSES]);
    put_count(page, group->stall, misses->rows.at[MISS_ROW_STALL]);
    const struct expression_value share = {.known = misses->stall > 0,
                                           .number = misses->stall ? (double)group->stall / (double)misses->stall : 0};
    page_cell_value(page, PAGE_PERCENT, &share, "./%zu |%u:/annotations/misses/rows?/%zu",
                    misses->rows.at[MISS_ROW_STALL], misses->run, misses->rows.at[MISS_ROW_STALL]);
    fputs("</tr>\n", page->out);
}

static void put_note(const struct page *page, const struct misses *misses)
{
    int64_t shown = 0;
    for (size_t i = 0; i < misses->count && i < SHOWN; i++)
        shown += misses->group[i].stall;
    fputs("<p>", page->out);
    page_put_run(page, misses->run);
    fprintf(page->out,
            ": misses of the same routine, data structure, cache and class are added up over modes, services and "
            "processes, from %zu rows to %zu.",
            misses->rows.count, misses->count);
    if (misses->count > SHOWN)
        fprintf(page->out, " The table has the %d with most stall, %.2f&nbsp;%% of all stall cycles of misses.", SHOWN,
                misses->stall ? 100 * (double)shown / (double)misses->stall : 0);
    fputs("</p>\n", page->out);
}

void page_put_misses(const struct page *page)
{
    struct misses *misses = checked_memory(calloc(page->runs->count, sizeof *misses));
    bool has[RESULT_FILES_MAX] = {false};
    page_begin_section(page, "misses", "Misses by routine, data structure and class");
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = read_misses(&misses[run], page, run);
    if (page_say_missing(page, has, "misses by place", "--script misses --set cache.classify=full") > 0) {
        for (unsigned run = 0; run < page->runs->count; run++)
            if (has[run]) {
                put_note(page, &misses[run]);
                draw_places(page, &misses[run], ROUTINE, "Stall by routine and class of its misses");
                draw_places(page, &misses[run], DATA, "Stall by data structure and class of its misses");
            }
        page_begin_table(page,
                         page->runs->count > 1 ? "run|routine|data structure|cache|class|#misses|#stall, cycles|#share"
                                               : "routine|data structure|cache|class|#misses|#stall, cycles|#share",
                         true, "misses");
        for (unsigned run = 0; run < page->runs->count; run++)
            for (size_t i = 0; has[run] && i < misses[run].count && i < SHOWN; i++)
                put_group(page, &misses[run], &misses[run].group[i]);
        page_end_table(page);
    }
    for (unsigned run = 0; run < page->runs->count; run++)
        release(&misses[run]);
    free(misses);
    page_end_section(page);
}
