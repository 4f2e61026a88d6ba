/* The figure of a report. */
#include "src/report/report.h"

#include "src/report/gnuplot.h"
#include "src/report/report_bars.h"
#include <limits.h>

/* Parts of a bar, from the bottom: rows of the account over user and kernel mode; the remainder; idle time. */
enum { PARTS_MAX = 16 };

struct figure {
    const struct result_files *report;
    unsigned count;
    char keys[PARTS_MAX][RESULTS_KEY_SIZE];
};

static double seconds(const struct results *column, uint64_t cycles)
{
    return column->clock_hz ? (double)cycles / (double)column->clock_hz : 0;
}

/* Add a part unless it is 0 in all bars. Parts beyond PARTS_MAX become part of the remainder. */
static void add_part(void *opaque, const char *key)
{
    struct figure *figure = opaque;
    uint64_t any = 0;
    for (unsigned i = 0; i < figure->report->count; i++)
        any |= results_sum(figure->report->columns[i], key, MODES_BUSY);
    if (any && figure->count < PARTS_MAX)
        snprintf(figure->keys[figure->count++], RESULTS_KEY_SIZE, "%s", key);
}

static void set_bar(const struct figure *figure, struct report_bars *bars, unsigned bar)
{
    const struct results *column = figure->report->columns[bar];
    uint64_t rest = results_sum(column, "cycles", MODES_BUSY);
    snprintf(bars->bar[bar], REPORT_BARS_NAME, "%.90s", column->title);
    for (unsigned part = 0; part < figure->count; part++) {
        const uint64_t cycles = results_sum(column, figure->keys[part], MODES_BUSY);
        report_bars_set(bars, bar, part, seconds(column, cycles));
        rest -= cycles < rest ? cycles : rest;
    }
    report_bars_set(bars, bar, figure->count, seconds(column, rest));
    report_bars_set(bars, bar, figure->count + 1, seconds(column, results_sum(column, "cycles", MODES_IDLE)));
}

bool report_draw(const struct result_files *report, const char *folder, struct err *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/report.svg", folder) >= PATH_MAX)
        return err_set(err, "--svg: the name is too long");
    struct figure figure = {.report = report};
    add_part(&figure, "execute");
    result_files_visit_rows(report, "stall.", add_part, &figure);
    result_files_visit_rows(report, "interlock.", add_part, &figure);
    struct report_bars *bars = report_bars_create(path, "Where the time goes", "simulated seconds of all CPUs",
                                                  report->count, figure.count + 2);
    for (unsigned part = 0; part < figure.count; part++)
        report_label(figure.keys[part], bars->part[part], REPORT_BARS_NAME);
    snprintf(bars->part[figure.count], REPORT_BARS_NAME, "other");
    bars->colour[figure.count] = GNUPLOT_OTHER;
    snprintf(bars->part[figure.count + 1], REPORT_BARS_NAME, "idle");
    bars->colour[figure.count + 1] = GNUPLOT_IDLE;
    for (unsigned i = 0; i < report->count; i++)
        set_bar(&figure, bars, i);
    const bool done = report_bars_draw(bars, err);
    report_bars_free(bars);
    return done;
}
