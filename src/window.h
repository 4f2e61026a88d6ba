/*
 * A window of a run: so many instructions whose figures alone are told, after a warm-up that fills caches and TLB
 * without being told (docs/how-to/series.md). With a warm-up of 0 the figures begin where the machine was saved.
 * Numbers of instructions are sums over all CPUs, and exact.
 */
#ifndef SIMOS_WINDOW_H
#define SIMOS_WINDOW_H

#include "src/machine.h"
#include "src/watch.h"

struct window {
    bool wanted;
    uint64_t warmup; /* instructions by embra, or by the machine's own model if the host does not support it */
    uint64_t length; /* then these by the machine's own model; 0: up to the end of the run */
    /* Filled by window_run(): */
    uint64_t start; /* instructions since power-on at which the figures begin */
    bool complete;  /* all LENGTH were executed */
};

/* machine_run() of the warm-up and then of the window, watched by WATCH (NULL: by nobody). From the beginning of the
 * window on, the statistics tell of it alone, and window.* says what it is; WINDOW must outlive them. False with ERR if
 * the run ended before the window began. */
bool window_run(struct window *window, struct watch *watch, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err);

#endif
