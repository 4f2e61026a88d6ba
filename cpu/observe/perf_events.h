/*
 * The events of the performance counters (perf_events.def), and their counts. A count is one of the simulator's own
 * statistics of the core, so that a counter that a guest reads and the statistics agree.
 */
#ifndef SIMOS_CPU_OBSERVE_PERF_EVENTS_H
#define SIMOS_CPU_OBSERVE_PERF_EVENTS_H

#include "cpu/core.h"

enum perf_event {
#define EVENT(id, ...) PERF_##id,
#include "cpu/observe/perf_events.def"
#undef EVENT
    PERF_EVENTS,
    PERF_NONE = PERF_EVENTS /* no event */
};

struct perf_event_row {
    uint8_t number;   /* PerfCtl.Event */
    uint8_t counters; /* bit mask: 1 even counter, 2 odd counter */
    uint8_t bound;    /* maximum count for an instruction; 0: at most one in a cycle */
    const char *text;
};
extern const struct perf_event_row perf_event_rows[PERF_EVENTS];

/* The event that COUNTER (0, 1) counts with PerfCtl.Event NUMBER; PERF_NONE if the manual has none, or none that any
 * model counts. */
enum perf_event perf_event_of(unsigned counter, unsigned number);
/* Does CORE, with its present model and caches, count EVENT? */
bool perf_event_is_counted(const struct core *core, enum perf_event event);
/* Is its count a part of the instruction mix (cpu/observe/executions.h), which must be counted for it? */
bool perf_event_needs_mix(enum perf_event event);
/* The count since the start of the statistics; core->s and the buckets must be in sync. EVENT is counted. */
uint64_t perf_event_count(const struct core *core, enum perf_event event);
/* The maximum by which the count can grow in a cycle. */
unsigned perf_event_rate(const struct core *core, enum perf_event event);

#endif
