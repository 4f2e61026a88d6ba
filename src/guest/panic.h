/*
 * Detects a panic of the guest kernel, by a hook on its function panic(). The guest continues: its messages go to the
 * console, and with `panic=-1` in the boot arguments it restarts.
 *
 * Known about Linux: panic(format, ...); in its final loop it calls the function in panic_blink repeatedly (no_blink()
 * if that is NULL); panic_timeout is 0 if the loop is endless. Both variables are exported. Nothing is detected without
 * a symbol file, or if a machine is restored during the panic.
 */
#ifndef SIMOS_GUEST_PANIC_H
#define SIMOS_GUEST_PANIC_H

#include "annotations/symbols/machine_view.h"

/* What panic_watch() watches; it stays where it is as long as the cores. */
struct panic_watch {
    struct machine_view view;
    /* CORE has called panic() with the format string MESSAGE, up to its first conversion. */
    void (*panics)(void *opaque, const struct core *core, const char *message);
    void (*hangs)(void *opaque); /* the kernel is in the endless loop at the end of panic() */
    void *opaque;
    bool has_panicked; /* after the first call; later ones are ignored */
};

/* Hook the kernel of watch->view, whose symbols are loaded. */
void panic_watch(struct panic_watch *watch);

#endif
