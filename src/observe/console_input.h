/*
 * Host input of serial port 0: the external source "console" of a machine (src/host/external.h).
 *
 * Keys of a terminal are sent to the guest from power-on, except Ctrl-A and the key after it: Ctrl-A x ends the run,
 * Ctrl-A Ctrl-A sends one Ctrl-A. Other input (a pipe, a file) is sent once user space is up, followed by an
 * end-of-file character (Ctrl-D).
 */
#ifndef SIMOS_OBSERVE_CONSOLE_INPUT_H
#define SIMOS_OBSERVE_CONSOLE_INPUT_H

#include "src/machine/machine.h"

struct console_input;

enum console_input_kind {
    CONSOLE_INPUT_NONE,     /* no input */
    CONSOLE_INPUT_STREAM,   /* a file or a pipe, which has an end */
    CONSOLE_INPUT_TERMINAL, /* interactive input */
    CONSOLE_INPUT_LINE,     /* interactive input without escape keys and without an end */
};

/* FD (not owned) is read, non-blocking, only when poll(2) reports it readable. */
struct console_input *console_input_create(enum console_input_kind kind, int fd);
void console_input_free(struct console_input *input);

/* Stop reading; no end of file is sent to the guest. */
void console_input_close(struct console_input *input);

/* Connect the input to MACHINE, before its first run. */
void console_input_attach(struct console_input *input, struct machine *machine);
/* Disconnect the input from its machine. */
void console_input_detach(struct console_input *input);

#endif
