#include "src/page/page_svg.h"

#include "src/measure/measures.h"
#include <stdarg.h>

void page_parts_add(struct page_parts *parts, const char *label, const char *colour)
{
    if (parts->count == PAGE_PARTS_MAX)
        return;
    struct page_part *part = &parts->part[parts->count++];
    snprintf(part->label, sizeof part->label, "%s", label);
    part->colour = measure_colour(colour);
}

struct chart_bars *page_bars_create(const char *title, const char *axis, const struct page_parts *parts)
{
    struct chart_bars *bars = chart_bars_create(title, axis, CHART_LYING);
    for (unsigned i = 0; i < parts->count; i++)
        chart_bars_add_part(bars, parts->part[i].label, parts->part[i].colour);
    return bars;
}

void page_bars_set(struct chart_bars *bars, const struct page *page, unsigned part, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    chart_bars_set(bars, part, expression_value_of(page->values, text).number, text);
}

void page_bars_set_value(struct chart_bars *bars, unsigned part, double value, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    chart_bars_set(bars, part, value, text);
}

static void begin_figure(const struct page *page, const char *title)
{
    fputs("<figure><figcaption>", page->out);
    page_text(page->out, title);
    fputs("</figcaption>", page->out);
}

static void end_figure(const struct page *page)
{
    fputs("</figure>\n", page->out);
}

void page_bars_draw(struct chart_bars *bars, const struct page *page)
{
    if (!chart_bars_are_empty(bars)) {
        begin_figure(page, chart_bars_title(bars));
        chart_bars_draw(bars, CHART_PAGE, page->out);
        end_figure(page);
    }
    chart_bars_free(bars);
}

void page_shares_draw(const struct page *page, const struct chart_shares *shares)
{
    if (chart_shares_are_empty(shares))
        return;
    begin_figure(page, shares->title);
    chart_shares_draw(shares, CHART_PAGE, page->out);
    end_figure(page);
}

void page_curves_draw(const struct page *page, const struct chart_curves *curves)
{
    if (chart_curves_are_empty(curves))
        return;
    begin_figure(page, curves->title);
    chart_curves_draw(curves, CHART_PAGE, page->out);
    end_figure(page);
}
