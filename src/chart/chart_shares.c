/* Shares over time, as areas one on top of the other. */
#include "src/chart/chart_sheet.h"

#include "src/base/save_file.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PLOT_HEIGHT = 240, TOP = 8, BELOW = 42, INSNS_LINE = 15, INSNS_APART = 12 };

static const char y_title[] = "% of the time of all CPUs", x_title[] = "simulated seconds",
                  insns_title[] = "simulated seconds; instructions executed since power-on";

bool chart_shares_are_empty(const struct chart_shares *shares)
{
    return shares->count == 0 || !(shares->end[shares->count - 1] > shares->begin);
}

/* The area between the shares of the parts before PART and those up to it, forth along its upper and back along its
 * lower side. */
static void draw_area(struct sheet *sheet, const struct chart_shares *shares, const struct scale *x,
                      const struct scale *y, unsigned part)
{
    char *path = NULL;
    size_t size;
    FILE *out = checked_memory(open_memstream(&path, &size));
    for (unsigned back = 0; back < 2; back++)
        for (size_t at = 0; at < shares->count; at++) {
            const size_t i = back ? shares->count - 1 - at : at;
            const double from = i ? shares->end[i - 1] : shares->begin, to = shares->end[i];
            double sum = 0;
            for (unsigned p = 0; p < part + 1 - back; p++)
                sum += shares->share[i * shares->parts + p];
            const double height = scale_at(y, 100 * fmin(sum, 1));
            fprintf(out, "%s%.1f %.1f %.1f %.1f", at || back ? " " : "M", scale_at(x, back ? to : from), height,
                    scale_at(x, back ? from : to), height);
        }
    fclose(out);
    xml_begin(&sheet->xml, "path");
    xml_attribute(&sheet->xml, "fill", "%s", shares->part[part].colour);
    xml_attribute(&sheet->xml, "d", "%sZ", path);
    sheet_tip(sheet, shares->part[part].label, NULL, 0);
    xml_end(&sheet->xml);
    free(path);
}

/* Below the tick at TIME: the instructions that had been executed when the nearest interval ended. Not if that is the
 * begin, or the interval *LAST, or if the text would touch what ends at *USED. */
static void put_insns(struct sheet *sheet, const struct chart_shares *shares, double time, double x, double y,
                      double *used, size_t *last)
{
    char text[24];
    size_t nearest = 0;
    for (size_t i = 1; i < shares->count; i++)
        if (fabs(shares->end[i] - time) < fabs(shares->end[nearest] - time))
            nearest = i;
    snprintf(text, sizeof text, "%" PRIu64, shares->insns[nearest]);
    const double half = chart_text_width(text, SHEET_TEXT) / 2;
    const bool is_begin = fabs(shares->begin - time) < fabs(shares->end[nearest] - time);
    if (is_begin || nearest == *last || x - half < *used || x + half > sheet->right)
        return;
    *last = nearest;
    *used = x + half + INSNS_APART;
    sheet_text(sheet, x, y, SHEET_MIDDLE, "unit", text);
}

void chart_shares_draw(const struct chart_shares *shares, enum chart_place place, FILE *out)
{
    struct sheet sheet;
    struct scale y = {.to = 100, .length = -PLOT_HEIGHT};
    struct scale x = {.from = shares->begin, .to = shares->count ? shares->end[shares->count - 1] : shares->begin};
    struct ticks x_ticks, y_ticks;
    ticks_make(&y_ticks, &y);
    ticks_make(&x_ticks, &x);
    const unsigned below = shares->insns ? INSNS_LINE : 0;
    sheet_begin(&sheet, place, out, shares->title, shares->part, shares->parts, TOP + PLOT_HEIGHT + BELOW + below);
    y.begin = sheet.top + TOP + PLOT_HEIGHT;
    x.begin = sheet.left + sheet_y_axis_width(&y_ticks);
    x.length = sheet.right - 12 - x.begin;
    for (unsigned part = 0; part < shares->parts; part++)
        draw_area(&sheet, shares, &x, &y, part);
    sheet_begin_axis(&sheet);
    sheet_y_axis(&sheet, &y, &y_ticks, x.begin, x.begin, y_title);
    double used = 0;
    size_t last = shares->count;
    for (unsigned i = 0; i < x_ticks.count; i++) {
        const double at = scale_at(&x, x_ticks.value[i]);
        sheet_rule(&sheet, at, y.begin, at, y.begin + 4);
        sheet_text(&sheet, at, y.begin + 17, SHEET_MIDDLE, NULL, x_ticks.text[i]);
        if (shares->insns)
            put_insns(&sheet, shares, x_ticks.value[i], at, y.begin + 17 + below, &used, &last);
    }
    sheet_text(&sheet, x.begin + x.length / 2, y.begin + 36 + below, SHEET_MIDDLE, "unit",
               shares->insns ? insns_title : x_title);
    sheet_end_axis(&sheet);
    sheet_end(&sheet);
}

static void write_file(const void *shares, FILE *out)
{
    chart_shares_draw(shares, CHART_FILE, out);
}

bool chart_shares_save(const struct chart_shares *shares, const char *path, struct err *err)
{
    return save_file("figure", path, write_file, shares, err);
}
