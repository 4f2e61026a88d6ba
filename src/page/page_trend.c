#include "src/page/page_trend.h"

#include "src/base/save_file.h"
#include "src/page/page_head.h"
#include "src/page/page_svg.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 12, TEXT = 3 * TREND_NAME_MAX };

struct content {
    const struct trend *trend;
    const struct trend_view *view;
};

/* Is NAME that of a commit as git writes it in full? */
static bool is_digest(const char *name)
{
    const size_t length = strlen(name);
    return (length == 40 || length == 64) && strspn(name, "0123456789abcdef") == length;
}

/* The beginning of a commit's name, as it stands at an axis; the whole one is in the tip. To be freed. */
static char *short_name(const char *name)
{
    size_t bytes = 0;
    for (unsigned letters = 0; name[bytes] && letters < NAME_SHOWN; letters++)
        do
            bytes++;
        while (((unsigned char)name[bytes] & 0xc0) == 0x80);
    return checked_memory(strndup(name, bytes));
}

/* A cell with a commit's name, a digest without its last digits. */
static void put_commit(const struct page *page, const char *name)
{
    char *shown = is_digest(name) ? short_name(name) : checked_memory(strdup(name));
    page_cell_text(page, shown);
    free(shown);
}

/* By what values of up to MOST are divided at an axis; *UNIT: its word for that, and a blank. */
static double divisor_of(double most, const char **unit)
{
    static const struct {
        double divisor;
        const char *unit;
    } units[] = {{1e9, "billion "}, {1e6, "million "}, {1, ""}};
    unsigned i = 0;
    while (most < units[i].divisor && units[i].divisor > 1)
        i++;
    *unit = units[i].unit;
    return units[i].divisor;
}

static const char *commit_of(const struct content *content, const struct trend_point *point)
{
    return content->trend->commits[point->commit].name;
}

/* Has another simos measured POINT than the point that it is compared with? */
static bool has_other_simos(const struct content *content, const struct trend_series *series,
                            const struct trend_point *point)
{
    return strcmp(content->trend->commits[point->commit].simos,
                  content->trend->commits[series->points[point->since].commit].simos) != 0;
}

static char *tip_of(const struct content *content, const struct trend_point *point)
{
    char text[TEXT], change[TREND_TEXT];
    trend_put_change(point, change);
    int length = snprintf(text, sizeof text, "%s: %.9g %s", commit_of(content, point), point->value, point->row->unit);
    if (!isnan(point->half))
        length += snprintf(text + length, sizeof text - (size_t)length, " ± %.3g", point->half);
    if (point->kind != TREND_FIRST)
        length += snprintf(text + length, sizeof text - (size_t)length, ", %s", change);
    snprintf(text + length, sizeof text - (size_t)length, ", %s", point->row->verdict);
    return checked_memory(strdup(text));
}

static void put_chart(const struct content *content, const struct trend_series *series, FILE *out)
{
    struct chart_step *steps = checked_memory(calloc(series->count + 1u, sizeof *steps));
    char(*labels)[TREND_TEXT] = checked_memory(calloc(series->count + 1u, sizeof *labels));
    char title[TEXT], axis[TEXT];
    const char *unit;
    double most = 0;
    for (unsigned i = 0; i < series->count; i++)
        most = fmax(most, series->points[i].value);
    const double divisor = divisor_of(most, &unit);
    snprintf(axis, sizeof axis, "%s%s", unit, series->row->unit);
    snprintf(title, sizeof title, "%s on %s", series->row->row, series->row->machine);
    for (unsigned i = 0; i < series->count; i++) {
        const struct trend_point *point = &series->points[i];
        snprintf(labels[i], TREND_TEXT, isnan(point->change) ? "step" : "%+.1f %%", point->change);
        steps[i] = (struct chart_step){.name = short_name(commit_of(content, point)),
                                       .value = point->value / divisor,
                                       .half = point->half / divisor,
                                       .tip = tip_of(content, point),
                                       .label = point->kind == TREND_STEPS ? labels[i] : NULL,
                                       .is_less = point->change < 0,
                                       .is_new = point->kind == TREND_FIRST};
    }
    const struct chart_steps chart = {
        .title = title, .x_axis = "commit", .y_axis = axis, .count = series->count, .steps = steps};
    fputs("<figure><figcaption>", out);
    page_text(out, title);
    fputs("</figcaption>", out);
    chart_steps_draw(&chart, CHART_PAGE, out);
    fputs("</figure>\n", out);
    for (unsigned i = 0; i < series->count; i++) {
        free((char *)(uintptr_t)steps[i].name);
        free((char *)(uintptr_t)steps[i].tip);
    }
    free(labels);
    free(steps);
}

static void put_steps(const struct page *page, const struct content *content)
{
    unsigned count = 0;
    for (unsigned i = 0; i < content->view->count; i++)
        count += content->view->series[i].steps;
    page_begin_section(page, "steps", "Where the rows stepped");
    if (count == 0)
        fputs("<p>No row has left its limits since it was first measured.</p>\n", page->out);
    else
        page_begin_table(page, "commit|test|row|machine|change|since", true, NULL);
    for (unsigned i = 0; i < content->view->count && count > 0; i++) {
        const struct trend_series *series = &content->view->series[i];
        for (unsigned at = 0; at < series->count; at++) {
            const struct trend_point *point = &series->points[at];
            char change[TREND_TEXT + 32];
            if (point->kind != TREND_STEPS)
                continue;
            trend_put_change(point, change);
            if (has_other_simos(content, series, point))
                strcat(change, ", with another simos");
            fputs("<tr>", page->out);
            put_commit(page, commit_of(content, point));
            page_cell_text(page, series->row->file);
            page_cell_text(page, series->row->row);
            page_cell_text(page, series->row->machine);
            page_cell_text(page, change);
            put_commit(page, commit_of(content, &series->points[point->since]));
            fputs("</tr>\n", page->out);
        }
    }
    if (count > 0)
        page_end_table(page);
    page_end_section(page);
}

/* The series of one test file stand together: those of VIEW from FIRST on that are of the same file. */
static void put_file(const struct page *page, const struct content *content, unsigned first)
{
    const char *file = content->view->series[first].row->file;
    fprintf(page->out, "<section id=\"test%u\"><h2>", first);
    page_text(page->out, file);
    fputs("</h2>\n<div class=\"charts\">\n", page->out);
    for (unsigned i = first; i < content->view->count && strcmp(content->view->series[i].row->file, file) == 0; i++)
        put_chart(content, &content->view->series[i], page->out);
    fputs("</div>\n", page->out);
    page_end_section(page);
}

static void write_content(const struct content *content, FILE *out)
{
    const struct page page = {.out = out};
    const char *const title = content->trend->path;
    page_put_head(out, &title, 1, false);
    fputs("<body>\n<main>\n<h1>What the commits measured</h1>\n<p>", out);
    fprintf(
        out,
        "%u commits. A point is the mean of the repetitions, with its interval of 95&nbsp;%%. A dashed line is where a "
        "row left its limits: its change since the commit where it stepped last, or was first measured, lies beyond "
        "the limit with its whole interval; all of these together hold with 95&nbsp;%%. The line is broken where a "
        "row cannot be compared with what is before it, because it counts something else or on another machine."
        "</p>\n",
        content->trend->count);
    put_steps(&page, content);
    for (unsigned i = 0; i < content->view->count; i++)
        if (i == 0 || strcmp(content->view->series[i].row->file, content->view->series[i - 1].row->file) != 0)
            put_file(&page, content, i);
    fputs("</main>\n</body>\n</html>\n", out);
}

void page_trend_write(const struct trend *trend, const struct trend_view *view, FILE *out)
{
    write_content(&(struct content){trend, view}, out);
}

static void write_page(const void *content, FILE *out)
{
    write_content(content, out);
}

bool page_trend_save(const struct trend *trend, const struct trend_view *view, const char *path, struct err *err)
{
    const struct content content = {trend, view};
    return save_file("page", path, write_page, &content, err);
}
