/*
 * Who runs next. Private to src/machine*.c and src/machine/schedule.c.
 *
 * Time is divided into quanta of machine->quantum cycles, which begin at its multiples. Of the CPUs that have not used
 * up the quantum of the one that lags most, the one with the lowest number runs next. A quantum ends at a multiple, and
 * not so many cycles after a CPU began to run: so a CPU that was interrupted within its quantum is the next one again,
 * and where machine_run() is interrupted and continued makes no difference to who runs when.
 */
#ifndef SIMOS_SCHEDULE_H
#define SIMOS_SCHEDULE_H

#include "src/machine/machine.h"

/* Has CORE power, and something to do? */
static inline bool schedule_may_run(const struct core *core)
{
    return core->s.running >
           core->s.waiting; /* `running && !waiting` in one comparison: asked for every core, always */
}

static inline cycles schedule_earlier(cycles a, cycles b)
{
    return a < b ? a : b;
}

/* The end of the quantum of a CPU at TIME: the next multiple above it. */
static inline cycles schedule_quantum_end(const struct machine *machine, cycles time)
{
    return (time / machine->quantum + 1) * machine->quantum;
}

/* The CPU that lags most of those that may run: its time is the machine's. NULL if all wait or are off. */
struct core *schedule_laggard(const struct machine *machine);

/* The CPU that runs next, where LAGGARD (NULL: none) is the one that lags most. NULL if none may run, or if LAGGARD has
 * got to HORIZON, the time of the next event. */
struct core *schedule_next(const struct machine *machine, const struct core *laggard, cycles horizon);

/* Do all CPUs but CORE wait, or are they off? */
bool schedule_is_alone(const struct machine *machine, const struct core *core);

/* The machine's present: machine_now(), and while all CPUs wait, not before the last of them began to. */
cycles schedule_present(const struct machine *machine);

#endif
