/* The figure of a report. */
#include "src/report.h"

#include "src/gnuplot.h"
#include <limits.h>
#include <string.h>

/* A part of a bar: a row of the account, over user and kernel mode; idle time is one part. */
struct part {
    const char *key, *title;
};

/* From below; stalls that are not named here are one part. */
static const struct part parts[] = {
    {"execute", "execution"},
    {"stall.l1i", "stall L1-I miss"},
    {"stall.l2i", "stall L2-I miss"},
    {"stall.l1d", "stall L1-D miss"},
    {"stall.l2d", "stall L2-D miss"},
    {"stall.upgrade", "stall upgrade"},
    {"stall.write_buffer", "stall write buffer"},
    {"stall.uncached", "stall uncached"},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static double seconds(const struct report_column *column, uint64_t cycles)
{
    return column->clock_hz ? (double)cycles / (double)column->clock_hz : 0;
}

static void put_bar(const struct report_column *column, FILE *out)
{
    uint64_t rest = report_column_sum(column, "cycles", REPORT_BUSY);
    gnuplot_put_text(out, column->title);
    for (unsigned i = 0; i < PARTS; i++) {
        uint64_t cycles = report_column_sum(column, parts[i].key, REPORT_BUSY);
        fprintf(out, " %.9f", seconds(column, cycles));
        rest -= cycles < rest ? cycles : rest;
    }
    fprintf(out, " %.9f %.9f\n", seconds(column, rest),
            seconds(column, report_column_sum(column, "cycles", REPORT_IDLE)));
}

struct figure {
    const struct report *report;
    const char *path;
};

static void put_script(const void *opaque, FILE *out)
{
    const struct figure *figure = opaque;
    fputs("set terminal svg size 900,480 noenhanced\nset output ", out);
    gnuplot_put_quoted(out, figure->path);
    fputs("\nset ylabel 'simulated seconds of all CPUs'\nset style data histograms\nset style histogram rowstacked\n"
          "set style fill solid 0.8 border -1\nset boxwidth 0.75\nset yrange [0:*]\nset key outside right invert\n"
          "set xtics rotate by -30\nset grid ytics\n$bars << EOD\n",
          out);
    for (unsigned i = 0; i < figure->report->count; i++)
        put_bar(figure->report->columns[i], out);
    fputs("EOD\nplot ", out);
    for (unsigned i = 0; i < PARTS + 2; i++) {
        fprintf(out, "%s$bars using %u:xtic(1) lt %u title ", i ? ", " : "", i + 2, i + 1);
        gnuplot_put_quoted(out, i < PARTS ? parts[i].title : i == PARTS ? "other" : "idle");
    }
    fputc('\n', out);
}

bool report_draw(const struct report *report, const char *folder, struct err *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/report.svg", folder) >= PATH_MAX)
        return err_set(err, "--svg: the name is too long");
    const struct figure figure = {report, path};
    return !gnuplot_is_installed() || gnuplot_draw(path, put_script, &figure, err);
}
