#include "src/report/report_figures.h"

#include "src/base/printable.h"
#include "src/measure/measures.h"
#include "src/report/report_bars.h"
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

static bool draw(struct report_bars *bars, struct err *err)
{
    bool done = report_bars_draw(bars, err);
    report_bars_free(bars);
    return done;
}

/* Figure 4.3: kernel, user and idle time of all CPUs, normalised to the first column. */
static bool draw_time(const struct result_files *report, const char *path, struct err *err)
{
    static const char *const names[] = {"kernel", "user", "idle"};
    static const enum modes sums[] = {MODES_KERNEL, MODES_USER, MODES_IDLE};
    const struct results *first = report->columns[0];
    double whole = seconds(first, results_sum(first, "cycles", MODES_TOTAL));
    struct report_bars *bars =
        report_bars_create(path, "Execution time", "normalised execution time", report->count, 3);
    for (unsigned i = 0; i < report->count; i++) {
        snprintf(bars->bar[i], REPORT_BARS_NAME, "%.90s", report->columns[i]->title);
        for (unsigned part = 0; part < 3; part++) {
            double own = seconds(report->columns[i], results_sum(report->columns[i], "cycles", sums[part]));
            snprintf(bars->part[part], REPORT_BARS_NAME, "%s", names[part]);
            report_bars_set(bars, i, part, whole > 0 ? own / whole : 0);
        }
    }
    return draw(bars, err);
}

/* Figure 4.4: kernel (-K) and user programs (-U). */
static bool draw_mcpi(const struct result_files *report, const char *path, struct err *err)
{
    const struct kinds kinds = find_kinds();
    struct report_bars *bars =
        report_bars_create(path, "Memory stall, of the kernel (K) and of user programs (U)",
                           "memory stall cycles per instruction", 2 * report->count, kinds.count);
    for (unsigned i = 0; i < 2 * report->count; i++) {
        const struct results *column = report->columns[i / 2];
        snprintf(bars->bar[i], REPORT_BARS_NAME, "%.90s-%s", column->title, i % 2 ? "U" : "K");
        for (unsigned kind = 0; kind < kinds.count; kind++) {
            snprintf(bars->part[kind], REPORT_BARS_NAME, "%s", kinds.kind[kind]->part);
            report_bars_set(bars, i, kind, mcpi(column, kinds.kind[kind], i % 2 ? MODES_USER : MODES_KERNEL));
        }
    }
    return draw(bars, err);
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
    unsigned bar = 0;
    const struct kinds kinds = find_kinds();
    struct report_bars *bars =
        report_bars_create(path, "Memory stall of the kernel that out-of-order execution hides",
                           "kernel memory stall cycles per instruction", FIGURE_KINDS * count_pairs(report), 2);
    snprintf(bars->part[0], REPORT_BARS_NAME, "observed");
    snprintf(bars->part[1], REPORT_BARS_NAME, "hidden");
    for (unsigned i = 0; i < report->count; i++) {
        const struct results *column = report->columns[i], *beside = in_order_column(report, column);
        for (unsigned kind = 0; beside && kind < FIGURE_KINDS; kind++, bar++) {
            snprintf(bars->bar[bar], REPORT_BARS_NAME, "%.60s %s", column->title, kinds.kind[kind]->part);
            report_bars_set(bars, bar, 0, mcpi(column, kinds.kind[kind], MODES_KERNEL));
            report_bars_set(bars, bar, 1, hidden(column, beside, kinds.kind[kind]));
        }
    }
    return draw(bars, err);
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
    struct report_bars *bars =
        report_bars_create(path, "Kernel time by service", "simulated seconds of all CPUs", report->count, named + 1);
    snprintf(bars->part[named], REPORT_BARS_NAME, "others");
    for (unsigned part = 0; part < named; part++) {
        snprintf(bars->part[part], REPORT_BARS_NAME, "%.90s", times[part].name);
        printable_replace(bars->part[part], '?');
    }
    for (unsigned i = 0; i < report->count; i++) {
        double rest = 0;
        snprintf(bars->bar[i], REPORT_BARS_NAME, "%.90s", report->columns[i]->title);
        for (size_t part = 0; part < count; part++) {
            double own = service_seconds(report->columns[i], times[part].name);
            if (part < named)
                report_bars_set(bars, i, (unsigned)part, own);
            else
                rest += own;
        }
        report_bars_set(bars, i, named, rest);
    }
    free(times);
    return draw(bars, err);
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
