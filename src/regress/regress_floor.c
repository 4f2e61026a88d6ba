#include "src/regress/regress_floor.h"

#include "src/base/printable.h"
#include "src/regress/regress_verdict.h"
#include "src/results/sampling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE = 100 };

double regress_floor_of(const uint64_t *old, const uint64_t *new, unsigned count, double level)
{
    double *parts = checked_memory(calloc(2 * (size_t)count + 1, sizeof *parts));
    for (unsigned i = 0; i < count; i++) {
        parts[i] = (double)new[i];
        parts[count + i] = (double)(old ? old[i] : new[(i + 1) % count]);
    }
    const struct sampling_estimate ratio = sampling_ratio(parts, parts + count, count, level);
    free(parts);
    return WHOLE * ratio.half_width;
}

double regress_floor_with(double floor, unsigned count, unsigned wanted, double level)
{
    return floor * sqrt((double)count / wanted) * sampling_student_t(level, wanted - 1) /
           sampling_student_t(level, count - 1);
}

/* How many repetitions bring FLOOR of COUNT down to LIMIT; 0: more than a test has. */
static unsigned repetitions_for(double floor, unsigned count, double limit, double level)
{
    for (unsigned wanted = 2; wanted <= REGRESS_REPETITIONS_MAX; wanted++)
        if (regress_floor_with(floor, count, wanted, level) <= limit)
            return wanted;
    return 0;
}

/* How much single repetitions vary: their standard deviation in per cent of the mean. */
static double spread_of(const uint64_t *values, unsigned count)
{
    const double mean = regress_mean(values, count);
    double squares = 0;
    for (unsigned i = 0; i < count; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    return WHOLE * sqrt(squares / (count - 1)) / mean;
}

static void put_percent(double percent, FILE *out)
{
    if (isfinite(percent))
        fprintf(out, "  %8.3g %%", percent);
    else
        fprintf(out, "  %10s", "-");
}

static int width_of(const struct regress_run *run, bool of_rows)
{
    size_t width = of_rows ? 3 : 7;
    for (unsigned i = 0; i < (of_rows ? run->file->row_count : run->machines); i++) {
        const size_t length = strlen(of_rows ? run->file->rows[i].name : run->machine_name[i]);
        width = length > width ? length : width;
    }
    return (int)width;
}

void regress_floor_print(const struct regress_run *run, const struct regress_side *old, const struct regress_side *new,
                         unsigned count, double level, FILE *out)
{
    const struct regress_file *file = run->file;
    const unsigned first = file->first < count ? file->first : count;
    const int machines = width_of(run, false), rows = width_of(run, true);
    char few[32], many[32];
    snprintf(few, sizeof few, "floor of %u", first);
    snprintf(many, sizeof many, "floor of %u", count);
    fprintf(out, "%s: the smallest change that repetitions tell from none, each with %.4g %%: all hold with %g %%\n\n",
            PRINTABLE(file->path), WHOLE * level, file->confidence);
    fprintf(out, "%-*s  %-*s  %14s  %10s  %12s  %12s  %8s  %s\n", machines, "machine", rows, "row", "mean", "spread",
            few, many, "limit", "repetitions that the limit takes");
    for (unsigned cell = 0; cell < run->machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        if (!row->has_within)
            continue;
        const double floor = regress_floor_of(old ? old->value[cell] : NULL, new->value[cell], count, level);
        const unsigned wanted = isfinite(floor) ? repetitions_for(floor, count, row->within, level) : 0;
        fprintf(out, "%-*s  %-*s  %14.1f", machines, PRINTABLE(run->machine_name[cell / file->row_count]), rows,
                PRINTABLE(row->name), regress_mean(new->value[cell], count));
        put_percent(spread_of(new->value[cell], count), out);
        fputs("  ", out);
        put_percent(regress_floor_with(floor, count, first, level), out);
        fputs("  ", out);
        put_percent(floor, out);
        fprintf(out, "  %6g %%  ", row->within);
        if (!isfinite(floor))
            fputs("-\n", out);
        else if (wanted)
            fprintf(out, "%u\n", wanted);
        else
            fprintf(out, "more than %d\n", REGRESS_REPETITIONS_MAX);
    }
}
