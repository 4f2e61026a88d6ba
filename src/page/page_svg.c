#include "src/page/page_svg.h"

#include "src/measure/measures.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* In pixels of the chart, which shrinks with the page. */
enum { WIDTH = 660, LABELS = 190, ROW = 24, BAR = 17, AXIS = 42, RIGHT = 18, HEIGHT = 240, LEFT = 58, TOP = 10 };
enum { LABEL_CHARACTERS = 27, TICKS = 6 };

struct bar {
    char label[PAGE_LABEL];
    double value[PAGE_PARTS_MAX];
    char *expression[PAGE_PARTS_MAX]; /* owned; NULL: no such part */
};

struct page_bars {
    const char *title, *axis;
    const struct page_parts *parts;
    unsigned count;
    struct bar *bar;
};

const char *page_colour(const char *word)
{
    static const char *const colours[][2] = {
        {"user", "#3b6ea5"},           {"user stalled", "#9ad0ec"}, {"kernel", "#c8423b"},
        {"kernel stalled", "#f2c14e"}, {"sync", "#7b2d4f"},         {"idle", "#dcdcdc"},
    };
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (strcmp(colours[i][0], word) == 0)
            return colours[i][1];
    const struct measure_cause *cause = measure_cause_named(word);
    const struct measure_class *class = measure_class_named(word);
    const char *own = cause ? cause->colour : class ? class->colour : NULL;
    return own ? own : "#6b7785";
}

void page_parts_add(struct page_parts *parts, const char *label, const char *colour)
{
    if (parts->count == PAGE_PARTS_MAX)
        return;
    struct page_part *part = &parts->part[parts->count++];
    snprintf(part->label, sizeof part->label, "%s", label);
    part->colour = page_colour(colour);
}

/* Axes */

/* The distance of ticks for values up to MOST: 1, 2 or 5 times a power of ten. */
static double tick_step(double most)
{
    const double power = pow(10, floor(log10(most / TICKS)));
    for (unsigned i = 0; i < 3; i++) {
        static const double steps[] = {1, 2, 5};
        if (most / (steps[i] * power) <= TICKS)
            return steps[i] * power;
    }
    return 10 * power;
}

static void begin_figure(const struct page *page, const char *title)
{
    fputs("<figure><figcaption>", page->out);
    page_text(page->out, title);
    fputs("</figcaption>", page->out);
}

static void put_key(const struct page *page, const struct page_part *part)
{
    fprintf(page->out, "<span><i style=\"background:%s\"></i>", part->colour);
    page_text(page->out, part->label);
    fputs("</span>", page->out);
}

static void begin_svg(const struct page *page, unsigned height, const char *label)
{
    fprintf(page->out, "<svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"", WIDTH, height);
    page_text(page->out, label);
    fputs("\">\n", page->out);
}

/* Bars */

struct page_bars *page_bars_create(const char *title, const char *axis, const struct page_parts *parts)
{
    struct page_bars *bars = checked_memory(calloc(1, sizeof *bars));
    *bars = (struct page_bars){.title = title, .axis = axis, .parts = parts};
    return bars;
}

void page_bars_add(struct page_bars *bars, const char *label)
{
    bars->bar = checked_memory(realloc(bars->bar, (bars->count + 1) * sizeof *bars->bar));
    struct bar *bar = &bars->bar[bars->count++];
    *bar = (struct bar){.label = ""};
    snprintf(bar->label, sizeof bar->label, "%s", label);
}

static void set_part(struct page_bars *bars, unsigned part, double value, const char *expression)
{
    struct bar *bar = &bars->bar[bars->count - 1];
    if (part >= bars->parts->count || bar->expression[part])
        return;
    bar->value[part] = value > 0 ? value : 0;
    bar->expression[part] = checked_memory(strdup(expression));
}

void page_bars_set(struct page_bars *bars, const struct page *page, unsigned part, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    set_part(bars, part, expression_value_of(page->values, text).number, text);
}

void page_bars_set_value(struct page_bars *bars, unsigned part, double value, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    set_part(bars, part, value, text);
}

static double length_of(const struct bar *bar)
{
    double sum = 0;
    for (unsigned part = 0; part < PAGE_PARTS_MAX; part++)
        sum += bar->value[part];
    return sum;
}

static double part_sum(const struct page_bars *bars, unsigned part)
{
    double sum = 0;
    for (unsigned i = 0; i < bars->count; i++)
        sum += bars->bar[i].value[part];
    return sum;
}

/* TEXT at X, Y, shortened; the whole text is its tooltip. */
static void put_label(const struct page *page, double x, double y, const char *text)
{
    char shown[PAGE_LABEL];
    size_t used = 0;
    unsigned characters = 0;
    for (; text[used] && characters <= LABEL_CHARACTERS; used++)
        characters += ((unsigned char)text[used] & 0xc0) != 0x80;
    const bool whole = !text[used] && characters <= LABEL_CHARACTERS;
    snprintf(shown, sizeof shown, "%.*s%s", (int)(whole ? used : used ? used - 1 : 0), text, whole ? "" : "…");
    fprintf(page->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x, y);
    page_text(page->out, shown);
    fputs("<title>", page->out);
    page_text(page->out, text);
    fputs("</title></text>", page->out);
}

static void draw_bar(const struct page_bars *bars, const struct page *page, const struct bar *bar, unsigned y,
                     double scale)
{
    double x = LABELS;
    put_label(page, LABELS - 8, y + 13, bar->label);
    for (unsigned part = 0; part < bars->parts->count; part++) {
        const double width = bar->value[part] * scale;
        if (!bar->expression[part] || width <= 0)
            continue;
        fprintf(page->out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\" data-j=\"%s\"><title>",
                x, y, width, BAR, bars->parts->part[part].colour, bar->expression[part]);
        page_text(page->out, bar->label);
        fputs(", ", page->out);
        page_text(page->out, bars->parts->part[part].label);
        fprintf(page->out, ": %.9g</title></rect>", bar->value[part]);
        x += width;
    }
    fputc('\n', page->out);
}

static void draw_bar_axis(const struct page_bars *bars, const struct page *page, double most, double scale)
{
    const double bottom = bars->count * ROW + 4, step = tick_step(most);
    fputs("<g class=\"axis\">", page->out);
    for (unsigned i = 0; i * step <= most * 1.0001; i++)
        fprintf(page->out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%.0f\"/><text x=\"%.1f\" y=\"%.0f\" "
                "text-anchor=\"middle\">%g</text>",
                LABELS + i * step * scale, LABELS + i * step * scale, bottom, LABELS + i * step * scale, bottom + 14,
                i * step);
    fprintf(page->out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\" class=\"unit\">%s</text></g>\n",
            (LABELS + WIDTH) / 2, bottom + 31, bars->axis);
}

static void free_bars(struct page_bars *bars)
{
    for (unsigned i = 0; i < bars->count; i++)
        for (unsigned part = 0; part < PAGE_PARTS_MAX; part++)
            free(bars->bar[i].expression[part]);
    free(bars->bar);
    free(bars);
}

void page_bars_draw(struct page_bars *bars, const struct page *page)
{
    double most = 0;
    for (unsigned i = 0; i < bars->count; i++)
        most = fmax(most, length_of(&bars->bar[i]));
    if (most > 0 && isfinite(most)) {
        const double scale = (WIDTH - LABELS - RIGHT) / most;
        begin_figure(page, bars->title);
        fputs("<div class=\"key\">", page->out);
        for (unsigned part = 0; bars->parts->count > 1 && part < bars->parts->count; part++)
            if (part_sum(bars, part) > 0)
                put_key(page, &bars->parts->part[part]);
        fputs("</div>", page->out);
        begin_svg(page, bars->count * ROW + AXIS, bars->title);
        draw_bar_axis(bars, page, most, scale);
        for (unsigned i = 0; i < bars->count; i++)
            draw_bar(bars, page, &bars->bar[i], i * ROW + 2, scale);
        fputs("</svg></figure>\n", page->out);
    }
    free_bars(bars);
}

/* The frame of a chart with two axes */

struct frame {
    double x_from, x_to, y_to; /* values at the left, the right, and the top; 0 at the bottom */
};

static double x_of(const struct frame *frame, double value)
{
    const double width = frame->x_to - frame->x_from;
    return LEFT + (width > 0 ? (value - frame->x_from) / width : 0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct frame *frame, double value)
{
    return TOP + (1 - value / frame->y_to) * HEIGHT;
}

static void draw_y_axis(const struct page *page, const struct frame *frame, const char *unit)
{
    const double step = tick_step(frame->y_to);
    for (unsigned i = 0; i * step <= frame->y_to * 1.0001; i++)
        fprintf(page->out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>",
                LEFT, WIDTH - RIGHT, y_of(frame, i * step), y_of(frame, i * step), LEFT - 6, y_of(frame, i * step) + 4,
                i * step);
    fprintf(page->out, "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\" class=\"unit\">",
            TOP + HEIGHT / 2, TOP + HEIGHT / 2);
    page_text(page->out, unit);
    fputs("</text>", page->out);
}

static void put_x_title(const struct page *page, const char *title)
{
    fprintf(page->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"unit\">", (LEFT + WIDTH) / 2,
            TOP + HEIGHT + 34);
    page_text(page->out, title);
    fputs("</text>", page->out);
}

static void put_x_tick(const struct page *page, double x, const char *text)
{
    fprintf(page->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, TOP + HEIGHT + 16);
    page_text(page->out, text);
    fputs("</text>", page->out);
}

/* Shares over time */

/* The area between the shares of the parts before PART and those up to it. */
static void draw_area(const struct page *page, const struct page_shares *shares, const struct frame *frame,
                      unsigned part)
{
    const unsigned parts = shares->parts->count;
    fprintf(page->out, "<path fill=\"%s\" d=\"M", shares->parts->part[part].colour);
    for (unsigned side = 0; side < 2; side++)
        for (size_t at = 0; at < shares->count; at++) {
            const size_t i = side ? shares->count - 1 - at : at;
            const double from = i ? shares->end[i - 1] : shares->begin;
            double sum = 0;
            for (unsigned p = 0; p < part + 1 - side; p++)
                sum += shares->share[i * parts + p];
            const double y = y_of(frame, 100 * fmin(sum, 1));
            fprintf(page->out, "%.1f %.1f %.1f %.1f ", x_of(frame, side ? shares->end[i] : from), y,
                    x_of(frame, side ? from : shares->end[i]), y);
        }
    fputs("Z\"><title>", page->out);
    page_text(page->out, shares->parts->part[part].label);
    fputs("</title></path>\n", page->out);
}

void page_shares_draw(const struct page *page, const struct page_shares *shares)
{
    if (shares->count == 0 || !(shares->end[shares->count - 1] > shares->begin))
        return;
    const struct frame frame = {.x_from = shares->begin, .x_to = shares->end[shares->count - 1], .y_to = 100};
    const double step = tick_step(frame.x_to - frame.x_from);
    begin_figure(page, shares->title);
    fputs("<div class=\"key\">", page->out);
    for (unsigned part = 0; part < shares->parts->count; part++)
        put_key(page, &shares->parts->part[part]);
    fputs("</div>", page->out);
    begin_svg(page, TOP + HEIGHT + 40, shares->title);
    for (unsigned part = 0; part < shares->parts->count; part++)
        draw_area(page, shares, &frame, part);
    fputs("<g class=\"axis\">", page->out);
    draw_y_axis(page, &frame, "% of the time of all CPUs");
    for (double tick = ceil(frame.x_from / step) * step; tick <= frame.x_to; tick += step) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", fabs(tick) < step / 2 ? 0 : tick);
        put_x_tick(page, x_of(&frame, tick), text);
    }
    put_x_title(page, "simulated seconds");
    fputs("</g></svg></figure>\n", page->out);
}

/* Curves */

static void draw_line(const struct page *page, const struct page_curves *curves, const struct frame *frame,
                      unsigned line)
{
    const double *y = curves->y + (size_t)line * curves->count;
    const char *command = "M";
    fprintf(page->out, "<path class=\"line\" stroke=\"%s\" d=\"", curves->colour[line]);
    for (unsigned i = 0; i < curves->count; i++)
        if (!isnan(y[i])) {
            fprintf(page->out, "%s%.1f %.1f", command, x_of(frame, i), y_of(frame, y[i]));
            command = "L";
        }
    fputs("\"/>", page->out);
    for (unsigned i = 0; i < curves->count; i++)
        if (!isnan(y[i])) {
            fprintf(page->out, "<circle r=\"3.5\" cx=\"%.1f\" cy=\"%.1f\" fill=\"%s\" data-j=\"%s\"><title>",
                    x_of(frame, i), y_of(frame, y[i]), curves->colour[line],
                    curves->expression[(size_t)line * curves->count + i]);
            page_text(page->out, curves->label[line]);
            fputs(", ", page->out);
            page_text(page->out, curves->x[i]);
            fprintf(page->out, ": %.6g</title></circle>", y[i]);
        }
    fputc('\n', page->out);
}

void page_curves_draw(const struct page *page, const struct page_curves *curves)
{
    double most = 0;
    for (unsigned i = 0; i < curves->lines * curves->count; i++)
        if (!isnan(curves->y[i]))
            most = fmax(most, curves->y[i]);
    if (!(most > 0) || !isfinite(most) || curves->count < 2)
        return;
    const struct frame frame = {.x_from = -0.3, .x_to = curves->count - 0.7, .y_to = most * 1.05};
    begin_figure(page, curves->title);
    fputs("<div class=\"key\">", page->out);
    for (unsigned line = 0; line < curves->lines; line++) {
        struct page_part part = {.colour = curves->colour[line]};
        snprintf(part.label, sizeof part.label, "%s", curves->label[line]);
        put_key(page, &part);
    }
    fputs("</div>", page->out);
    begin_svg(page, TOP + HEIGHT + 40, curves->title);
    fputs("<g class=\"axis\">", page->out);
    draw_y_axis(page, &frame, curves->y_axis);
    for (unsigned i = 0; i < curves->count; i++)
        put_x_tick(page, x_of(&frame, i), curves->x[i]);
    put_x_title(page, curves->x_axis);
    fputs("</g>\n", page->out);
    for (unsigned line = 0; line < curves->lines; line++)
        draw_line(page, curves, &frame, line);
    fputs("</svg></figure>\n", page->out);
}
