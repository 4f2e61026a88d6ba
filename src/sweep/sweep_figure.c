/*
 * Figures of a sweep, drawn by gnuplot: one stacked bar per cache and sweep point, with the parts of the table.
 */
#include "src/sweep/sweep_report.h"

#include "src/report/gnuplot.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <string.h>

/* Write a gnuplot data block for cache NTH: a row of label and parts for each point. False if there is no such
 * cache. */
static bool put_data(const struct sweep_study *study, unsigned series, enum sweep_table form, unsigned nth, FILE *out)
{
    const char *names[SWEEP_PARTS_MAX];
    unsigned parts = sweep_report_parts(form, names);
    struct sweep_cache cache;
    if (!sweep_cache(study->sweep[series], 0, nth, &cache))
        return false;
    fprintf(out, "$cache%u << EOD\n", nth);
    for (unsigned point = 0; point < study->series[series].count; point++) {
        sweep_cache(study->sweep[series], point, nth, &cache);
        fprintf(out, "\"%s\"", study->series[series].label[point]);
        for (unsigned part = 0; part < parts; part++)
            fprintf(out, " %.6f", sweep_report_value(study, form, &cache.counts, part));
        fputc('\n', out);
    }
    fputs("EOD\n", out);
    return true;
}

static void put_plot(const struct sweep_study *study, unsigned series, enum sweep_table form, unsigned caches,
                     FILE *out)
{
    const char *names[SWEEP_PARTS_MAX];
    unsigned parts = sweep_report_parts(form, names);
    fputs("plot ", out);
    for (unsigned nth = 0; nth < caches; nth++) {
        struct sweep_cache cache;
        sweep_cache(study->sweep[series], 0, nth, &cache);
        fprintf(out, "%snewhistogram '%s'", nth ? ", " : "", cache.name);
        for (unsigned part = 0; part < parts; part++) {
            fprintf(out, ", $cache%u using %u:xtic(1) lc rgb '%s' ", nth, part + 2, gnuplot_colour(names[part], part));
            fputs(nth == 0 ? "title " : "notitle", out);
            if (nth == 0)
                gnuplot_put_quoted(out, names[part]);
        }
    }
    fputc('\n', out);
}

struct figure {
    const struct sweep_study *study;
    unsigned series;
    enum sweep_table form;
};

/* Width in pixels that fits the labels of all bars side by side. */
static unsigned width_of(const struct figure *figure)
{
    enum { BESIDE_PIXELS = 220, BETWEEN_PIXELS = 10, GAP_SLOTS = 2 };
    const struct sweep_series *series = &figure->study->series[figure->series];
    struct sweep_cache cache;
    unsigned caches = 0, longest = 1;
    while (sweep_cache(figure->study->sweep[figure->series], 0, caches, &cache))
        caches++;
    for (unsigned point = 0; point < series->count; point++)
        if (strlen(series->label[point]) > longest)
            longest = (unsigned)strlen(series->label[point]);
    const unsigned slots = caches * (series->count + GAP_SLOTS);
    const unsigned least = BESIDE_PIXELS + slots * (longest * GNUPLOT_CHARACTER + BETWEEN_PIXELS);
    return least > GNUPLOT_WIDTH ? least : GNUPLOT_WIDTH;
}

static void put_script(const void *opaque, FILE *out)
{
    const struct figure *figure = opaque;
    const struct sweep_study *study = figure->study;
    unsigned caches = 0, series = figure->series;
    enum sweep_table form = figure->form;
    char title[256];
    snprintf(title, sizeof title, "%s: %.200s", form == SWEEP_BY_CLASS ? "Kernel misses by class" : "Misses by cause",
             study->series[series].name);
    gnuplot_put_frame(out, &(struct gnuplot_frame){title,
                                                   form == SWEEP_BY_CLASS ? "kernel misses per 100 kernel instructions"
                                                                          : "misses per 100 instructions",
                                                   width_of(figure), GNUPLOT_HEIGHT});
    fputs("set style data histograms\nset style histogram rowstacked title offset 0,-1\nset boxwidth 0.75\n"
          "set yrange [0:*]\nset key invert\nset bmargin 4\n",
          out);
    while (put_data(study, series, form, caches, out))
        caches++;
    put_plot(study, series, form, caches, out);
}

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

static bool save_figure(const struct sweep_study *study, const char *prefix, unsigned series, enum sweep_table form,
                        struct err *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s-%s%s.svg", prefix, study->series[series].name,
                          form == SWEEP_BY_CLASS ? "-kernel" : "");
    if ((size_t)length >= sizeof path)
        return err_set(err, "--out: the name is too long");
    const struct figure figure = {study, series, form};
    return gnuplot_draw(path, put_script, &figure, err);
}

bool sweep_report_save(const struct sweep_study *study, const char *prefix, struct err *err)
{
    if (!save_with(study, prefix, ".txt", sweep_report_tables, err) ||
        !save_with(study, prefix, ".tsv", sweep_report_counts, err))
        return false;
    if (!gnuplot_is_installed())
        return true;
    for (unsigned i = 0; i < study->count; i++)
        if (!save_figure(study, prefix, i, SWEEP_BY_EVICTOR, err) ||
            (study->cpus > 1 && !save_figure(study, prefix, i, SWEEP_BY_CLASS, err)))
            return false;
    return true;
}
