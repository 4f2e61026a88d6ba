/*
 * A measurement window of a run: LENGTH instructions, whose statistics alone are reported, after a warm-up that fills
 * caches and TLB and is not counted (docs/how-to/series.md). With a warm-up of 0 the window begins at the checkpoint.
 * Instruction counts are sums over all CPUs, and exact.
 */
#ifndef SIMOS_RUN_WINDOW_H
#define SIMOS_RUN_WINDOW_H

#include "src/machine/machine.h"
#include "src/observe/instrument.h"

struct window {
    bool wanted;
    uint64_t warmup; /* warm-up, in instructions; by embra, or by the machine's own model if the host lacks embra */
    uint64_t length; /* window, in instructions; executed by the machine's own model; 0: to the end of the run */
    bool partial;    /* the end of the run before that of the window is no error */
    /* Set by window_run(): */
    bool begun;     /* the warm-up was complete */
    uint64_t start; /* first instruction of the window, counted since power-on */
    bool complete;  /* all LENGTH instructions were executed */
};

/* machine_run() for the warm-up and then for the window, instrumented by WATCH (NULL: not instrumented). The statistics
 * cover the window alone; window.* describe it, so WINDOW must outlive the statistics. *REASON: why the window ended,
 * or the warm-up: then the window has no instruction. Returns false with ERR if a CPU model cannot be created. */
bool window_run(struct window *window, struct instrument *instrument, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err);

#endif
