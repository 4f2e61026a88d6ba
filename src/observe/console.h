/*
 * The host side of a run: serial ports on stdout and stderr, the terminal as the guest's console, signals, and the
 * progress line.
 *
 *             with a job                       without
 *   UART 0    stderr, discarded if quiet       stdout, with stdin as input
 *   UART 1    stdout, byte for byte            stdout
 *   UART 2    stderr                           stderr
 *
 * On a terminal the console is raw: every key is sent to the guest, except that Ctrl-A x ends the run and Ctrl-A Ctrl-A
 * sends one Ctrl-A. Other input is sent once user space is up, followed by an end-of-file character (Ctrl-D). UART 0
 * can be redirected: src/host/console_port.h.
 *
 * Idle simulated time is skipped without delay, except while interactive input is possible: then it is paced to real
 * time, and the host sleeps.
 */
#ifndef SIMOS_OBSERVE_CONSOLE_H
#define SIMOS_OBSERVE_CONSOLE_H

#include "src/base/log.h"
#include "src/machine/machine.h"

struct console;

/* Host interface for machine_create(); its opaque pointer is the console. */
extern const struct machine_host console_host;

struct console_config {
    const char *device; /* console.device */
    bool has_job;       /* the run has a command */
    bool quiet;
    bool replay; /* input comes from a record, not from the host */
};

/* Create the console. It owns the terminal and the signals until console_free(); at most one per process at a time.
 * NULL with ERR if the device cannot be opened. */
struct console *console_create(const struct console_config *config, struct err *err);
/* Close the guest's input, without sending an end of file; the terminal returns to its original mode and its keys have
 * their usual effects. */
void console_close_input(struct console *console);
/* Connect MACHINE, before machine_run(). */
void console_attach(struct console *console, struct machine *machine);
/* The run that begins now ends at END at the latest; the progress line shows the fraction done. */
void console_expect(struct console *console, const struct machine_limits *end);
/* Flush buffered output, erase the progress line, restore the terminal. NULL is allowed. */
void console_free(struct console *console);

/* Flush all output now. False with ERR if a write to stdout or stderr has failed (closed pipe, full disk). */
bool console_flush(struct console *console, struct err *err);

/* Release the signals: they have their default effect at any time. Take them: they again end the run in an orderly way,
 * as initially. */
void console_release_signals(struct console *console);
void console_take_signals(struct console *console);
/* The signal handling (src/host/end_signals.h). */
struct end_signals *console_signals(struct console *console);

#endif
