/*
 * The lines of errors, for the program that started this one. stderr has the guest's words too, and the exit status may
 * be that of the guest's command; what is written here is simos's alone. The environment variable SIMOS_ERRORS_FD holds
 * the number of a descriptor that this process has inherited; docs/reference/exit-status.md has the form of the lines.
 *
 * Programs that this one starts inherit neither the variable nor the descriptor.
 */
#ifndef SIMOS_BASE_ERROR_LINES_H
#define SIMOS_BASE_ERROR_LINES_H

#include "src/base/log.h"

/* At the start of the process: take the descriptor that the environment names, if any. False with ERR if it cannot be
 * written to. */
bool error_lines_open(struct err *err);

/* Print an error as the top level does, "simos: LINE" on stderr, and for the other program: control characters become
 * blanks. */
void error_lines_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for the other program alone: LINE, of the KIND "bug". */
void error_lines_bug(const char *line);

/* A warning that something is deprecated: "simos: LINE" on stderr unless QUIET, and for the other program, of the kind
 * "deprecated". */
void error_lines_deprecated(const char *line, bool quiet);

/* The exit status of a process that the signal NUMBER has ended in good order, 128 + NUMBER. The other program learns
 * that it is not the status of a command of the guest. */
int error_lines_status_of_signal(int number);

#endif
