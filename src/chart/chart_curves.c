/* Curves over points that have a name and, perhaps, a value. */
#include "src/chart/chart_sheet.h"

#include "src/base/save_file.h"
#include <math.h>
#include <stdlib.h>

enum { PLOT_HEIGHT = 240, TOP = 8, BELOW = 42, BESIDE = 24 };

/* Can the point be drawn? */
static bool is_drawn(const struct chart_curves *curves, double y)
{
    return isfinite(y) && (curves->y_scale == CHART_LINEAR || y > 0);
}

bool chart_curves_are_empty(const struct chart_curves *curves)
{
    double most = 0;
    for (unsigned i = 0; i < curves->lines * curves->count; i++)
        if (is_drawn(curves, curves->y[i]))
            most = fmax(most, curves->y[i]);
    return !(most > 0) || curves->count < 2;
}

/* The scale of the values: from 0, or from the least one. */
static struct scale make_y_scale(const struct chart_curves *curves, double length)
{
    double least = INFINITY, most = 0;
    for (unsigned i = 0; i < curves->lines * curves->count; i++)
        if (is_drawn(curves, curves->y[i])) {
            least = fmin(least, curves->y[i]);
            most = fmax(most, curves->y[i]);
        }
    struct scale scale = {.kind = curves->y_scale, .to = most > 0 ? most * 1.05 : 1, .length = -length};
    if (scale.kind == CHART_LOGARITHMIC && most > 0) { /* whole decades, or what is left of them */
        scale.from = pow(10, floor(log10(least)));
        scale.from *= least >= 5 * scale.from ? 5 : least >= 2 * scale.from ? 2 : 1;
        scale.to = most * 1.1;
    } else
        scale.kind = CHART_LINEAR;
    return scale;
}

/* Where the points are on the horizontal axis. */
struct x_axis {
    struct scale scale;
    const double *value; /* of the points; NULL: they are equally far apart */
};

static struct x_axis make_x_axis(const struct chart_curves *curves)
{
    const unsigned last = curves->count ? curves->count - 1 : 0;
    if (!curves->at || !(curves->at[last] > curves->at[0]) ||
        (curves->x_scale == CHART_LOGARITHMIC && !(curves->at[0] > 0)))
        return (struct x_axis){{.to = last}, NULL};
    return (struct x_axis){{.kind = curves->x_scale, .from = curves->at[0], .to = curves->at[last]}, curves->at};
}

static double x_of(const struct x_axis *x, unsigned point)
{
    return scale_at(&x->scale, x->value ? x->value[point] : point);
}

static void draw_line(struct sheet *sheet, const struct chart_curves *curves, const struct x_axis *x,
                      const struct scale *y, unsigned line)
{
    const double *const value = curves->y + (size_t)line * curves->count;
    const char *command = "M";
    char *path = NULL;
    size_t size;
    FILE *out = checked_memory(open_memstream(&path, &size));
    for (unsigned i = 0; i < curves->count; i++)
        if (is_drawn(curves, value[i])) {
            fprintf(out, "%s%.1f %.1f", command, x_of(x, i), scale_at(y, value[i]));
            command = "L";
        }
    fclose(out);
    if (*path) {
        xml_begin(&sheet->xml, "path");
        xml_attribute(&sheet->xml, "class", "line");
        xml_attribute(&sheet->xml, "stroke", "%s", curves->colour[line]);
        xml_attribute(&sheet->xml, "d", "%s", path);
        xml_end(&sheet->xml);
    }
    free(path);
    for (unsigned i = 0; i < curves->count; i++)
        if (is_drawn(curves, value[i])) {
            xml_begin(&sheet->xml, "circle");
            xml_attribute(&sheet->xml, "r", "3.5");
            xml_attribute(&sheet->xml, "cx", "%.1f", x_of(x, i));
            xml_attribute(&sheet->xml, "cy", "%.1f", scale_at(y, value[i]));
            xml_attribute(&sheet->xml, "fill", "%s", curves->colour[line]);
            if (curves->source)
                xml_attribute(&sheet->xml, "data-j", "%s", curves->source[(size_t)line * curves->count + i]);
            sheet_tip(sheet, curves->label[line], curves->x[i], value[i]);
            xml_end(&sheet->xml);
        }
}

static void draw_x_axis(struct sheet *sheet, const struct chart_curves *curves, const struct x_axis *x, double foot)
{
    struct axis_name *names = checked_memory(calloc(curves->count + 1, sizeof *names));
    for (unsigned i = 0; i < curves->count; i++)
        names[i] = (struct axis_name){curves->x[i], x_of(x, i)};
    sheet_name_axis(sheet, &x->scale, names, curves->count, foot, curves->x_axis);
    free(names);
}

void chart_curves_draw(const struct chart_curves *curves, enum chart_place place, FILE *out)
{
    struct sheet sheet;
    struct chart_part *key = checked_memory(calloc(curves->lines + 1, sizeof *key));
    const double height = fmax(PLOT_HEIGHT, chart_text_width(curves->y_axis, SHEET_TEXT));
    struct scale y = make_y_scale(curves, height);
    struct x_axis x = make_x_axis(curves);
    struct ticks ticks;
    ticks_make(&ticks, &y);
    for (unsigned line = 0; line < curves->lines; line++)
        key[line] = (struct chart_part){curves->label[line], curves->colour[line]};
    sheet_begin(&sheet, place, out, curves->title, key, curves->lines, TOP + height + BELOW);
    y.begin = sheet.top + TOP + height;
    const double left = sheet.left + sheet_y_axis_width(&ticks);
    x.scale.begin = left + BESIDE;
    x.scale.length = sheet.right - BESIDE - x.scale.begin;
    sheet_begin_axis(&sheet);
    sheet_y_axis(&sheet, &y, &ticks, left, sheet.right, curves->y_axis);
    draw_x_axis(&sheet, curves, &x, y.begin);
    sheet_end_axis(&sheet);
    for (unsigned line = 0; line < curves->lines; line++)
        draw_line(&sheet, curves, &x, &y, line);
    sheet_end(&sheet);
    free(key);
}

static void write_file(const void *curves, FILE *out)
{
    chart_curves_draw(curves, CHART_FILE, out);
}

bool chart_curves_save(const struct chart_curves *curves, const char *path, struct err *err)
{
    return save_file("figure", path, write_file, curves, err);
}
