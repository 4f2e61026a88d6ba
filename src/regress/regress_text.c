/* The report of a test as text. */
#include "src/base/printable.h"
#include "src/regress/regress_lines.h"
#include <math.h>
#include <string.h>

enum { VERDICT_WIDTH = 17 };

static void put_side(const char *what, const struct regress_side *side, FILE *out)
{
    if (side->kernel_path)
        fprintf(out, "%s %s (%.12s)", what, PRINTABLE(side->kernel_path), side->kernel_digest);
    else
        fprintf(out, "%s: the checkpoint's kernel", what);
    if (side->program_path)
        fprintf(out, " with %s (%.12s)", PRINTABLE(side->program_path), side->program_digest);
}

static int width_of(const struct regress_report *report, bool of_rows)
{
    int width = of_rows ? 3 : 7;
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        const int length =
            (int)strlen(of_rows ? regress_row_of(report, result)->name : regress_machine_of(report, result));
        width = length > width ? length : width;
    }
    return width;
}

static void put_value(double value, FILE *out)
{
    if (isnan(value))
        fprintf(out, "%14s  ", "-");
    else
        fprintf(out, "%14.1f  ", value);
}
void regress_report_missing(const struct regress_report *report, struct err *err)
{
    char line[REGRESS_SUMMARY];
    for (unsigned i = 0; i < report->count && regress_rank_of(&report->results[i]) == REGRESS_RANK_MISSING; i++) {
        struct err reason = {""};
        regress_put_summary(report, &report->results[i], line);
        err_set(&reason, "test %.200s: %s", report->run->file->path, line);
        err_add(err, &reason);
    }
}

void regress_report_text(const struct regress_report *report, FILE *out)
{
    const struct regress_file *file = report->run->file;
    const int machines = width_of(report, false), rows = width_of(report, true);
    char line[REGRESS_SUMMARY];
    for (unsigned i = 0; i < report->count && regress_rank_of(&report->results[i]) < REGRESS_RANK_HOLDS; i++) {
        regress_put_summary(report, &report->results[i], line);
        fprintf(out, "%s: %s\n", PRINTABLE(file->path), PRINTABLE(line));
    }
    fprintf(out, "%s: %u row%s on %u machine%s; all verdicts hold with %g %%; ", PRINTABLE(file->path), file->row_count,
            file->row_count > 1 ? "s" : "", report->run->machines, report->run->machines > 1 ? "s" : "",
            file->confidence);
    put_side("new", report->new, out);
    fputs(", ", out);
    put_side(report->has_baseline ? "baseline" : "old", report->old, out);
    fprintf(out, "\n\n%-*s  %-*s  %-*s  %14s  %14s  %-30s %9s  %s\n", VERDICT_WIDTH, "verdict", machines, "machine",
            rows, "row", "old", "new", "change", "limit", "repetitions");
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        char change[REGRESS_LINE], limit[REGRESS_LINE];
        regress_put_change(&result->finding, change);
        regress_put_limit(regress_row_of(report, result), &result->finding, limit);
        fprintf(out, "%-*s  %-*s  %-*s  ", VERDICT_WIDTH, regress_verdict_of(result), machines,
                PRINTABLE(regress_machine_of(report, result)), rows, PRINTABLE(regress_row_of(report, result)->name));
        put_value(result->finding.old, out);
        put_value(result->finding.new, out);
        fprintf(out, "%-30s %9s  ", change, limit);
        if (result->finding.repetitions)
            fprintf(out, "%u", result->finding.repetitions);
        else
            fputc('-', out);
        if (result->finding.verdict == REGRESS_UNDECIDED && result->finding.more)
            fprintf(out, ", about %u more would decide", result->finding.more);
        fputc('\n', out);
        regress_put_details(report, result, "    ", out);
    }
}
