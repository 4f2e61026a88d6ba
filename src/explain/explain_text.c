/* An explanation in words and as a table. */
#include "src/explain/explain.h"

#include "src/base/printable.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *unit_of_level(enum leaf_level level)
{
    return level == LEAVES_BY_PLACE ? "routine" : level == LEAVES_BY_SERVICE ? "service" : "mode";
}

void explanation_say(const struct explanation *e, size_t index, char *text, size_t size)
{
    const struct explain_cause *cause = &e->causes[index];
    const struct leaf_name *name = &cause->name;
    const struct measure_cause *known = measure_cause_named(name->cause);
    const char *before = known ? known->before : NULL, *after = known ? known->after : "";
    char routine[160], class[48] = "";
    if (name->routine)
        snprintf(routine, sizeof routine, "%.150s", name->routine);
    else
        snprintf(routine, sizeof routine, "%s%ss", cause->whole ? "all " : "other ", unit_of_level(e->level));
    if (name->class && *name->class)
        snprintf(class, sizeof class, " (%.40s)", name->class);
    const bool has_data = name->data && *name->data;
    const bool is_lock = has_data && strncmp(name->data, "lock ", 5) == 0;
    const bool uses_data = has_data && !is_lock;
    snprintf(text, size, "%s%s%s%.150s%s%s%s%.150s%s", before ? before : name->cause, before ? "" : ": ", routine,
             uses_data ? " to " : "", uses_data ? name->data : "", after, is_lock ? " while it waits for " : "",
             is_lock ? name->data : "", class);
    if (name->routine && !name->data && !cause->whole)
        snprintf(text + strlen(text), size - strlen(text), ", the rest");
    printable_replace(text, '?');
}

void explanation_amount(const struct explanation *e, ticks amount, char *text, size_t size)
{
    static const struct {
        double factor;
        const char *unit;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
    if (e->ticks_per_cycle[0] == 1 && e->ticks_per_cycle[1] == 1) {
        snprintf(text, size, "%+" PRId64 " cycles", (int64_t)amount);
        return;
    }
    const double seconds = (double)amount / e->ticks_per_second;
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof units[0] && fabs(seconds) * units[i].factor < 1)
        i++;
    snprintf(text, size, "%+.4f %s", seconds * units[i].factor, units[i].unit);
}

void explanation_say_why(const struct explanation *e, size_t index, char *text, size_t size)
{
    const struct explain_cause *cause = &e->causes[index];
    const bool runs = strcmp(cause->name.cause, "execute") == 0;
    char by_count[48], by_cost[48];
    const char *what = runs ? "instructions" : "times";
    explanation_amount(e, cause->by_count, by_count, sizeof by_count);
    explanation_amount(e, cause->by_cost, by_cost, sizeof by_cost);
    if (cause->count[0] == 0 && cause->count[1] == 0)
        snprintf(text, size, "%" PRId64 " cycles instead of %" PRId64 "; how often is not counted", cause->cycles[1],
                 cause->cycles[0]);
    else if (cause->count[0] == 0)
        snprintf(text, size, "new in %s: %" PRIu64 " %s, %.4g cycles each", e->name[1], cause->count[1], what,
                 (double)cause->cycles[1] / (double)cause->count[1]);
    else if (cause->count[1] == 0)
        snprintf(text, size, "gone in %s: %" PRIu64 " %s, %.4g cycles each in %s", e->name[1], cause->count[0], what,
                 (double)cause->cycles[0] / (double)cause->count[0], e->name[0]);
    else
        snprintf(text, size, "%" PRIu64 " %s instead of %" PRIu64 " (%s), %.4g cycles each instead of %.4g (%s)",
                 cause->count[1], what, cause->count[0], by_count, (double)cause->cycles[1] / (double)cause->count[1],
                 (double)cause->cycles[0] / (double)cause->count[0], by_cost);
}
