#include "src/chart/chart_sheet.h"

#include <math.h>
#include <string.h>

/* Colours of what is no mark; a page has variables of its own. */
struct theme {
    const char *text, *faint, *grid;
};

/* The rules that charts have in common, for text, ticks and rules. */
static void put_rules(FILE *out, const struct theme *theme)
{
    fprintf(out,
            ".chart text { fill: %s; unicode-bidi: isolate; }\n.chart .axis line { stroke: %s; stroke-width: 1; }\n"
            ".chart .axis text { fill: %s; }\n.chart .axis text.unit, .chart .axis text.label { fill: %s; }\n",
            theme->text, theme->grid, theme->faint, theme->text);
}

/* The colours of marks are chosen for white paper: the darkest need an edge, and lines more light. */
static const char on_dark[] = ".chart rect[fill], .chart path[fill], .chart circle[fill] { stroke: #90a0b0; "
                              "stroke-width: .6; }\n.chart .line { filter: brightness(1.7); }\n";

static void put_fonts(FILE *out)
{
    fprintf(out,
            ".chart { font: %dpx " CHART_FONTS "; }\n.chart .axis text { font-size: %dpx; }\n"
            ".chart .axis text.unit, .chart .axis text.label { font-size: %dpx; }\n"
            ".chart .title { font-size: %dpx; font-weight: 600; }\n.chart .group { font-weight: 600; }\n"
            ".chart .line { fill: none; stroke-width: 2; }\n",
            SHEET_TEXT, SHEET_TICK, SHEET_TEXT, SHEET_TITLE);
}

void chart_put_style(FILE *out)
{
    put_fonts(out);
    put_rules(out, &(struct theme){"var(--text)", "var(--faint)", "var(--grid)"});
    fprintf(out, "@media screen and (prefers-color-scheme: dark) {\n%s}\n", on_dark);
}

static void put_own_style(FILE *out)
{
    put_fonts(out);
    put_rules(out, &(struct theme){"#1c2530", "#56616e", "#d9dfe6"});
    fputs(".chart .paper { fill: #fff; }\n@media screen and (prefers-color-scheme: dark) {\n", out);
    put_rules(out, &(struct theme){"#dbe2ea", "#9aa7b5", "#36424f"});
    fprintf(out, "%s.chart rect.paper { fill: #1a2129; stroke: none; }\n}\n", on_dark);
}

/* The document */

enum { KEY_SQUARE = 10, KEY_GAP = 5, KEY_BETWEEN = 14, KEY_LINE = 18 };

static unsigned width_of(enum chart_place place)
{
    return place == CHART_FILE ? CHART_FILE_WIDTH : CHART_PAGE_WIDTH;
}

double sheet_left(enum chart_place place)
{
    return place == CHART_FILE ? SHEET_MARGIN : 0;
}

double sheet_right(enum chart_place place)
{
    return width_of(place) - (place == CHART_FILE ? SHEET_MARGIN : 1);
}

static double entry_width(const struct chart_part *part)
{
    return KEY_SQUARE + KEY_GAP + chart_text_width(part->label, SHEET_TEXT);
}

/* Where entry NUMBER of the key is behind one that is at *X, *Y; entries go on in the next line if need be. */
static void place_entry(const struct sheet *sheet, const struct chart_part *part, double *x, double *y)
{
    if (*x > sheet->left && *x + entry_width(part) > sheet->right) {
        *x = sheet->left;
        *y += KEY_LINE;
    }
}

/* Draw the key from TOP on, or only find how high it is. Returns its foot. */
static double put_key(struct sheet *sheet, const struct chart_part *key, unsigned count, double top, bool draw)
{
    double x = sheet->left, y = top;
    if (count < 2)
        return top;
    for (unsigned i = 0; i < count; i++) {
        place_entry(sheet, &key[i], &x, &y);
        if (draw) {
            xml_begin(&sheet->xml, "rect");
            xml_attribute(&sheet->xml, "x", "%.1f", x);
            xml_attribute(&sheet->xml, "y", "%.1f", y + 2);
            xml_attribute(&sheet->xml, "width", "%d", KEY_SQUARE);
            xml_attribute(&sheet->xml, "height", "%d", KEY_SQUARE);
            xml_attribute(&sheet->xml, "rx", "2");
            xml_attribute(&sheet->xml, "fill", "%s", key[i].colour);
            xml_end(&sheet->xml);
            struct chart_lines lines;
            chart_break(&lines, key[i].label, sheet->right - x - KEY_SQUARE - KEY_GAP, SHEET_TEXT, 1);
            sheet_lines(sheet, x + KEY_SQUARE + KEY_GAP, y + 11, SHEET_START, &lines, key[i].label);
        }
        x += entry_width(&key[i]) + KEY_BETWEEN;
    }
    return y + KEY_LINE + 2;
}

void sheet_begin(struct sheet *sheet, enum chart_place place, FILE *out, const char *title,
                 const struct chart_part *key, unsigned count, double height)
{
    struct xml_writer *const xml = &sheet->xml;
    struct chart_lines lines;
    *sheet =
        (struct sheet){.xml = {.out = out}, .place = place, .left = sheet_left(place), .right = sheet_right(place)};
    /* letters of a title are bold, which makes them wider */
    chart_break(&lines, title, sheet->right - sheet->left, SHEET_TITLE * 1.15, CHART_LINES);
    const double title_foot = place == CHART_FILE ? SHEET_MARGIN + lines.count * (SHEET_TITLE + 4) + 2 : 0;
    sheet->top = put_key(sheet, key, count, title_foot, false) + 2;
    const double whole = ceil(sheet->top + height) + (place == CHART_FILE ? SHEET_MARGIN / 2 : 0);
    if (place == CHART_FILE)
        fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n", out);
    xml_begin(xml, "svg");
    if (place == CHART_FILE) { /* in HTML, the name says what it is */
        xml_attribute(xml, "xmlns", "http://www.w3.org/2000/svg");
        xml_attribute(xml, "width", "%u", width_of(place));
        xml_attribute(xml, "height", "%.0f", whole);
    }
    xml_attribute(xml, "class", "chart");
    xml_attribute(xml, "viewBox", "0 0 %u %.0f", width_of(place), whole);
    xml_attribute(xml, "role", "img");
    xml_attribute(xml, "aria-label", "%s", title);
    if (place == CHART_FILE) {
        xml_begin(xml, "style");
        xml_text(xml, "");
        fputc('\n', out);
        put_own_style(out);
        xml_end(xml);
        xml_begin(xml, "rect");
        xml_attribute(xml, "class", "paper");
        xml_attribute(xml, "width", "100%%");
        xml_attribute(xml, "height", "100%%");
        xml_attribute(xml, "fill", "#fff");
        xml_end(xml);
        for (unsigned i = 0; i < lines.count; i++)
            sheet_text(sheet, sheet->left, SHEET_MARGIN + SHEET_TITLE - 3 + i * (SHEET_TITLE + 4.0), SHEET_START,
                       "title", lines.line[i]);
    }
    put_key(sheet, key, count, title_foot, true);
}

void sheet_end(struct sheet *sheet)
{
    xml_end(&sheet->xml);
    fputc('\n', sheet->xml.out);
}

/* Texts */

static void begin_text(struct sheet *sheet, double x, double y, enum sheet_anchor anchor, const char *class)
{
    xml_begin(&sheet->xml, "text");
    xml_attribute(&sheet->xml, "x", "%.1f", x);
    xml_attribute(&sheet->xml, "y", "%.1f", y);
    if (anchor != SHEET_START)
        xml_attribute(&sheet->xml, "text-anchor", "%s", anchor == SHEET_MIDDLE ? "middle" : "end");
    if (class)
        xml_attribute(&sheet->xml, "class", "%s", class);
}

void sheet_text(struct sheet *sheet, double x, double y, enum sheet_anchor anchor, const char *class, const char *text)
{
    begin_text(sheet, x, y, anchor, class);
    xml_text(&sheet->xml, text);
    xml_end(&sheet->xml);
}

void sheet_lines(struct sheet *sheet, double x, double y, enum sheet_anchor anchor, const struct chart_lines *lines,
                 const char *whole)
{
    for (unsigned i = 0; i < lines->count; i++) {
        begin_text(sheet, x, y + i * SHEET_LINE, anchor, "label");
        xml_text(&sheet->xml, lines->line[i]);
        if (lines->cut)
            sheet_tip(sheet, whole, NULL, 0);
        xml_end(&sheet->xml);
    }
}

void sheet_text_upwards(struct sheet *sheet, double x, double y, const char *text)
{
    begin_text(sheet, x, y, SHEET_MIDDLE, "unit");
    xml_attribute(&sheet->xml, "transform", "rotate(-90 %.1f %.1f)", x, y);
    xml_text(&sheet->xml, text);
    xml_end(&sheet->xml);
}

void sheet_tip(struct sheet *sheet, const char *label, const char *part, double value)
{
    char number[32];
    xml_begin(&sheet->xml, "title");
    xml_text(&sheet->xml, label);
    if (part) {
        snprintf(number, sizeof number, ": %.9g", value);
        xml_text(&sheet->xml, *label ? ", " : "");
        xml_text(&sheet->xml, part);
        xml_text(&sheet->xml, number);
    }
    xml_end(&sheet->xml);
}

/* Axes */

void sheet_begin_axis(struct sheet *sheet)
{
    xml_begin(&sheet->xml, "g");
    xml_attribute(&sheet->xml, "class", "axis");
}

void sheet_end_axis(struct sheet *sheet)
{
    xml_end(&sheet->xml);
}

void sheet_rule(struct sheet *sheet, double x1, double y1, double x2, double y2)
{
    xml_begin(&sheet->xml, "line");
    xml_attribute(&sheet->xml, "x1", "%.1f", x1);
    xml_attribute(&sheet->xml, "x2", "%.1f", x2);
    xml_attribute(&sheet->xml, "y1", "%.1f", y1);
    xml_attribute(&sheet->xml, "y2", "%.1f", y2);
    xml_end(&sheet->xml);
}

double scale_at(const struct scale *scale, double value)
{
    const bool log = scale->kind == CHART_LOGARITHMIC;
    const double from = log ? log10(scale->from) : scale->from, to = log ? log10(scale->to) : scale->to;
    const double share = to > from ? ((log ? log10(value) : value) - from) / (to - from) : 0;
    return scale->begin + share * scale->length;
}

/* The distance of ticks of a range: 1, 2 or 5 times a power of ten. */
static double tick_step(double range)
{
    static const double steps[] = {1, 2, 5};
    enum { TICKS = 6 };
    const double power = pow(10, floor(log10(range / TICKS)));
    for (unsigned i = 0; i < 3; i++)
        if (range / (steps[i] * power) <= TICKS)
            return steps[i] * power;
    return 10 * power;
}

static void add_tick(struct ticks *ticks, double value)
{
    if (ticks->count == TICKS_MAX)
        return;
    char *const text = ticks->text[ticks->count];
    ticks->value[ticks->count++] = value;
    snprintf(text, sizeof ticks->text[0], "%.6g", value);
    ticks->widest = fmax(ticks->widest, chart_text_width(text, SHEET_TICK));
}

void ticks_make(struct ticks *ticks, const struct scale *scale)
{
    *ticks = (struct ticks){0};
    if (scale->kind == CHART_LOGARITHMIC) {
        const double decades = log10(scale->to / scale->from);
        const double step = decades > 2 * TICKS_MAX / 3.0 ? ceil(decades / 20) : 1;
        for (double power = floor(log10(scale->from)); power <= log10(scale->to); power += step)
            for (unsigned digit = 1; digit <= (decades <= 3 ? 5 : 1); digit += digit == 1 ? 1 : 3) {
                const double value = digit * pow(10, power);
                if (value >= scale->from * 0.9999 && value <= scale->to * 1.0001)
                    add_tick(ticks, value);
            }
        return;
    }
    const double range = scale->to - scale->from;
    if (!(range > 0))
        return;
    const double step = tick_step(range);
    const double first = ceil(scale->from / step - 1e-6);
    for (unsigned i = 0; i < TICKS_MAX && (first + i) * step <= scale->to + range * 1e-6; i++)
        add_tick(ticks, first + i == 0 ? 0 : (first + i) * step);
}

double sheet_y_axis_width(const struct ticks *ticks)
{
    return SHEET_TEXT + 8 + ticks->widest + 6;
}

void sheet_y_axis(struct sheet *sheet, const struct scale *scale, const struct ticks *ticks, double x, double to_x,
                  const char *unit)
{
    for (unsigned i = 0; i < ticks->count; i++) {
        const double y = scale_at(scale, ticks->value[i]);
        sheet_rule(sheet, x, y, to_x, y);
        sheet_text(sheet, x - 6, y + 4, SHEET_END, NULL, ticks->text[i]);
    }
    sheet_text_upwards(sheet, sheet->left + SHEET_TEXT, scale->begin + scale->length / 2, unit);
}

/* Do the names of every STRIDE-th one stand beside each other? */
static bool names_fit(const struct axis_name *names, unsigned count, unsigned stride)
{
    double end = -INFINITY;
    for (unsigned i = 0; i < count; i += stride) {
        const double half = chart_text_width(names[i].name, SHEET_TICK) / 2;
        if (names[i].at - half < end + 6)
            return false;
        end = names[i].at + half;
    }
    return true;
}

void sheet_name_axis(struct sheet *sheet, const struct scale *scale, const struct axis_name *names, unsigned count,
                     double foot, const char *title)
{
    unsigned stride = 1;
    for (unsigned i = 0; stride < count && !names_fit(names, count, stride); i++)
        stride = i % 3 == 1 ? stride / 2 * 5 : 2 * stride;
    for (unsigned i = 0; i < count; i++) {
        const double at = names[i].at, half = chart_text_width(names[i].name, SHEET_TICK) / 2;
        sheet_rule(sheet, at, foot, at, foot + 4);
        if (i % stride == 0 && at - half >= sheet->left - 1 && at + half <= sheet->right + 1)
            sheet_text(sheet, at, foot + 17, SHEET_MIDDLE, NULL, names[i].name);
    }
    sheet_text(sheet, scale->begin + scale->length / 2, foot + 36, SHEET_MIDDLE, "unit", title);
}
