/* Stacked bars, lying or upright. */
#include "src/chart/chart_sheet.h"

#include "src/base/array.h"
#include "src/base/save_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct part {
    char *label; /* owned */
    const char *colour;
};

struct value {
    double length;
    char *source; /* owned; NULL: does not say */
    bool is_set;
};

struct bar {
    char *label;         /* owned */
    const char *group;   /* of a struct group; NULL: none */
    struct value *value; /* owned, one for each part */
};

struct chart_bars {
    char *title; /* owned */
    const char *axis;
    enum chart_direction direction;
    unsigned parts, count, groups;
    struct part *part;
    struct bar *bar;
    char **group; /* owned labels */
};

static char *copy(const char *text)
{
    return checked_memory(strdup(text));
}

struct chart_bars *chart_bars_create(const char *title, const char *axis, enum chart_direction direction)
{
    struct chart_bars *bars = checked_memory(calloc(1, sizeof *bars));
    *bars = (struct chart_bars){.title = copy(title), .axis = axis, .direction = direction};
    return bars;
}

void chart_bars_free(struct chart_bars *bars)
{
    for (unsigned i = 0; i < bars->count; i++) {
        for (unsigned part = 0; part < bars->parts; part++)
            free(bars->bar[i].value[part].source);
        free(bars->bar[i].value);
        free(bars->bar[i].label);
    }
    for (unsigned i = 0; i < bars->parts; i++)
        free(bars->part[i].label);
    for (unsigned i = 0; i < bars->groups; i++)
        free(bars->group[i]);
    free(bars->bar);
    free(bars->part);
    free(bars->group);
    free(bars->title);
    free(bars);
}

const char *chart_bars_title(const struct chart_bars *bars)
{
    return bars->title;
}

void chart_bars_add_part(struct chart_bars *bars, const char *label, const char *colour)
{
    if (bars->count > 0)
        log_bug("chart: a part %s behind the first bar", label);
    bars->part = array_room(bars->part, bars->parts, sizeof *bars->part);
    bars->part[bars->parts++] = (struct part){copy(label), colour};
}

void chart_bars_begin_group(struct chart_bars *bars, const char *label)
{
    bars->group = array_room(bars->group, bars->groups, sizeof *bars->group);
    bars->group[bars->groups++] = copy(label);
}

void chart_bars_add(struct chart_bars *bars, const char *label)
{
    bars->bar = array_room(bars->bar, bars->count, sizeof *bars->bar);
    bars->bar[bars->count++] = (struct bar){.label = copy(label),
                                            .group = bars->groups ? bars->group[bars->groups - 1] : NULL,
                                            .value = checked_memory(calloc(bars->parts + 1, sizeof(struct value)))};
}

void chart_bars_set(struct chart_bars *bars, unsigned part, double value, const char *source)
{
    if (bars->count == 0 || part >= bars->parts)
        log_bug("chart: part %u of %u bars with %u parts", part, bars->count, bars->parts);
    struct value *const to = &bars->bar[bars->count - 1].value[part];
    if (!to->is_set)
        *to = (struct value){isfinite(value) && value > 0 ? value : 0, source ? copy(source) : NULL, true};
}

static double length_of(const struct chart_bars *bars, const struct bar *bar)
{
    double sum = 0;
    for (unsigned part = 0; part < bars->parts; part++)
        sum += bar->value[part].length;
    return sum;
}

/* The length of the longest bar. */
static double longest(const struct chart_bars *bars)
{
    double most = 0;
    for (unsigned i = 0; i < bars->count; i++)
        most = fmax(most, length_of(bars, &bars->bar[i]));
    return most;
}

bool chart_bars_are_empty(const struct chart_bars *bars)
{
    const double most = longest(bars);
    return !(most > 0) || !isfinite(most);
}

/* The parts that any bar has, in KEY, which has room for all. Returns their number. */
static unsigned make_key(const struct chart_bars *bars, struct chart_part *key)
{
    unsigned count = 0;
    for (unsigned part = 0; part < bars->parts; part++) {
        double sum = 0;
        for (unsigned i = 0; i < bars->count; i++)
            sum += bars->bar[i].value[part].length;
        if (sum > 0)
            key[count++] = (struct chart_part){bars->part[part].label, bars->part[part].colour};
    }
    return bars->parts > 1 ? count : 0;
}

/* Where the bars are: along the scale, which begins at the foot of all. */
struct layout {
    const struct chart_bars *bars;
    bool upright;
    struct scale scale;
    struct ticks ticks;
    double label;  /* width of a label */
    double height; /* of all below the key */
    double slot;   /* upright: the distance of bars */
    double indent; /* upright: from the axis to the first slot */
};

static bool begins_group(const struct chart_bars *bars, unsigned bar)
{
    return bars->bar[bar].group && (bar == 0 || bars->bar[bar - 1].group != bars->bar[bar].group);
}

static unsigned count_groups(const struct chart_bars *bars)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < bars->count; i++)
        groups += begins_group(bars, i);
    return groups;
}

/* The whole length of a bar, as it is written beside it. */
static const char *total_of(const struct chart_bars *bars, unsigned bar, char text[24])
{
    const double length = length_of(bars, &bars->bar[bar]);
    snprintf(text, 24, length >= 1000 && length < 1e9 ? "%.0f" : "%.3g", length);
    return text;
}

static double widest_total(const struct chart_bars *bars)
{
    char text[24];
    double widest = 0;
    for (unsigned i = 0; i < bars->count; i++)
        widest = fmax(widest, chart_text_width(total_of(bars, i, text), SHEET_TICK));
    return widest;
}

/* A part of a bar. The number in its tip is the whole of it. */
static void put_part(struct sheet *sheet, const struct layout *layout, const struct bar *bar, unsigned part,
                     const double at[4])
{
    static const char *const names[] = {"x", "y", "width", "height"};
    const struct value *const value = &bar->value[part];
    char label[2 * CHART_LINE];
    xml_begin(&sheet->xml, "rect");
    for (unsigned i = 0; i < 4; i++)
        xml_attribute(&sheet->xml, names[i], "%.2f", at[i]);
    xml_attribute(&sheet->xml, "fill", "%s", layout->bars->part[part].colour);
    if (value->source)
        xml_attribute(&sheet->xml, "data-j", "%s", value->source);
    snprintf(label, sizeof label, "%s%s%.200s", bar->group ? bar->group : "", bar->group ? ", " : "", bar->label);
    sheet_tip(sheet, label, layout->bars->part[part].label, value->length);
    xml_end(&sheet->xml);
}

/* Lying */

enum { ROW_GAP = 8, BAR_HEIGHT = 17, LABEL_MOST = 270, LABEL_LINES = 2, LYING_AXIS = 40 };

static unsigned lines_of_row(const struct layout *layout, unsigned bar, struct chart_lines *lines)
{
    chart_break(lines, layout->bars->bar[bar].label, layout->label, SHEET_TEXT, LABEL_LINES);
    return lines->count;
}

/* The height of the row of BAR, without the heading of its group. */
static double row_height(const struct layout *layout, unsigned bar)
{
    struct chart_lines lines;
    return fmax(BAR_HEIGHT, lines_of_row(layout, bar, &lines) * SHEET_LINE) + ROW_GAP - 1;
}

static void lay_down(struct layout *layout, enum chart_place place, double most)
{
    const struct chart_bars *const bars = layout->bars;
    const double left = sheet_left(place), right = sheet_right(place);
    for (unsigned i = 0; i < bars->count; i++)
        layout->label = fmax(layout->label, chart_text_width(bars->bar[i].label, SHEET_TEXT));
    layout->label = fmin(ceil(layout->label), fmin(LABEL_MOST, (right - left) * 0.4));
    layout->scale.begin = left + layout->label + 8;
    layout->scale.length = right - layout->scale.begin - fmax(widest_total(bars) + 8, 20);
    layout->scale.to = most;
    ticks_make(&layout->ticks, &layout->scale);
    layout->height = LYING_AXIS + count_groups(bars) * (double)(SHEET_LINE + ROW_GAP);
    for (unsigned i = 0; i < bars->count; i++)
        layout->height += row_height(layout, i);
}

static void draw_row(struct sheet *sheet, const struct layout *layout, unsigned number, double y)
{
    const struct bar *const bar = &layout->bars->bar[number];
    const double height = row_height(layout, number) - ROW_GAP + 1;
    struct chart_lines lines;
    char total[24];
    double from = 0;
    lines_of_row(layout, number, &lines);
    sheet_lines(sheet, layout->scale.begin - 8, y + height / 2 + 4 - (lines.count - 1) * SHEET_LINE / 2.0, SHEET_END,
                &lines, bar->label);
    for (unsigned part = 0; part < layout->bars->parts; part++) {
        const double x = scale_at(&layout->scale, from);
        from += bar->value[part].length;
        if (bar->value[part].length > 0)
            put_part(sheet, layout, bar, part,
                     (double[]){x, y + (height - BAR_HEIGHT) / 2, scale_at(&layout->scale, from) - x, BAR_HEIGHT});
    }
    sheet_text(sheet, scale_at(&layout->scale, from) + 5, y + height / 2 + 4, SHEET_START, "total",
               total_of(layout->bars, number, total));
}

static void draw_lying(struct sheet *sheet, const struct layout *layout)
{
    const struct chart_bars *const bars = layout->bars;
    const double foot = sheet->top + layout->height - LYING_AXIS + 2,
                 middle = layout->scale.begin + layout->scale.length / 2;
    const double unit = chart_text_width(bars->axis, SHEET_TEXT) / 2;
    double y = sheet->top;
    sheet_begin_axis(sheet);
    for (unsigned i = 0; i < layout->ticks.count; i++) {
        const double x = scale_at(&layout->scale, layout->ticks.value[i]);
        sheet_rule(sheet, x, sheet->top, x, foot);
        sheet_text(sheet, x, foot + 13, SHEET_MIDDLE, NULL, layout->ticks.text[i]);
    }
    sheet_text(sheet, fmin(middle, sheet->right - unit), foot + 31, SHEET_MIDDLE, "unit", bars->axis);
    sheet_end_axis(sheet);
    for (unsigned i = 0; i < bars->count; i++) {
        if (begins_group(bars, i)) {
            y += SHEET_LINE + ROW_GAP / 2.0;
            sheet_text(sheet, layout->scale.begin, y - 3, SHEET_START, "group", bars->bar[i].group);
            y += ROW_GAP / 2.0;
        }
        draw_row(sheet, layout, i, y);
        y += row_height(layout, i);
    }
}

/* Upright */

enum { PLOT_HEIGHT = 270, SLOT_LEAST = 30, SLOT_MOST = 150, UPRIGHT_TOP = 14, GROUP_LINE = 20, LABEL_ROOM = 6 };

/* The room for all bars, in distances of bars, of which half of one is free between groups. */
static double count_slots(const struct chart_bars *bars)
{
    const unsigned groups = count_groups(bars);
    return bars->count + (groups > 1 ? (groups - 1) / 2.0 : 0);
}

/* Do the labels stand below their bars, in at most CHART_LINES lines? *LINES: the most that one has. */
static bool labels_fit(const struct layout *layout, unsigned *lines)
{
    *lines = 1;
    for (unsigned i = 0; i < layout->bars->count; i++) {
        const char *const label = layout->bars->bar[i].label;
        struct chart_lines broken;
        chart_break(&broken, label, layout->label, SHEET_TEXT, CHART_LINES);
        if (broken.cut || chart_longest_piece(label, SHEET_TEXT) > layout->label)
            return false;
        *lines = broken.count > *lines ? broken.count : *lines;
    }
    return true;
}

/* The bars of a group stand side by side: do their labels? */
static bool groups_fit(const struct layout *layout)
{
    const struct chart_bars *const bars = layout->bars;
    for (unsigned i = 0, end; i < bars->count; i = end) {
        for (end = i + 1; end < bars->count && !begins_group(bars, end);)
            end++;
        if (bars->bar[i].group &&
            chart_text_width(bars->bar[i].group, SHEET_TEXT * 1.15) > layout->slot * (end - i + 0.5) - LABEL_ROOM)
            return false;
    }
    return true;
}

/* False if the bars or their labels do not fit. */
static bool stand_up(struct layout *layout, enum chart_place place, double most)
{
    const struct chart_bars *const bars = layout->bars;
    struct layout up = {.bars = bars, .upright = true};
    const double plot = fmax(PLOT_HEIGHT, chart_text_width(bars->axis, SHEET_TEXT));
    unsigned lines;
    up.scale = (struct scale){.to = most, .begin = UPRIGHT_TOP + plot, .length = -plot};
    ticks_make(&up.ticks, &up.scale);
    const double width = sheet_right(place) - sheet_left(place) - sheet_y_axis_width(&up.ticks) - LABEL_ROOM;
    up.slot = fmin(width / count_slots(bars), SLOT_MOST);
    up.indent = (width - up.slot * count_slots(bars) + LABEL_ROOM) / 2;
    up.label = up.slot - LABEL_ROOM;
    if (bars->direction != CHART_UPRIGHT || up.slot < SLOT_LEAST || widest_total(bars) > up.slot - 2 ||
        !labels_fit(&up, &lines) || !groups_fit(&up))
        return false;
    up.height = up.scale.begin + lines * (double)SHEET_LINE + (count_groups(bars) ? GROUP_LINE : 0) + 6;
    *layout = up;
    return true;
}

static void draw_column(struct sheet *sheet, const struct layout *layout, unsigned number, double x)
{
    const struct bar *const bar = &layout->bars->bar[number];
    const double width = fmin(layout->slot * 0.74, 84);
    struct chart_lines lines;
    char total[24];
    double from = 0;
    chart_break(&lines, bar->label, layout->label, SHEET_TEXT, CHART_LINES);
    sheet_lines(sheet, x, layout->scale.begin + SHEET_LINE, SHEET_MIDDLE, &lines, bar->label);
    for (unsigned part = 0; part < layout->bars->parts; part++) {
        const double foot = scale_at(&layout->scale, from);
        from += bar->value[part].length;
        const double head = scale_at(&layout->scale, from);
        if (bar->value[part].length > 0)
            put_part(sheet, layout, bar, part, (double[]){x - width / 2, head, width, foot - head});
    }
    sheet_text(sheet, x, scale_at(&layout->scale, from) - 4, SHEET_MIDDLE, "total",
               total_of(layout->bars, number, total));
}

static void draw_upright(struct sheet *sheet, struct layout *layout)
{
    const struct chart_bars *const bars = layout->bars;
    const double left = sheet->left + sheet_y_axis_width(&layout->ticks);
    const double foot = sheet->top + layout->height - SHEET_LINE / 2.0;
    double x = left + layout->indent + layout->slot / 2, group = x;
    layout->scale.begin += sheet->top;
    sheet_begin_axis(sheet);
    sheet_y_axis(sheet, &layout->scale, &layout->ticks, left, sheet->right, bars->axis);
    sheet_end_axis(sheet);
    for (unsigned i = 0; i < bars->count; i++, x += layout->slot) {
        if (i > 0 && begins_group(bars, i))
            x += layout->slot / 2;
        if (begins_group(bars, i))
            group = x;
        draw_column(sheet, layout, i, x);
        if (bars->bar[i].group && (i + 1 == bars->count || begins_group(bars, i + 1)))
            sheet_text(sheet, (group + x) / 2, foot, SHEET_MIDDLE, "group", bars->bar[i].group);
    }
}

void chart_bars_draw(const struct chart_bars *bars, enum chart_place place, FILE *out)
{
    struct chart_part *key = checked_memory(calloc(bars->parts + 1, sizeof *key));
    const unsigned count = make_key(bars, key);
    const double most = chart_bars_are_empty(bars) ? 1 : longest(bars);
    struct layout layout = {.bars = bars};
    struct sheet sheet;
    if (!stand_up(&layout, place, most))
        lay_down(&layout, place, most);
    sheet_begin(&sheet, place, out, bars->title, key, count, layout.height);
    if (layout.upright)
        draw_upright(&sheet, &layout);
    else
        draw_lying(&sheet, &layout);
    sheet_end(&sheet);
    free(key);
}

static void write_file(const void *bars, FILE *out)
{
    chart_bars_draw(bars, CHART_FILE, out);
}

bool chart_bars_save(const struct chart_bars *bars, const char *path, struct err *err)
{
    return save_file("figure", path, write_file, bars, err);
}
