#include "src/explain/explain_confirm.h"

#include "src/base/printable.h"
#include "src/explain/explain_repeat.h"
#include "src/results/values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Is what cause INDEX makes free what a larger cause does? */
static bool is_repeated(const struct explanation *e, size_t index, const char *whatif)
{
    char other[768];
    struct leaf_name free_name;
    for (size_t i = 0; i < index; i++)
        if (e->causes[i].difference > 0 && explanation_whatif(e, i, other, sizeof other, &free_name) &&
            strcmp(other, whatif) == 0)
            return true;
    return false;
}

/* Print what makes the gain differ from PREDICTED, if it is more than 10 % of it: AGAIN compares B with the repeated
 * run, in which the leaves FREE are free. */
static void print_side_effects(struct explanation *again, const struct leaf_name *free_name, int64_t predicted)
{
    enum { PART = 10, SHOWN = 3 };
    const int64_t gain = again->cycles[0] - again->cycles[1], off = gain - predicted;
    if ((off < 0 ? -off : off) <= predicted / PART)
        return;
    const uint64_t before = results_cpus_count(again->column[0], "exceptions.interrupt"),
                   after = results_cpus_count(again->column[1], "exceptions.interrupt");
    printf("    %+.0f %% against the prediction, which holds everything else as it is in B. What else changed:\n",
           100.0 * (double)off / (double)predicted);
    if (before != after)
        printf("    %" PRIu64 " interrupts instead of %" PRIu64 ": they come by the clock, or when a device is ready\n",
               after, before);
    explanation_leave_out(again, free_name);
    for (size_t i = 0; i < again->cause_count && i < SHOWN && again->causes[i].difference != 0; i++) {
        char what[512], why[256], amount[48];
        explanation_say(again, i, what, sizeof what);
        explanation_say_why(again, i, why, sizeof why);
        explanation_amount(again, again->causes[i].difference, amount, sizeof amount);
        printf("    %s: %s\n        %s\n", amount, what, why);
    }
}

/* Repeat B without cause INDEX, which ASSIGNMENT makes free, and print both gains. False with ERR. */
static bool confirm_cause(const struct explain_repeat *repeat, const struct explanation *e, const char *assignment,
                          const struct leaf_name *free_name, int64_t predicted, struct err *err)
{
    const char *const assignments[] = {assignment, NULL};
    struct explanation *again = explain_repeat_compare(repeat, e, assignments, err);
    if (!again)
        return false;
    const int64_t gain = again->cycles[0] - again->cycles[1];
    printf("%16" PRId64 " %16" PRId64 " %8.2f %%  %s\n", predicted, gain, 100.0 * (double)gain / (double)predicted,
           PRINTABLE(strchr(assignment, '=') + 1));
    print_side_effects(again, free_name, predicted);
    fflush(stdout);
    explanation_free(again);
    return true;
}

bool explain_confirm(const struct explain_options *options, const struct explanation *e, struct err *err)
{
    struct explain_repeat repeat;
    bool done = explain_repeat_begin(&repeat, options, "confirm", e->column[1], err);
    unsigned confirmed = 0;
    if (done && e->level != LEAVES_BY_PLACE)
        done = err_set(err, "--confirm: both runs need --script cycles");
    done = done && explain_repeat_check(&repeat, e, err);
    if (done)
        printf("\nB again, without a cause:\n%16s %16s %10s  %s\n", "predicted gain", "simulated gain", "of it",
               "what is free");
    for (size_t i = 0; done && i < e->cause_count && confirmed < options->confirm; i++) {
        enum { TEXT = 768 };
        static const char name[] = "whatif.free=";
        char assignment[sizeof name + TEXT];
        struct leaf_name free_name;
        memcpy(assignment, name, sizeof name);
        if (e->causes[i].difference <= 0 || !explanation_whatif(e, i, assignment + strlen(name), TEXT, &free_name) ||
            explanation_cycles(e, 1, &free_name) <= 0 || is_repeated(e, i, assignment + strlen(name)))
            continue;
        confirmed++;
        done = confirm_cause(&repeat, e, assignment, &free_name, explanation_cycles(e, 1, &free_name), err);
    }
    if (done && confirmed == 0)
        printf("(none: no cause by which B takes longer can be made free alone)\n");
    explain_repeat_end(&repeat);
    return done;
}
