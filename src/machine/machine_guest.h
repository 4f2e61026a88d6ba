/*
 * The machine and its guest's kernel: what is watched of it (src/guest/), and what the machine does then.
 */
#ifndef SIMOS_MACHINE_MACHINE_GUEST_H
#define SIMOS_MACHINE_MACHINE_GUEST_H

#include "annotations/symbols/machine_view.h"
#include "src/machine/machine.h"

/* MACHINE as those see it who watch its guest. */
struct machine_view machine_view_of(const struct machine *machine);

/* Watch a Linux kernel at its symbols: its idle loop, panics, halts, and the move of a kernel with KASLR. */
void machine_watch_linux(struct machine *machine);

/* Watch the routines of the kernel that parameters name: guards, block routines, prefetch points, the page allocator.
 * Symbols, if there are any, are loaded. Fails naming what has no symbol. */
bool machine_watch_kernel(struct machine *machine, struct err *err);

/* Free what was watched, which no core may reach any more. */
void machine_unwatch(struct machine *machine);

#endif
