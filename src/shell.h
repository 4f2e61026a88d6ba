/*
 * `simos shell [SCRIPT.tcl]`: a Tcl prompt or a Tcl script that builds, runs, inspects and single-steps a machine.
 * The manual is docs/shell.md.
 *
 * Not supported: changing the CPUs or caches of a machine that has been built (`discard` it and build another).
 */
#ifndef SIMOS_SHELL_H
#define SIMOS_SHELL_H

#include "src/machine.h"

struct end_signals;

/* Execute the file SCRIPT; if it is NULL, execute commands from standard input, with a prompt if that is a terminal.
 * Machines are built from OPTIONS, which the shell modifies. Returns the exit status of the process: 0; the argument of
 * a script's `exit`; 128 + N after an orderly end by signal N; or EXIT_SIMOS_FAILED, after a line on stderr that names
 * file and line. The command `exit` may also end the process without returning. */
int shell_main(struct machine_options *options, const char *script);

/* Create a shell for the script of a run of MACHINE (--script); it has only read-only commands. A pending signal of
 * SIGNALS (NULL: none) unwinds the script. Returns NULL with ERR on failure. */
struct shell *shell_open_observer(struct machine *machine, struct end_signals *signals, struct err *err);
/* SHELL may be NULL; its machine is not freed. */
void shell_close_observer(struct shell *shell);

#endif
