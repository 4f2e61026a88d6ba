/*
 * The host's side of a run: serial ports to stdout and stderr, the terminal to the guest's console, signals, and the
 * progress line.
 *
 *             with a job                       without
 *   UART 0    stderr, nowhere if quiet         stdout, and stdin to it
 *   UART 1    stdout, byte for byte            stdout
 *   UART 2    stderr                           stderr
 *
 * On a terminal the console is raw: every key reaches the guest, Ctrl-A x ends the run, Ctrl-A Ctrl-A is Ctrl-A. Other
 * input is given to the guest once userland is up, with an end-of-file character (Ctrl-D) behind it. UART 0 may be
 * elsewhere: src/host/console_port.h.
 *
 * Idle simulated time passes as fast as it goes, except while somebody may type: then it is paced to real time, and
 * the host sleeps meanwhile.
 */
#ifndef SIMOS_CONSOLE_H
#define SIMOS_CONSOLE_H

#include "src/base/log.h"
#include "src/machine/machine.h"

struct console;

/* The opaque of console_host is the console. */
extern const struct machine_host console_host;

struct console_config {
    const char *device; /* console.device */
    bool has_job;       /* the run has a command */
    bool quiet;
    bool replay; /* nobody types: input comes from a record */
};

/* Takes the terminal and signals until console_free(). One a process at a time. NULL with ERR if the device cannot be
 * opened. */
struct console *console_create(const struct console_config *config, struct err *err);
/* The guest gets no input, nor an end of it: the terminal is as it was, and keys do nothing but what it makes of them.
 */
void console_close_input(struct console *console);
/* Before machine_run(). */
void console_attach(struct console *console, struct machine *machine);
/* The run that begins now will end at END at the latest: the progress line says how far it has got. */
void console_expect(struct console *console, const struct machine_limits *end);
/* Write out what is buffered, erase the progress line, give the terminal back. NULL is allowed. */
void console_free(struct console *console);

/* Write out everything now. False with ERR if stdout or stderr has failed meanwhile (a closed pipe, a full disk). */
bool console_flush(struct console *console, struct err *err);

/* From here on signals take their default effect, at any time; and from here on they end the run in good order again,
 * as from the beginning. */
void console_release_signals(struct console *console);
void console_take_signals(struct console *console);
/* The signals themselves (src/host/end_signals.h). */
struct end_signals *console_signals(struct console *console);

#endif
