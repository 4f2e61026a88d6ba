/*
 * An event in a run, as named on the command line: EVENT in "MODEL@EVENT".
 *
 *     boot            user space is up, the job has not started
 *     mark:NAME       the guest reaches the mark NAME (simos-mark NAME)
 *     time:SECONDS    of simulated time since power-on
 *     insns:N         instructions since power-on, over all CPUs
 */
#ifndef SIMOS_MACHINE_MACHINE_EVENT_H
#define SIMOS_MACHINE_MACHINE_EVENT_H

#include "devices/board/control.h"
#include "src/base/log.h"
#include "src/base/types.h"

enum machine_event_kind { MACHINE_EVENT_BOOT, MACHINE_EVENT_MARK, MACHINE_EVENT_TIME, MACHINE_EVENT_INSNS };

struct machine_event {
    enum machine_event_kind kind;
    char mark[CONTROL_NAME_MAX + 1];
    double seconds;
    uint64_t insns;
};

/* Parse TEXT. False with ERR if it is invalid. */
bool machine_event_parse(struct machine_event *event, const char *text, struct err *err);

/* Write EVENT to TEXT as machine_event_parse() takes it. */
enum { MACHINE_EVENT_TEXT_SIZE = CONTROL_NAME_MAX + 32 };
void machine_event_text(const struct machine_event *event, char text[MACHINE_EVENT_TEXT_SIZE]);

/* SECONDS, above 0, in cycles of a clock of CLOCK_HZ, to the nearest; at least 1, CYCLES_NEVER if there are 10^19 or
 * more. Events and limits of the same number of seconds are the same cycle by it. */
cycles machine_seconds_in_cycles(double seconds, uint64_t clock_hz);

/* A MACHINE_EVENT_TIME in cycles of a clock of CLOCK_HZ, at least 1; CYCLES_NEVER for the other kinds. */
cycles machine_event_time(const struct machine_event *event, uint64_t clock_hz);

/* Do A and B describe the same event? */
bool machine_event_equal(const struct machine_event *a, const struct machine_event *b);

#endif
