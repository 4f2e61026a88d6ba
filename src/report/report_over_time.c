#include "src/report/report_over_time.h"

#include "src/base/printable.h"
#include "src/base/sums.h"
#include "src/report/gnuplot.h"
#include "src/report/report_bars.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_ROWS = 40, BAR = 50 };

static const struct {
    const char *label, *title;
    char letter;
    const char *colour;
} parts[INTERVAL_PARTS] = {[INTERVAL_USER_RUNS] = {"user", "user", 'U', "#3b6ea5"},
                           [INTERVAL_USER_STALLS] = {"stalled", "user, stalled", 'u', "#9ad0ec"},
                           [INTERVAL_KERNEL_RUNS] = {"kernel", "kernel", 'K', "#c8423b"},
                           [INTERVAL_KERNEL_STALLS] = {"stalled", "kernel, stalled", 'k', "#f2c14e"},
                           [INTERVAL_SYNC] = {"sync", "sync", 's', "#7b2d4f"},
                           [INTERVAL_IDLE] = {"idle", "idle", '.', "#e8e8e8"}};

const char *report_time_part(enum interval_part part)
{
    return parts[part].title;
}

static uint64_t sum_of(const struct interval *interval)
{
    uint64_t sum = 0;
    for (unsigned part = 0; part < INTERVAL_PARTS; part++)
        sum_add(&sum, interval->part[part]);
    return sum;
}

static double seconds(const struct results *column, uint64_t time)
{
    return column->clock_hz ? (double)time / (double)column->clock_hz : 0;
}

/* Text */

/* Draw a bar of letters proportional to the parts; cumulative boundaries are rounded. */
static void put_bar(const struct interval *interval, FILE *out)
{
    uint64_t whole = sum_of(interval), so_far = 0;
    unsigned drawn = 0;
    fputs("  ", out);
    for (unsigned part = 0; part < INTERVAL_PARTS; part++) {
        sum_add(&so_far, interval->part[part]);
        for (; whole > 0 && drawn < (unsigned)((double)so_far / (double)whole * BAR + 0.5); drawn++)
            fputc(parts[part].letter, out);
    }
    fputc('\n', out);
}

static void print_column(const struct results *column, FILE *out)
{
    struct intervals intervals = intervals_read(column);
    size_t step = (intervals.count + PRINTED_ROWS - 1) / PRINTED_ROWS;
    fprintf(out, "\nexecution over time: %s, in %% of each interval\n%12s", PRINTABLE(column->title), "seconds");
    for (unsigned part = 0; part < INTERVAL_PARTS; part++)
        if (part != INTERVAL_SYNC || intervals.has_sync)
            fprintf(out, " %8s", parts[part].label);
    fputs("\n", out);
    for (size_t i = 0; i < intervals.count; i += step) {
        struct interval sum = intervals.row[i];
        for (size_t more = i + 1; more < i + step && more < intervals.count; more++) {
            sum.end = intervals.row[more].end;
            for (unsigned part = 0; part < INTERVAL_PARTS; part++)
                sum_add(&sum.part[part], intervals.row[more].part[part]);
        }
        double whole = (double)sum_of(&sum);
        fprintf(out, "%12.6f", seconds(column, sum.end));
        for (unsigned part = 0; part < INTERVAL_PARTS; part++)
            if (part != INTERVAL_SYNC || intervals.has_sync)
                fprintf(out, " %8.2f", whole > 0 ? 100 * (double)sum.part[part] / whole : 0);
        put_bar(&sum, out);
    }
    free(intervals.row);
}

void report_over_time_print(const struct result_files *report, FILE *out)
{
    for (unsigned i = 0; i < report->count; i++)
        if (report->columns[i]->over_time)
            print_column(report->columns[i], out);
}

/* The figure */

struct figure {
    const struct results *column;
    struct intervals intervals;
};

/* Write the cumulative shares of the parts at TIME, in per cent. */
static void put_point(const struct figure *figure, uint64_t time, const struct interval *row, FILE *out)
{
    double whole = (double)sum_of(row), so_far = 0;
    fprintf(out, "%.9g", seconds(figure->column, time));
    for (unsigned part = 0; part < INTERVAL_PARTS; part++) {
        so_far += (double)row->part[part];
        fprintf(out, " %.5g", whole > 0 ? 100 * so_far / whole : 0);
    }
    fputc('\n', out);
}

/* Two points per interval, so that it has a constant height. */
static void put_data(const struct figure *figure, FILE *out)
{
    uint64_t begin = figure->intervals.begin;
    for (size_t i = 0; i < figure->intervals.count; i++) {
        put_point(figure, begin, &figure->intervals.row[i], out);
        put_point(figure, figure->intervals.row[i].end, &figure->intervals.row[i], out);
        begin = figure->intervals.row[i].end;
    }
}

static void put_script(const void *opaque, FILE *out)
{
    const struct figure *figure = opaque;
    char title[RESULTS_TITLE_SIZE + 32];
    snprintf(title, sizeof title, "Execution over time: %s", figure->column->title);
    gnuplot_put_frame(out, &(struct gnuplot_frame){title, "% of execution time", GNUPLOT_WIDTH, 360});
    fputs("set xlabel 'simulated seconds'\nset yrange [0:100]\nset style fill solid 1 noborder\nset autoscale xfix\n"
          "set grid noytics\nset xtics scale 1\n$rows << EOD\n",
          out);
    put_data(figure, out);
    fputs("EOD\nplot ", out);
    for (unsigned part = INTERVAL_PARTS; part-- > 0;) {
        if (part == INTERVAL_SYNC && !figure->intervals.has_sync)
            continue;
        fprintf(out, "$rows using 1:%u with filledcurves y1=0 lc rgb '%s' title ", part + 2, parts[part].colour);
        gnuplot_put_quoted(out, parts[part].title);
        fputs(part ? ", " : "\n", out);
    }
}

/* Replace the characters of a title that are not allowed in a file name. */
static void make_name(char *name, size_t size, const char *title)
{
    snprintf(name, size, "%s", title);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-+=", *at))
            *at = '_';
}

bool report_over_time_draw(const struct result_files *report, const char *folder, struct err *err)
{
    char path[PATH_MAX], name[RESULTS_TITLE_SIZE];
    for (unsigned i = 0; i < report->count; i++) {
        const struct results *column = report->columns[i];
        if (!column->over_time)
            continue;
        make_name(name, sizeof name, column->title);
        if (snprintf(path, sizeof path, "%s/over-time-%s.svg", folder, name) >= PATH_MAX)
            return err_set(err, "--svg: the name is too long");
        struct figure figure = {column, intervals_read(column)};
        bool done = figure.intervals.count == 0 || gnuplot_draw(path, put_script, &figure, err);
        free(figure.intervals.row);
        if (!done)
            return false;
    }
    return true;
}
