/*
 * CPU scheduler. Private to src/machine*.c and src/machine/schedule.c.
 *
 * Time is divided into quanta of machine->quantum cycles, beginning at its multiples. Among the CPUs that have not
 * finished the quantum of the core that lags most, the one with the lowest number runs next. The end of a quantum does
 * not depend on when a CPU began to run: a CPU interrupted within its quantum is chosen again, and interrupting and
 * continuing machine_run() does not change the order of the CPUs.
 */
#ifndef SIMOS_MACHINE_SCHEDULE_H
#define SIMOS_MACHINE_SCHEDULE_H

#include "src/machine/machine.h"

/* Is CORE powered up and not waiting? */
static inline bool schedule_is_ready(const struct core *core)
{
    return core->s.running > core->s.waiting;
}

/* Is CORE ready, and not held by a debugger? */
static inline bool schedule_may_run(const struct core *core)
{
    /* `running && !waiting && !held` in one comparison, since the scheduler calls this for every core */
    return core->s.running > (core->s.waiting | core->held);
}

/* Is CORE ready, and not left behind by the others while a debugger holds it? */
static inline bool schedule_has_time(const struct core *core)
{
    return core->s.running > (core->s.waiting | core->left_behind);
}

static inline cycles schedule_earlier(cycles a, cycles b)
{
    return a < b ? a : b;
}

/* End of the quantum that contains TIME: the next multiple above it. */
static inline cycles schedule_quantum_end(const struct machine *machine, cycles time)
{
    return (time / machine->quantum + 1) * machine->quantum;
}

/* The ready core that lags most: its time is the machine's time. NULL if all wait, are off, or are left behind. */
struct core *schedule_laggard(const struct machine *machine);

/* The core to run next, if LAGGARD (NULL: none) is the one that lags most. NULL if none is ready, if LAGGARD has
 * reached HORIZON, the time of the next event, or if LAGGARD is held and the others have to wait for it. */
struct core *schedule_next(const struct machine *machine, const struct core *laggard, cycles horizon);

/* Are all other CPUs than CORE waiting, off or held? */
bool schedule_is_alone(const struct machine *machine, const struct core *core);

/* Present time of the machine: machine_now(); while all CPUs wait, at least the time at which the last one began to
 * wait. */
cycles schedule_present(const struct machine *machine);

#endif
