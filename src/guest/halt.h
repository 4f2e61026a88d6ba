/* A Linux guest that powers itself off or halts without its init (`poweroff -f`, `halt -f`) has no controller for it on
 * most boards, and would wait for ever in machine_hang() (arch/mips/kernel/reset.c). */
#ifndef SIMOS_GUEST_HALT_H
#define SIMOS_GUEST_HALT_H

#include "annotations/symbols/machine_view.h"

/* Watched by halt_watch(); it stays where it is as long as the cores. */
struct halt_watch {
    void (*ends)(void *opaque, const char *how); /* "halted", "powered off" */
    void *opaque;
};

/* Call watch->ends when the kernel of VIEW calls machine_power_off() or machine_halt(). Needs its symbols; without them
 * nothing is watched. */
void halt_watch(struct halt_watch *watch, const struct machine_view *view);

#endif
