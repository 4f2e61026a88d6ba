#include "src/report/report_over_time.h"

#include "src/base/printable.h"
#include "src/base/sums.h"
#include "src/measure/measures.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_ROWS = 40, BAR = 50 };

static const struct {
    const char *label, *title;
    char letter;
    const char *mark; /* of the catalogue: its colour */
} parts[INTERVAL_PARTS] = {[INTERVAL_USER_RUNS] = {"user", "user", 'U', "user"},
                           [INTERVAL_USER_STALLS] = {"stalled", "user, stalled", 'u', "user stalled"},
                           [INTERVAL_KERNEL_RUNS] = {"kernel", "kernel", 'K', "kernel"},
                           [INTERVAL_KERNEL_STALLS] = {"stalled", "kernel, stalled", 'k', "kernel stalled"},
                           [INTERVAL_SYNC] = {"sync", "sync", 's', "sync"},
                           [INTERVAL_IDLE] = {"idle", "idle", '.', "idle"}};

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

/* The chart */

struct report_time_chart *report_time_chart_create(const struct results *column, const char *title)
{
    struct report_time_chart *chart = checked_memory(calloc(1, sizeof *chart));
    struct intervals intervals = intervals_read(column);
    struct chart_shares *const shares = &chart->shares;
    unsigned shown[INTERVAL_PARTS];
    *shares = (struct chart_shares){
        .title = title, .count = intervals.count, .begin = seconds(column, intervals.begin), .part = chart->part};
    for (unsigned part = 0; part < INTERVAL_PARTS; part++)
        if (part != INTERVAL_SYNC || intervals.has_sync) {
            shown[shares->parts] = part;
            chart->part[shares->parts++] = (struct chart_part){parts[part].title, measure_colour(parts[part].mark)};
        }
    shares->end = chart->end = checked_memory(calloc(intervals.count + 1, sizeof *chart->end));
    chart->insns = checked_memory(calloc(intervals.count + 1, sizeof *chart->insns));
    shares->insns = intervals.has_insns ? chart->insns : NULL;
    shares->share = chart->share = checked_memory(calloc((intervals.count + 1) * INTERVAL_PARTS, sizeof *chart->share));
    for (size_t i = 0; i < intervals.count; i++) {
        const double whole = (double)sum_of(&intervals.row[i]);
        chart->end[i] = seconds(column, intervals.row[i].end);
        chart->insns[i] = intervals.row[i].insns;
        for (unsigned part = 0; whole > 0 && part < shares->parts; part++)
            chart->share[i * shares->parts + part] = (double)intervals.row[i].part[shown[part]] / whole;
    }
    free(intervals.row);
    return chart;
}

void report_time_chart_free(struct report_time_chart *chart)
{
    free(chart->end);
    free(chart->insns);
    free(chart->share);
    free(chart);
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
    char path[PATH_MAX], name[RESULTS_TITLE_SIZE], title[RESULTS_TITLE_SIZE + 32];
    for (unsigned i = 0; i < report->count; i++) {
        const struct results *column = report->columns[i];
        if (!column->over_time)
            continue;
        make_name(name, sizeof name, column->title);
        if (snprintf(path, sizeof path, "%s/over-time-%s.svg", folder, name) >= PATH_MAX)
            return err_set(err, "--svg: the name is too long");
        snprintf(title, sizeof title, "Execution over time: %s", column->title);
        struct report_time_chart *chart = report_time_chart_create(column, title);
        const bool done = chart_shares_are_empty(&chart->shares) || chart_shares_save(&chart->shares, path, err);
        report_time_chart_free(chart);
        if (!done)
            return false;
    }
    return true;
}
