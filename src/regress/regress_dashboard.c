/*
 * The values of a test for dashboards that draw a value over commits: an array of name, unit, value, range and extra,
 * as github-action-benchmark reads it with `tool: customSmallerIsBetter`.
 */
#include "src/base/json_writer.h"
#include "src/regress/regress_baseline.h"
#include "src/regress/regress_lines.h"
#include "src/results/sampling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 3 * REGRESS_LINE, WHOLE = 100 };

/* Half the interval of the mean of RESULT's repetitions, of this row alone; NaN without repetitions. */
static double half_of(const struct regress_report *report, const struct regress_result *result)
{
    const unsigned count = result->finding.repetitions;
    const uint64_t *values = regress_layout_values(report, result);
    double *parts = checked_memory(calloc(2 * (size_t)count + 1, sizeof *parts));
    for (unsigned i = 0; i < count; i++) {
        parts[i] = (double)values[i];
        parts[count + i] = 1;
    }
    const double half = sampling_ratio(parts, parts + count, count, report->run->file->confidence / WHOLE).half_width;
    free(parts);
    return half;
}

static void put_entry(const struct regress_report *report, const struct regress_result *result,
                      struct json_writer *json)
{
    const struct regress_row *row = regress_row_of(report, result);
    const char *file = report->run->file->path;
    char text[TEXT], change[REGRESS_LINE], limit[REGRESS_LINE];
    const double half = half_of(report, result);
    json_line(json, 2);
    json_begin_object(json);
    snprintf(text, sizeof text, "%.*s: %s on %s", regress_stem_length(file), file, row->name,
             regress_machine_of(report, result));
    json_member_text(json, "name", text);
    json_member_text(json, "unit", regress_figure_unit(row->figure));
    json_key(json, "value");
    json_put_double(json, result->finding.new);
    if (!isnan(half)) {
        snprintf(text, sizeof text, "± %.3g", half);
        json_member_text(json, "range", text);
    }
    regress_put_change(&result->finding, change);
    regress_put_limit(row, &result->finding, limit);
    snprintf(text, sizeof text, "%s: %s, limit %s", regress_verdict_of(result), change, limit);
    json_member_text(json, "extra", text);
    json_end_object(json);
}

/* In the order of machines and rows, whatever the verdicts: the names of a dashboard stay where they are. */
static void put_report(const struct regress_report *report, struct json_writer *json)
{
    const unsigned rows = report->run->file->row_count;
    const struct regress_result **cells = checked_memory(calloc(report->count + 1u, sizeof *cells));
    for (unsigned i = 0; i < report->count; i++)
        cells[report->results[i].machine * rows + report->results[i].row] = &report->results[i];
    for (unsigned i = 0; i < report->count; i++)
        if (cells[i]->finding.verdict != REGRESS_MISSING)
            put_entry(report, cells[i], json);
    free(cells);
}

void regress_reports_dashboard(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    struct json_writer json = json_writer_to(out);
    json_begin_array(&json);
    for (unsigned i = 0; i < reports->count; i++)
        put_report(reports->reports[i], &json);
    json_line(&json, 0);
    json_end_array(&json);
    putc('\n', out);
}
