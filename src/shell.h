/*
 * `simos shell [SCRIPT.tcl]`: a Tcl prompt, or a Tcl script, that builds a machine, runs it, looks into it and steps.
 * docs/reference/shell.md is the manual.
 *
 * Not offered: changing CPUs or caches of a machine that is built (`discard` it and build another).
 */
#ifndef SIMOS_SHELL_H
#define SIMOS_SHELL_H

#include "src/machine.h"

struct end_signals;

/* Run the file SCRIPT; or, if it is NULL, commands from standard input, with a prompt if that is a terminal. OPTIONS
 * are what the machine will be built from; the shell changes them. Returns the exit status of the process: 0, what a
 * script said with `exit`, 128 and the number of the signal that ended it in good order, or EXIT_SIMOS_FAILED after a
 * line on stderr that names file and line. `exit` ends the process from within. */
int shell_main(struct machine_options *options, const char *script);

/* For a script beside a run of MACHINE: a shell that has the commands that only look. One of SIGNALS (NULL: none)
 * unwinds what it evaluates. NULL with ERR. */
struct shell *shell_open_observer(struct machine *machine, struct end_signals *signals, struct err *err);
/* NULL is fine; the machine is not freed with it. */
void shell_close_observer(struct shell *shell);

#endif
