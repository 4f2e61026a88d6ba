/*
 * Completion: what the word at the cursor may become. Knows nothing of readline.
 *
 * Not looked at: earlier lines of a command that has several, and quoting beyond brackets, braces and semicolons.
 */
#ifndef SIMOS_SHELL_COMPLETE_H
#define SIMOS_SHELL_COMPLETE_H

#include "src/shell/shell_state.h"

/* Candidates for the word TEXT, which begins at START of LINE: a list (without references), each beginning with TEXT.
 * *FILES: there is none, and the names of files will do. */
Tcl_Obj *shell_complete(struct shell *shell, const char *line, size_t start, const char *text, bool *files);

#endif
