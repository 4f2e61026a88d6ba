/* The idle loop of Linux (kernel/sched/idle.c): one iteration lasts from do_idle() to schedule_idle(). */
#ifndef SIMOS_GUEST_IDLE_LOOP_H
#define SIMOS_GUEST_IDLE_LOOP_H

#include "annotations/symbols/machine_view.h"

/* Charge the time that the kernel of VIEW is in its idle loop to idle mode. False if the loop has no symbols. */
bool idle_loop_watch(const struct machine_view *view);

#endif
