#include "src/report/report_figures.h"

#include "src/chart/chart.h"
#include "src/measure/measures.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 12 };

/* The stalls of I-MCPI and D-MCPI: those of figure 4.4, then those that it does not have. */
struct kinds {
    const struct measure_cause *kind[STALL_COUNT];
    unsigned count;
};

static struct kinds find_kinds(void)
{
    const struct measure_cause *cause;
    struct kinds kinds = {.count = 0};
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        if (cause->side != SIDE_NONE)
            kinds.kind[kinds.count++] = cause;
    return kinds;
}

static double mcpi(const struct results *column, const struct measure_cause *kind, enum modes sum)
{
    char key[64];
    snprintf(key, sizeof key, "stall.%s", kind->name);
    const uint64_t insns = results_sum(column, "insns", sum);
    return insns ? (double)results_sum(column, key, sum) / (double)insns : 0;
}

static double seconds(const struct results *column, uint64_t cycles)
{
    return column->clock_hz ? (double)cycles / (double)column->clock_hz : 0;
}

static bool save(struct chart_bars *bars, const char *path, struct err *err)
{
    const bool done = chart_bars_save(bars, path, err);
    chart_bars_free(bars);
    return done;
}

/* Figure 4.3: kernel, user and idle time of all CPUs, normalised to the first column. */
static bool draw_time(const struct result_files *report, const char *path, struct err *err)
{
    static const char *const names[] = {"kernel", "user", "idle"};
    static const enum modes sums[] = {MODES_KERNEL, MODES_USER, MODES_IDLE};
    const struct results *first = report->columns[0];
    double whole = seconds(first, results_sum(first, "cycles", MODES_TOTAL));
    struct chart_bars *bars = chart_bars_create("Execution time", "normalised execution time", CHART_UPRIGHT);
    for (unsigned part = 0; part < 3; part++)
        chart_bars_add_part(bars, names[part], measure_colour(names[part]));
    for (unsigned i = 0; i < report->count; i++) {
        chart_bars_add(bars, report->columns[i]->title);
        for (unsigned part = 0; part < 3; part++) {
            double own = seconds(report->columns[i], results_sum(report->columns[i], "cycles", sums[part]));
            chart_bars_set(bars, part, whole > 0 ? own / whole : 0, NULL);
        }
    }
    return save(bars, path, err);
}

/* Figure 4.4: the kernel and user programs of each column. */
static bool draw_mcpi(const struct result_files *report, const char *path, struct err *err)
{
    const struct kinds kinds = find_kinds();
    struct chart_bars *bars = chart_bars_create("Memory stall of the kernel (K) and of user programs (U)",
                                                "memory stall cycles per instruction", CHART_UPRIGHT);
    for (unsigned kind = 0; kind < kinds.count; kind++)
        chart_bars_add_part(bars, kinds.kind[kind]->part, measure_colour(kinds.kind[kind]->name));
    for (unsigned i = 0; i < report->count; i++) {
        chart_bars_begin_group(bars, report->columns[i]->title);
        for (unsigned mode = 0; mode < 2; mode++) {
            chart_bars_add(bars, mode ? "U" : "K");
            for (unsigned kind = 0; kind < kinds.count; kind++)
                chart_bars_set(bars, kind, mcpi(report->columns[i], kinds.kind[kind], mode ? MODES_USER : MODES_KERNEL),
                               NULL);
        }
    }
    return save(bars, path, err);
}

/* Figure 4.5 */

/* The column of an in-order model that has the same machine as COLUMN, which is of mxs; NULL: none. */
static const struct results *in_order_column(const struct result_files *report, const struct results *column)
{
    if (strcmp(column->model, "mxs") != 0)
        return NULL;
    for (unsigned i = 0; i < report->count; i++)
        if (strcmp(report->columns[i]->model, "mxs") != 0 &&
            strcmp(report->columns[i]->machine, column->machine) == 0 && report->columns[i]->cpus == column->cpus)
            return report->columns[i];
    return NULL;
}

static unsigned count_pairs(const struct result_files *report)
{
    unsigned pairs = 0;
    for (unsigned i = 0; i < report->count; i++)
        pairs += in_order_column(report, report->columns[i]) != NULL;
    return pairs;
}

static double hidden(const struct results *column, const struct results *beside, const struct measure_cause *kind)
{
    double more = mcpi(beside, kind, MODES_KERNEL) - mcpi(column, kind, MODES_KERNEL);
    return more > 0 ? more : 0;
}

enum { FIGURE_KINDS = 4 /* the first kinds, which figure 4.5 has */ };

static bool draw_hidden(const struct result_files *report, const char *path, struct err *err)
{
    const struct kinds kinds = find_kinds();
    struct chart_bars *bars = chart_bars_create("Memory stall of the kernel that out-of-order execution hides",
                                                "kernel memory stall cycles per instruction", CHART_UPRIGHT);
    chart_bars_add_part(bars, "observed", measure_colour("observed"));
    chart_bars_add_part(bars, "hidden", measure_colour("hidden"));
    for (unsigned i = 0; i < report->count; i++) {
        const struct results *column = report->columns[i], *beside = in_order_column(report, column);
        if (beside)
            chart_bars_begin_group(bars, column->title);
        for (unsigned kind = 0; beside && kind < FIGURE_KINDS; kind++) {
            chart_bars_add(bars, kinds.kind[kind]->part);
            chart_bars_set(bars, 0, mcpi(column, kinds.kind[kind], MODES_KERNEL), NULL);
            chart_bars_set(bars, 1, hidden(column, beside, kinds.kind[kind]), NULL);
        }
    }
    return save(bars, path, err);
}

void report_hidden_print(const struct result_files *report, FILE *out)
{
    const struct kinds kinds = find_kinds();
    if (count_pairs(report) == 0)
        return;
    fprintf(out,
            "\nkernel stall hidden: cycles an instruction, in order and out of order\n%-22s %-14s %10s %10s %10s\n", "",
            "", "in order", "mxs", "hidden");
    for (unsigned i = 0; i < report->count; i++) {
        const struct results *column = report->columns[i], *beside = in_order_column(report, column);
        for (unsigned kind = 0; beside && kind < FIGURE_KINDS; kind++) {
            double before = mcpi(beside, kinds.kind[kind], MODES_KERNEL);
            double after = mcpi(column, kinds.kind[kind], MODES_KERNEL);
            fprintf(out, "%-22.22s %-14s %10.4f %10.4f %8.1f %%\n", kind ? "" : column->title, kinds.kind[kind]->part,
                    before, after, before > 0 ? 100 * (before - after) / before : 0);
        }
    }
}

/* Kernel time by service */

struct service_time {
    const char *name;
    double most; /* seconds; the maximum over the columns */
};

static bool is_kernel(const char *name)
{
    return strcmp(name, "USER") != 0 && strcmp(name, "IDLE") != 0;
}

static double service_seconds(const struct results *column, const char *name)
{
    const json_t *cycles = json_object_get(json_object_get(column->services, name), "cycles");
    return json_is_integer(cycles) && json_integer_value(cycles) > 0
               ? seconds(column, (uint64_t)json_integer_value(cycles))
               : 0;
}

static int by_time(const void *a, const void *b)
{
    const struct service_time *x = a, *y = b;
    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* All services of all columns, in order of decreasing time. The caller frees the array. */
static struct service_time *services_of(const struct result_files *report, size_t *count)
{
    const char *name;
    json_t *value;
    size_t room = 0;
    *count = 0;
    for (unsigned i = 0; i < report->count; i++)
        room += json_object_size(report->columns[i]->services);
    struct service_time *times = checked_memory(calloc(room + 1, sizeof *times));
    for (unsigned i = 0; i < report->count; i++)
        json_object_foreach(report->columns[i]->services, name, value)
        {
            size_t at = 0;
            double own = service_seconds(report->columns[i], name);
            while (at < *count && strcmp(times[at].name, name) != 0)
                at++;
            if (at == *count && is_kernel(name))
                times[(*count)++] = (struct service_time){name, 0};
            if (at < *count && own > times[at].most)
                times[at].most = own;
        }
    if (*count)
        qsort(times, *count, sizeof *times, by_time);
    return times;
}

static bool draw_services(const struct result_files *report, const char *path, struct err *err)
{
    size_t count;
    struct service_time *times = services_of(report, &count);
    unsigned named = count < PARTS_MAX ? (unsigned)count : PARTS_MAX;
    struct chart_bars *bars =
        chart_bars_create("Kernel time by service", "simulated seconds of all CPUs", CHART_UPRIGHT);
    for (unsigned part = 0; part < named; part++)
        chart_bars_add_part(bars, times[part].name, measure_fill_colour(part));
    chart_bars_add_part(bars, "others", measure_colour("other"));
    for (unsigned i = 0; i < report->count; i++) {
        double rest = 0;
        chart_bars_add(bars, report->columns[i]->title);
        for (size_t part = 0; part < count; part++) {
            double own = service_seconds(report->columns[i], times[part].name);
            if (part < named)
                chart_bars_set(bars, (unsigned)part, own, NULL);
            else
                rest += own;
        }
        chart_bars_set(bars, named, rest, NULL);
    }
    free(times);
    return save(bars, path, err);
}

static bool have_services(const struct result_files *report)
{
    for (unsigned i = 0; i < report->count; i++)
        if (json_object_size(report->columns[i]->services) > 0)
            return true;
    return false;
}

bool report_figures_draw(const struct result_files *report, const char *folder, struct err *err)
{
    const struct {
        const char *name;
        bool (*draw)(const struct result_files *report, const char *path, struct err *err);
        bool wanted;
    } figures[] = {{"execution-time.svg", draw_time, true},
                   {"mcpi.svg", draw_mcpi, true},
                   {"hidden.svg", draw_hidden, count_pairs(report) > 0},
                   {"services.svg", draw_services, have_services(report)}};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!figures[i].wanted)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, figures[i].name) >= PATH_MAX)
            return err_set(err, "--svg: the name is too long");
        if (!figures[i].draw(report, path, err))
            return false;
    }
    return true;
}
