/*
 * Detects a panic of the guest kernel, by a hook on its function panic(): records the message, the caller and the last
 * exception. The guest continues: its messages go to the console, and with `panic=-1` in the boot arguments it
 * restarts. If it does not restart, the run ends after the messages (MACHINE_STOP_DEADLOCK).
 *
 * Known about Linux: panic(format, ...); in its final loop it calls the function in panic_blink repeatedly (no_blink()
 * if that is NULL); panic_timeout is 0 if the loop is endless. Both variables are exported. Nothing is detected without
 * a symbol file, or if a machine is restored during the panic.
 */
#ifndef SIMOS_MACHINE_PANIC_H
#define SIMOS_MACHINE_PANIC_H

#include "src/machine/machine.h"

/* Install the hook in MACHINE, whose symbols are loaded. machine->panic is set when a panic occurs. */
void panic_watch(struct machine *machine);

#endif
