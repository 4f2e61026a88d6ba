/* An explanation as text. */
#include "src/explain/explain_output.h"

#include "src/base/printable.h"
#include "src/base/style.h"
#include "src/results/values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a cause of many routines: where most of it is. */
static void print_most(const struct explanation *e, const struct explain_cause *cause, FILE *out)
{
    for (unsigned i = 0; i < EXPLAIN_MOST && cause->most[i] && cause->leaves > 1; i++) {
        char amount[48];
        explanation_amount(e, cause->most_difference[i], amount, sizeof amount);
        fprintf(out, "%s%s (%s)", i ? ", " : "    most in ", PRINTABLE(cause->most[i]), amount);
    }
    if (cause->most[0] && cause->leaves > 1)
        fputc('\n', out);
}

/* Tables */

static double seconds_of(const struct explanation *e, unsigned side)
{
    return e->column[side]->clock_hz ? (double)e->cycles[side] / (double)e->column[side]->clock_hz : 0;
}

static void print_runs(const struct explanation *e, FILE *out)
{
    for (unsigned side = 0; side < EXPLAIN_SIDES; side++) {
        const struct results *column = e->column[side];
        fprintf(out, "%c %-28.60s %s, %u CPU%s %s %s: %" PRId64 " cycles, %.9f s, %" PRIu64 " instructions\n",
                side ? 'B' : 'A', PRINTABLE(e->title[side]), column->machine, column->cpus, column->cpus > 1 ? "s" : "",
                column->model, column->clock, e->cycles[side], seconds_of(e, side), e->insns[side]);
    }
    char amount[48];
    explanation_amount(e, e->difference, amount, sizeof amount);
    fprintf(out, "B - A%*s%+" PRId64 " cycles, %+.9f s (%+.2f %%)\n", 26, "", e->cycles[1] - e->cycles[0],
            seconds_of(e, 1) - seconds_of(e, 0),
            seconds_of(e, 0) > 0 ? 100 * (seconds_of(e, 1) / seconds_of(e, 0) - 1) : 0.0);
}

static void print_work(const struct explanation *e, FILE *out)
{
    char text[160];
    if (!explanation_same_work(e, text, sizeof text))
        fprintf(out, "the runs did not do the same work: %s\n", PRINTABLE(text));
}

static void print_causes(const struct explanation *e, FILE *out)
{
    size_t count = 0;
    ticks sum = 0;
    while (count < EXPLAIN_TOP && count < e->cause_count && e->causes[count].difference != 0)
        count++;
    if (count == 0) {
        fprintf(out, "\nthere is no difference\n");
        return;
    }
    fprintf(out, "\n%sThe largest causes%s\n", style_on(out, STYLE_HEADING), style_off(out));
    for (size_t i = 0; i < count; i++) {
        char what[512], why[256], amount[48];
        explanation_say(e, i, what, sizeof what);
        explanation_say_why(e, i, why, sizeof why);
        explanation_amount(e, e->causes[i].difference, amount, sizeof amount);
        sum += e->causes[i].difference;
        fprintf(out, "%2zu. %s (%.1f %%): %s\n    %s\n", i + 1, amount, explanation_share(e, e->causes[i].difference),
                what, why);
        print_most(e, &e->causes[i], out);
    }
    fprintf(out, "these %zu: %.1f %% of the difference\n", count, explanation_share(e, sum));
}

/* The sum of the leaves of each cause, largest first. */
static int by_difference(const void *a, const void *b)
{
    const struct explain_cause *x = a, *y = b;
    const ticks first = x->difference < 0 ? -x->difference : x->difference;
    const ticks second = y->difference < 0 ? -y->difference : y->difference;
    return first != second ? (first < second ? 1 : -1) : strcmp(x->name.cause, y->name.cause);
}

static void print_kinds(const struct explanation *e, FILE *out)
{
    enum { KINDS_MAX = 64 };
    struct explain_cause kinds[KINDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < e->leaf_count; i++) {
        const struct explain_leaf *leaf = &e->leaves[i];
        size_t kind = 0;
        while (kind < count && strcmp(kinds[kind].name.cause, leaf->name.cause) != 0)
            kind++;
        if (kind == KINDS_MAX)
            kind--; /* no file of simos has so many */
        else if (kind == count)
            kinds[count++] = (struct explain_cause){.name = leaf->name};
        for (unsigned side = 0; side < EXPLAIN_SIDES; side++)
            kinds[kind].cycles[side] += leaf->cycles[side];
        kinds[kind].difference += leaf->difference;
        kinds[kind].by_count += leaf->by_count;
        kinds[kind].by_cost += leaf->by_cost;
    }
    qsort(kinds, count, sizeof *kinds, by_difference);
    fprintf(out, "\n%s%-14s %16s %16s %18s %18s %18s%s\n", style_on(out, STYLE_HEADING), "by cause", "A, cycles",
            "B, cycles", "B - A", "by count", "by cost", style_off(out));
    for (size_t i = 0; i < count; i++) {
        char amount[3][48];
        explanation_amount(e, kinds[i].difference, amount[0], sizeof amount[0]);
        explanation_amount(e, kinds[i].by_count, amount[1], sizeof amount[1]);
        explanation_amount(e, kinds[i].by_cost, amount[2], sizeof amount[2]);
        for (unsigned j = 0; j < 3; j++) {
            char *end = strstr(amount[j], " cycles");
            if (end)
                *end = '\0';
        }
        char cause[16];
        snprintf(cause, sizeof cause, "%.14s", kinds[i].name.cause);
        printable_replace(cause, '?');
        fprintf(out, "%-14s %16" PRId64 " %16" PRId64 " %18s %18s %18s\n", cause, kinds[i].cycles[0],
                kinds[i].cycles[1], amount[0], amount[1], amount[2]);
    }
}

/* Causes, sums by cause, and how many leaves are new or gone. */
static void print_parts(const struct explanation *e, FILE *out)
{
    size_t appears = 0, disappears = 0;
    ticks gained = 0, lost = 0;
    char amount[2][48];
    for (size_t i = 0; i < e->leaf_count; i++) {
        const struct explain_leaf *leaf = &e->leaves[i];
        const bool in[EXPLAIN_SIDES] = {leaf->count[0] || leaf->cycles[0], leaf->count[1] || leaf->cycles[1]};
        appears += !in[0];
        disappears += !in[1];
        gained += in[0] ? 0 : leaf->difference;
        lost += in[1] ? 0 : leaf->difference;
    }
    print_causes(e, out);
    print_kinds(e, out);
    explanation_amount(e, gained, amount[0], sizeof amount[0]);
    explanation_amount(e, lost, amount[1], sizeof amount[1]);
    fprintf(out, "\n%zu leaves by %s; %zu are new in B (%s), %zu are gone (%s); residual 0\n", e->leaf_count,
            e->level == LEAVES_BY_PLACE     ? "routine, cause and data"
            : e->level == LEAVES_BY_SERVICE ? "service and cause"
                                            : "mode and cause",
            appears, amount[0], disappears, amount[1]);
    if (e->level != LEAVES_BY_PLACE)
        fprintf(out, "(routines and data: run both with --script cycles)\n");
}

/* Another kernel has its functions elsewhere. */
static void print_kernels(const struct explanation *e, FILE *out)
{
    const char *a = results_parameter(e->column[0], "guest.kernel"),
               *b = results_parameter(e->column[1], "guest.kernel");
    if (a && b && strcmp(a, b) != 0)
        fputs("the kernels differ: --placement tells what a change does itself from where the linker put it\n", out);
}

void explanation_print(const struct explanation *e, FILE *out)
{
    print_runs(e, out);
    print_work(e, out);
    print_kernels(e, out);
    print_parts(e, out);
}

void explanation_print_part(const struct explanation *e, const char *title, FILE *out)
{
    char amount[48];
    explanation_amount(e, e->difference, amount, sizeof amount);
    fprintf(out, "\n%s%s: %s%s, from %s to %s\n", style_on(out, STYLE_HEADING), title, amount, style_off(out),
            e->name[0], e->name[1]);
    print_work(e, out);
    print_parts(e, out);
}
