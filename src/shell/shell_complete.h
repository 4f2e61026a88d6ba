/*
 * Completion of the word at the cursor, independent of readline.
 *
 * Not supported: commands that began on an earlier line; quoting other than brackets, braces and semicolons.
 */
#ifndef SIMOS_SHELL_SHELL_COMPLETE_H
#define SIMOS_SHELL_SHELL_COMPLETE_H

#include "src/shell/shell_state.h"

/* Return the candidates for the word TEXT, which begins at byte START of LINE: a list with reference count 0, each
 * element beginning with TEXT. *FILES: there are no candidates, and file names should be completed instead. */
Tcl_Obj *shell_complete(struct shell *shell, const char *line, size_t start, const char *text, bool *files);

#endif
