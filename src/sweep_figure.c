/*
 * Figures through gnuplot: a bar a cache and size, made of the parts of the table.
 */
#include "src/sweep_report.h"

#include "src/gnuplot.h"
#include "src/save_file.h"
#include <errno.h>
#include <string.h>

/* A block of rows for the NTHth cache of every point: label, parts. */
static bool put_data(const struct sweep_study *study, unsigned series, enum sweep_form form, unsigned nth, FILE *out)
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
            fprintf(out, " %.6f", sweep_report_part(study, form, &cache.counts, part));
        fputc('\n', out);
    }
    fputs("EOD\n", out);
    return true;
}

static void put_plot(const struct sweep_study *study, unsigned series, enum sweep_form form, unsigned caches, FILE *out)
{
    const char *names[SWEEP_PARTS_MAX];
    unsigned parts = sweep_report_parts(form, names);
    fputs("plot ", out);
    for (unsigned nth = 0; nth < caches; nth++) {
        struct sweep_cache cache;
        sweep_cache(study->sweep[series], 0, nth, &cache);
        fprintf(out, "%snewhistogram '%s' lt 1", nth ? ", " : "", cache.name);
        for (unsigned part = 0; part < parts; part++) {
            fprintf(out, ", $cache%u using %u:xtic(1) lt %u ", nth, part + 2, part + 1);
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
    enum sweep_form form;
    const char *path;
};

static void put_script(const void *opaque, FILE *out)
{
    const struct figure *figure = opaque;
    const struct sweep_study *study = figure->study;
    unsigned caches = 0, series = figure->series;
    enum sweep_form form = figure->form;
    fputs("set terminal svg size 720,420 noenhanced background '#ffffff'\nset output ", out);
    gnuplot_put_quoted(out, figure->path);
    fputs("\nset title ", out);
    gnuplot_put_quoted(out, study->series[series].name);
    fprintf(out, "\nset ylabel '%s'\n",
            form == SWEEP_BY_CLASS ? "kernel misses per 100 kernel instructions" : "misses per 100 instructions");
    fputs("set style data histograms\nset style histogram rowstacked title offset 0,-1\nset style fill solid 0.8 "
          "border -1\n"
          "set boxwidth 0.75\nset yrange [0:*]\nset key outside right invert\nset bmargin 4\nset grid ytics\n",
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

static bool save_figure(const struct sweep_study *study, const char *prefix, unsigned series, enum sweep_form form,
                        struct err *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s-%s%s.svg", prefix, study->series[series].name,
                          form == SWEEP_BY_CLASS ? "-kernel" : "");
    if ((size_t)length >= sizeof path)
        return err_set(err, "--out: the name is too long");
    const struct figure figure = {study, series, form, path};
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
