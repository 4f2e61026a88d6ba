/* Values one after the other, with their intervals, and marks where they step. */
#include "src/chart/chart_sheet.h"

#include <math.h>
#include <stdlib.h>

enum { PLOT_HEIGHT = 200, TOP = 26, BELOW = 42, BESIDE = 24, CAP = 3 };

static const char mark_colour[] = "#2f6fb0", more_colour[] = "#b3402a", less_colour[] = "#2c7a4b";

/* The scale of the values: from 0 if they reach far down, otherwise around them, so that a step of a few per cent is
 * seen. */
static struct scale make_y_scale(const struct chart_steps *steps, double length)
{
    double least = INFINITY, most = 0;
    for (unsigned i = 0; i < steps->count; i++) {
        const double half = isnan(steps->steps[i].half) ? 0 : steps->steps[i].half;
        least = fmin(least, steps->steps[i].value - half);
        most = fmax(most, steps->steps[i].value + half);
    }
    struct scale scale = {.kind = CHART_LINEAR, .length = -length};
    const double margin = fmax((most - least) * 0.1, most * 0.005);
    scale.from = least < most / 2 ? 0 : least - margin;
    scale.to = most > 0 ? most + margin : 1;
    return scale;
}

/* A name in which the values step is always among the labels of the steps. */
static void draw_x_axis(struct sheet *sheet, const struct chart_steps *steps, const struct scale *x, double foot)
{
    struct axis_name *names = checked_memory(calloc(steps->count + 1, sizeof *names));
    for (unsigned i = 0; i < steps->count; i++)
        names[i] = (struct axis_name){steps->steps[i].name, scale_at(x, i)};
    sheet_name_axis(sheet, x, names, steps->count, foot, steps->x_axis);
    free(names);
}

static void put_line(struct sheet *sheet, double x1, double y1, double x2, double y2, const char *colour,
                     const char *dashes)
{
    xml_begin(&sheet->xml, "line");
    xml_attribute(&sheet->xml, "x1", "%.1f", x1);
    xml_attribute(&sheet->xml, "y1", "%.1f", y1);
    xml_attribute(&sheet->xml, "x2", "%.1f", x2);
    xml_attribute(&sheet->xml, "y2", "%.1f", y2);
    xml_attribute(&sheet->xml, "class", "line");
    xml_attribute(&sheet->xml, "stroke", "%s", colour);
    if (dashes)
        xml_attribute(&sheet->xml, "stroke-dasharray", "%s", dashes);
    xml_end(&sheet->xml);
}

/* The lines between values that can be compared. */
static void draw_lines(struct sheet *sheet, const struct chart_steps *steps, const struct scale *x,
                       const struct scale *y)
{
    char *path = NULL;
    size_t size;
    FILE *out = checked_memory(open_memstream(&path, &size));
    for (unsigned i = 0; i < steps->count; i++)
        fprintf(out, "%s%.1f %.1f", i == 0 || steps->steps[i].is_new ? "M" : "L", scale_at(x, i),
                scale_at(y, steps->steps[i].value));
    fclose(checked_memory(out));
    xml_begin(&sheet->xml, "path");
    xml_attribute(&sheet->xml, "class", "line");
    xml_attribute(&sheet->xml, "stroke", "%s", mark_colour);
    xml_attribute(&sheet->xml, "d", "%s", path);
    xml_end(&sheet->xml);
    free(path);
}

/* Where the values step: a line across, and what they step by above it, unless that is where another one stands. */
static void draw_marks(struct sheet *sheet, const struct chart_steps *steps, const struct scale *x,
                       const struct scale *y)
{
    double free_from = -INFINITY;
    for (unsigned i = 0; i < steps->count; i++) {
        const struct chart_step *step = &steps->steps[i];
        const double at = scale_at(x, i);
        if (!step->label)
            continue;
        const double width = chart_text_width(step->label, SHEET_TICK);
        const double left = fmin(fmax(at - width / 2, sheet->left), sheet->right - width);
        put_line(sheet, at, y->begin + y->length - 6, at, y->begin, step->is_less ? less_colour : more_colour, "3 3");
        if (left < free_from)
            continue;
        sheet_text(sheet, left, y->begin + y->length - 11, SHEET_START, NULL, step->label);
        free_from = left + width + 8;
    }
}

static void draw_values(struct sheet *sheet, const struct chart_steps *steps, const struct scale *x,
                        const struct scale *y)
{
    for (unsigned i = 0; i < steps->count; i++) {
        const struct chart_step *step = &steps->steps[i];
        const double at = scale_at(x, i);
        const char *colour = !step->label ? mark_colour : step->is_less ? less_colour : more_colour;
        if (!isnan(step->half)) {
            const double high = scale_at(y, step->value + step->half), low = scale_at(y, step->value - step->half);
            put_line(sheet, at, high, at, low, colour, NULL);
            put_line(sheet, at - CAP, high, at + CAP, high, colour, NULL);
            put_line(sheet, at - CAP, low, at + CAP, low, colour, NULL);
        }
        xml_begin(&sheet->xml, "circle");
        xml_attribute(&sheet->xml, "r", "3.5");
        xml_attribute(&sheet->xml, "cx", "%.1f", at);
        xml_attribute(&sheet->xml, "cy", "%.1f", scale_at(y, step->value));
        xml_attribute(&sheet->xml, "fill", "%s", colour);
        sheet_tip(sheet, step->tip, NULL, 0);
        xml_end(&sheet->xml);
    }
}

void chart_steps_draw(const struct chart_steps *steps, enum chart_place place, FILE *out)
{
    struct sheet sheet;
    const double height = fmax(PLOT_HEIGHT, chart_text_width(steps->y_axis, SHEET_TEXT));
    struct scale y = make_y_scale(steps, height), x = {.to = steps->count > 1 ? steps->count - 1 : 1};
    struct ticks ticks;
    ticks_make(&ticks, &y);
    sheet_begin(&sheet, place, out, steps->title, NULL, 0, TOP + height + BELOW);
    y.begin = sheet.top + TOP + height;
    const double left = sheet.left + sheet_y_axis_width(&ticks);
    x.begin = left + BESIDE;
    x.length = sheet.right - BESIDE - x.begin;
    sheet_begin_axis(&sheet);
    sheet_y_axis(&sheet, &y, &ticks, left, sheet.right, steps->y_axis);
    draw_x_axis(&sheet, steps, &x, y.begin);
    sheet_end_axis(&sheet);
    draw_lines(&sheet, steps, &x, &y);
    draw_marks(&sheet, steps, &x, &y);
    draw_values(&sheet, steps, &x, &y);
    sheet_end(&sheet);
}
