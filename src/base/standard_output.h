/*
 * What commands print on stdout: once, at its end, whether it got there.
 */
#ifndef SIMOS_STANDARD_OUTPUT_H
#define SIMOS_STANDARD_OUTPUT_H

#include "src/base/log.h"

/* Is stdout a pipe, or a socket, that nobody reads any more? */
bool standard_output_is_closed(void);

/* Write out what was printed. False with ERR: not all of it is there. Where nobody reads it any more, the process ends
 * here by SIGPIPE, without a word, whether that signal is ignored or not. */
bool standard_output_end(struct err *err);

#endif
