/* The figure of a report. */
#include "src/report/report.h"

#include "src/chart/chart.h"
#include "src/measure/measures.h"
#include <limits.h>
#include <string.h>

/* Parts of a bar, from the bottom: rows of the account over user and kernel mode; the remainder; idle time. */
enum { PARTS_MAX = 24 };

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

static void add_bar(const struct figure *figure, struct chart_bars *bars, const struct results *column)
{
    uint64_t rest = results_sum(column, "cycles", MODES_BUSY);
    chart_bars_add(bars, column->title);
    for (unsigned part = 0; part < figure->count; part++) {
        const uint64_t cycles = results_sum(column, figure->keys[part], MODES_BUSY);
        chart_bars_set(bars, part, seconds(column, cycles), NULL);
        rest -= cycles < rest ? cycles : rest;
    }
    chart_bars_set(bars, figure->count, seconds(column, rest), NULL);
    chart_bars_set(bars, figure->count + 1, seconds(column, results_sum(column, "cycles", MODES_IDLE)), NULL);
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
    struct chart_bars *bars = chart_bars_create("Where the time goes", "simulated seconds of all CPUs", CHART_UPRIGHT);
    for (unsigned part = 0; part < figure.count; part++) {
        const char *const key = figure.keys[part], *const dot = strchr(key, '.');
        char label[RESULTS_KEY_SIZE];
        report_label(key, label, sizeof label);
        chart_bars_add_part(bars, label, measure_colour(dot ? dot + 1 : key));
    }
    chart_bars_add_part(bars, "other", measure_colour("other"));
    chart_bars_add_part(bars, "idle", measure_colour("idle"));
    for (unsigned i = 0; i < report->count; i++)
        add_bar(&figure, bars, report->columns[i]);
    const bool done = chart_bars_save(bars, path, err);
    chart_bars_free(bars);
    return done;
}
