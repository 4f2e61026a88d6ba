/*
 * Figures of a sweep: a stacked bar for each cache and point, with the parts of the table; and, where the points are
 * numbers, a curve of each cache's misses.
 */
#include "src/sweep/sweep_report.h"

#include "src/base/save_file.h"
#include "src/chart/chart.h"
#include "src/measure/measures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the figures of a series show. */
struct figure {
    const struct sweep_study *study;
    unsigned number; /* of the series */
    enum sweep_table form;
    const char *path;
};

static const struct sweep_series *series_of(const struct figure *figure)
{
    return &figure->study->series[figure->number];
}

static const char *unit_of(enum sweep_table form)
{
    return form == SWEEP_BY_CLASS ? "kernel misses per 100 kernel instructions" : "misses per 100 instructions";
}

static bool draw_bars(const struct figure *figure, struct err *err)
{
    const struct sweep_series *series = series_of(figure);
    const char *names[SWEEP_PARTS_MAX];
    const unsigned parts = sweep_report_parts(figure->form, names);
    struct sweep_cache cache;
    char title[sizeof series->name + 64];
    snprintf(title, sizeof title, "%s: %s",
             figure->form == SWEEP_BY_CLASS ? "Kernel misses by class" : "Misses by cause", series->name);
    struct chart_bars *bars = chart_bars_create(title, unit_of(figure->form), CHART_UPRIGHT);
    for (unsigned part = 0; part < parts; part++)
        chart_bars_add_part(bars, names[part], measure_colour(names[part]));
    for (unsigned nth = 0; sweep_cache(figure->study->sweep[figure->number], 0, nth, &cache); nth++) {
        chart_bars_begin_group(bars, cache.name);
        for (unsigned point = 0; point < series->count; point++) {
            sweep_cache(figure->study->sweep[figure->number], point, nth, &cache);
            chart_bars_add(bars, series->label[point]);
            for (unsigned part = 0; part < parts; part++)
                chart_bars_set(bars, part, sweep_report_value(figure->study, figure->form, &cache.counts, part), NULL);
        }
    }
    const bool done = chart_bars_save(bars, figure->path, err);
    chart_bars_free(bars);
    return done;
}

/* Curves */

enum { CURVE_POINTS = 3 /* fewer make no curve */, CACHES_MAX = 8 };

/* The points in the order of their values. */
struct points {
    unsigned count;
    unsigned point[SWEEP_POINTS_MAX];
    double value[SWEEP_POINTS_MAX];
    const char *label[SWEEP_POINTS_MAX];
};

/* The number that LABEL is as a whole, "64K"; NAN if it is none. */
static double number_of(const char *label)
{
    static const char units[] = "KMG";
    char *end;
    double number = strtod(label, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) {
        number = ldexp(number, 10 * (int)(unit - units + 1));
        end++;
    }
    return end > label && !*end ? number : (double)NAN;
}

/* False if the points are no different numbers, or too few. */
static bool find_points(const struct sweep_series *series, struct points *points)
{
    *points = (struct points){.count = 0};
    for (unsigned point = 0; point < series->count; point++) {
        const double value = number_of(series->label[point]);
        unsigned at = points->count++;
        if (isnan(value))
            return false;
        for (; at > 0 && points->value[at - 1] > value; at--) {
            points->value[at] = points->value[at - 1];
            points->point[at] = points->point[at - 1];
            points->label[at] = points->label[at - 1];
        }
        if (at > 0 && points->value[at - 1] == value)
            return false;
        points->value[at] = value;
        points->point[at] = point;
        points->label[at] = series->label[point];
    }
    return points->count >= CURVE_POINTS;
}

/* Values of which the largest is RATIO times the least one or more, and none is 0, are told apart by their logarithm.
 */
static enum chart_scale scale_of(const double *value, unsigned count, double ratio)
{
    double least = INFINITY, most = 0;
    for (unsigned i = 0; i < count; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    return least > 0 && most / least >= ratio ? CHART_LOGARITHMIC : CHART_LINEAR;
}

static double total_of(const struct figure *figure, const struct sweep_counts *counts)
{
    const char *names[SWEEP_PARTS_MAX];
    const unsigned parts = sweep_report_parts(figure->form, names);
    double sum = 0;
    for (unsigned part = 0; part < parts; part++)
        sum += sweep_report_value(figure->study, figure->form, counts, part);
    return sum;
}

/* Nothing if there is no curve to draw. */
static bool draw_curves(const struct figure *figure, struct err *err)
{
    const struct sweep_series *series = series_of(figure);
    struct points points;
    struct sweep_cache cache;
    double y[CACHES_MAX * SWEEP_POINTS_MAX];
    const char *label[CACHES_MAX], *colour[CACHES_MAX];
    char title[sizeof series->name + 64];
    unsigned lines = 0;
    if (!find_points(series, &points))
        return true;
    for (; lines < CACHES_MAX && sweep_cache(figure->study->sweep[figure->number], 0, lines, &cache); lines++) {
        label[lines] = cache.name;
        colour[lines] = measure_line_colour(lines);
        for (unsigned i = 0; i < points.count; i++) {
            sweep_cache(figure->study->sweep[figure->number], points.point[i], lines, &cache);
            y[lines * points.count + i] = total_of(figure, &cache.counts);
        }
    }
    snprintf(title, sizeof title, "Misses of %s: %s", lines == 1 ? label[0] : "each cache", series->name);
    const struct chart_curves curves = {.title = title,
                                        .x_axis = series->varied,
                                        .y_axis = unit_of(figure->form),
                                        .lines = lines,
                                        .count = points.count,
                                        .x = points.label,
                                        .at = points.value,
                                        .x_scale = scale_of(points.value, points.count, 4),
                                        .y_scale = scale_of(y, lines * points.count, 10),
                                        .label = label,
                                        .colour = colour,
                                        .y = y};
    return chart_curves_are_empty(&curves) || chart_curves_save(&curves, figure->path, err);
}

/* Files */

struct table {
    const struct sweep_study *study;
    void (*print)(const struct sweep_study *study, FILE *out);
};

static void put_table(const void *opaque, FILE *out)
{
    const struct table *table = opaque;
    table->print(table->study, out);
}

static bool save_with(const struct sweep_study *study, const char *prefix, const char *suffix,
                      void (*print)(const struct sweep_study *study, FILE *out), struct err *err)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s%s", prefix, suffix) >= sizeof path)
        return err_set(err, "--out: the name is too long");
    const struct table table = {study, print};
    return save_file("--out", path, put_table, &table, err);
}

static bool save_figure(const struct sweep_study *study, const char *prefix, unsigned number, enum sweep_table form,
                        const char *suffix, bool (*draw)(const struct figure *figure, struct err *err), struct err *err)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s-%s%s.svg", prefix, study->series[number].name, suffix) >= sizeof path)
        return err_set(err, "--out: the name is too long");
    return draw(&(struct figure){study, number, form, path}, err);
}

bool sweep_report_save(const struct sweep_study *study, const char *prefix, struct err *err)
{
    if (!save_with(study, prefix, ".txt", sweep_report_tables, err) ||
        !save_with(study, prefix, ".tsv", sweep_report_counts, err))
        return false;
    for (unsigned i = 0; i < study->count; i++)
        if (!save_figure(study, prefix, i, SWEEP_BY_EVICTOR, "", draw_bars, err) ||
            !save_figure(study, prefix, i, SWEEP_BY_EVICTOR, "-curve", draw_curves, err) ||
            (study->cpus > 1 && !save_figure(study, prefix, i, SWEEP_BY_CLASS, "-kernel", draw_bars, err)))
            return false;
    return true;
}
