/*
 * Output of commands on stdout: checked once, at the end, for write errors.
 */
#ifndef SIMOS_BASE_STANDARD_OUTPUT_H
#define SIMOS_BASE_STANDARD_OUTPUT_H

#include "src/base/log.h"

/* Is stdout a pipe or socket without a reader? */
bool standard_output_is_closed(void);

/* Flush stdout. False with ERR if output was lost. If stdout has no reader, the process ends here by SIGPIPE, without a
 * message, even if that signal is ignored. */
bool standard_output_end(struct err *err);

#endif
