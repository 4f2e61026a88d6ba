/* A Linux guest that powers itself off or halts without its init (`poweroff -f`, `halt -f`) has no controller for it on
 * this board, and would wait for ever in machine_hang(): the run ends at the call (arch/mips/kernel/reset.c). */
#ifndef SIMOS_MACHINE_HALT_H
#define SIMOS_MACHINE_HALT_H

#include "src/machine/machine.h"

/* End the run of MACHINE with MACHINE_STOP_EXIT, status 0, and machine->halted when its kernel calls
 * machine_power_off() or machine_halt(). Needs its symbols; without them nothing is watched. */
void halt_watch(struct machine *machine);

#endif
