/*
 * A panic of the guest's kernel, as its function panic() is called: what it says, where, and after which exception. The
 * guest runs on: its messages go to the console, and with `panic=-1` among the boot arguments it restarts. Where it is
 * not to restart, the run ends when it has said all (MACHINE_STOP_DEADLOCK).
 *
 * What is known of Linux: panic(format, ...); while it stays, it calls what panic_blink points to, again and again
 * (no_blink() if that is NULL); panic_timeout is 0 if it stays for ever. The two variables are exported. Without a
 * symbol file nothing is found; nor is a panic in a machine that is restored in the middle of it.
 */
#ifndef SIMOS_PANIC_H
#define SIMOS_PANIC_H

#include "src/machine/machine.h"

/* Watch MACHINE, whose symbols are loaded. machine->panic is filled when it happens. */
void panic_watch(struct machine *machine);

#endif
