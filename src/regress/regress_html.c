/* The report of tests as one page, with a strip of all layouts of each row. */
#include "src/page/page_head.h"
#include "src/page/page_html.h"
#include "src/regress/regress_lines.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The strip, in units of its drawing. */
enum { WIDTH = 620, HEIGHT = 64, EDGE = 12, AXIS = 34, POINT = 4, TICK = 12 };

struct scale {
    uint64_t least, most;
};

static void extend(struct scale *scale, uint64_t value)
{
    scale->least = value < scale->least ? value : scale->least;
    scale->most = value > scale->most ? value : scale->most;
}

static double place_of(const struct scale *scale, uint64_t value)
{
    const double range = (double)(scale->most - scale->least);
    return EDGE + (range > 0 ? (double)(value - scale->least) / range : 0.5) * (WIDTH - 2 * EDGE);
}

/* A line across the axis with LABEL above it, and the value if one points to it. */
static void put_mark(const struct scale *scale, uint64_t value, const char *label, const char *colour, FILE *out)
{
    const double x = place_of(scale, value);
    fprintf(out,
            "<g><title>%s: %" PRIu64 "</title><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" style=\"stroke:%s;"
            "stroke-width:2\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text></g>\n",
            label, value, x, x, AXIS - TICK, AXIS + TICK, colour, x, AXIS - TICK - 4,
            x < WIDTH / 4           ? "start"
            : x > WIDTH - WIDTH / 4 ? "end"
                                    : "middle",
            label);
}

static void put_strip(const struct regress_report *report, const struct regress_result *result, FILE *out)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    const uint64_t *values = regress_layout_values(report, result);
    struct scale scale = {parts->linked, parts->linked};
    extend(&scale, parts->held);
    for (unsigned i = 0; i < parts->layouts; i++)
        extend(&scale, values[i]);
    fprintf(out,
            "<figure><figcaption>All layouts of the new kernel</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n"
            "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" style=\"stroke:var(--grid)\"/>\n",
            WIDTH, HEIGHT, EDGE, WIDTH - EDGE, AXIS, AXIS);
    for (unsigned i = 0; i < parts->layouts; i++)
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%d\" r=\"%d\" style=\"fill:var(--focus);fill-opacity:.55\"><title>%" PRIu64
                "</title></circle>\n",
                place_of(&scale, values[i]), AXIS, POINT, values[i]);
    put_mark(&scale, parts->linked, "as linked", "var(--set)", out);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">%" PRIu64 "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%" PRIu64
            "</text>\n",
            EDGE, HEIGHT - 4, scale.least, WIDTH - EDGE, HEIGHT - 4, scale.most);
    fputs("</svg></figure>\n", out);
}

static void put_number(const struct page *page, double value)
{
    if (isnan(value))
        fputs("<td>–</td>", page->out);
    else
        fprintf(page->out, "<td>%.1f</td>", value);
}

static void put_row(const struct page *page, const struct regress_report *report, const struct regress_result *result)
{
    char text[REGRESS_LINE];
    fputs("<tr>", page->out);
    page_cell_text(page, regress_verdict_of(result));
    page_cell_text(page, regress_machine_of(report, result));
    page_cell_text(page, regress_row_of(report, result)->name);
    put_number(page, result->finding.old);
    put_number(page, result->finding.new);
    regress_put_change(&result->finding, text);
    page_cell_text(page, text);
    regress_put_limit(regress_row_of(report, result), &result->finding, text);
    page_cell_text(page, text);
    fprintf(page->out, "<td>%u</td></tr>\n", result->finding.repetitions);
}

/* What REPORT says below a row, of one that does not simply hold, or that has layouts. */
static void put_details(const struct page *page, const struct regress_report *report,
                        const struct regress_result *result)
{
    const bool has_layouts = result->finding.linked.is_known && result->finding.linked.layouts > 1;
    if (regress_rank_of(result) > REGRESS_RANK_UNLUCKY && !has_layouts)
        return;
    char summary[REGRESS_SUMMARY], *text;
    size_t size;
    FILE *lines = checked_memory(open_memstream(&text, &size));
    regress_put_summary(report, result, summary);
    regress_put_details(report, result, "", lines);
    fclose(checked_memory(lines));
    fputs("<h3>", page->out);
    page_text(page->out, summary);
    fputs("</h3>\n", page->out);
    if (has_layouts)
        put_strip(report, result, page->out);
    if (size > 0) {
        fputs("<pre class=\"wide\">", page->out);
        page_lines(page->out, text);
        fputs("</pre>\n", page->out);
    }
    free(text);
}

static void put_report(const struct page *page, const struct regress_report *report, unsigned number)
{
    fprintf(page->out, "<section id=\"test%u\"><h2>", number);
    page_text(page->out, report->run->file->path);
    fputs("</h2>\n", page->out);
    if (report->error) {
        fputs("<p>", page->out);
        page_text(page->out, report->error);
        fputs("</p>\n", page->out);
    } else {
        page_begin_table(page, "verdict|machine|row|#old|#new|change|limit|#repetitions", true, NULL);
        for (unsigned i = 0; i < report->count; i++)
            put_row(page, report, &report->results[i]);
        page_end_table(page);
        for (unsigned i = 0; i < report->count; i++)
            put_details(page, report, &report->results[i]);
    }
    page_end_section(page);
}

void regress_reports_html(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    const struct page page = {.out = out};
    const char **titles = checked_memory(calloc(reports->count + 1, sizeof *titles));
    for (unsigned i = 0; i < reports->count; i++)
        titles[i] = reports->reports[i]->run->file->path;
    page_put_head(out, titles, reports->count, false);
    fputs("<body>\n<main>\n<h1>Verdicts of simos</h1>\n", out);
    for (unsigned i = 0; i < reports->count; i++)
        put_report(&page, reports->reports[i], i + 1);
    fputs("</main>\n</body>\n</html>\n", out);
    free(titles);
}
