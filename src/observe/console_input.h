/*
 * What somebody types, for serial port 0: an input of a machine ("console", src/host/external.h).
 *
 * A terminal's keys are given to the guest from power-on, except for Ctrl-A and the key behind it: `x` ends the run,
 * Ctrl-A is Ctrl-A. Anything else (a pipe, a file) is given to it once userland is up, with an end-of-file character
 * (Ctrl-D) behind it.
 */
#ifndef SIMOS_CONSOLE_INPUT_H
#define SIMOS_CONSOLE_INPUT_H

#include "src/machine/machine.h"

struct console_input;

enum console_input_kind {
    CONSOLE_INPUT_NONE,     /* nobody types */
    CONSOLE_INPUT_STREAM,   /* a file or a pipe, which ends */
    CONSOLE_INPUT_TERMINAL, /* somebody types */
    CONSOLE_INPUT_LINE,     /* the same, without keys of ours: it has no end */
};

/* FD (not owned) is read without waiting only when poll(2) says that it has something. */
struct console_input *console_input_create(enum console_input_kind kind, int fd);
void console_input_free(struct console_input *input);

/* From here on nothing more is read, and the guest is told no end. */
void console_input_close(struct console_input *input);

/* MACHINE gets it. Before its first run. */
void console_input_attach(struct console_input *input, struct machine *machine);
/* It gets it no more. */
void console_input_detach(struct console_input *input);

#endif
