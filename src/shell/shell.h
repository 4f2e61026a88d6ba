/*
 * `simos shell [SCRIPT.tcl]`: a Tcl prompt or a Tcl script that builds, runs, inspects and single-steps a machine.
 * The manual is docs/reference/shell.md.
 *
 * Not supported: changing the CPUs or caches of a machine that has been built (`discard` it and build another).
 */
#ifndef SIMOS_SHELL_SHELL_H
#define SIMOS_SHELL_SHELL_H

#include "src/observe/annotated.h"

struct history_options;

/* Execute the file SCRIPT; if it is NULL, execute commands from standard input, with a prompt if that is a terminal.
 * Machines are built from OPTIONS, which the shell modifies; their past is kept as HISTORY says (NULL: it is not).
 * Returns the exit status of the process: 0; the argument of a script's `exit`; 128 + N after an orderly end by signal
 * N; or EXIT_SIMOS_FAILED, after a line on stderr that names file and line. The command `exit` may also end the process
 * without returning. */
int shell_main(struct machine_options *options, const struct history_options *history, const char *series,
               const char *script);

/* The shell as the interpreter of --script: it has only read-only commands. */
extern const struct annotated_interpreter shell_interpreter;

#endif
