/*
 * The open outputs that a reader can hold up: stdout, stderr, and the pipes, terminals and sockets that options name. A
 * write to one of them waits for its reader, for as long as nobody asks the process to end. From then on the thread
 * that receives signals (src/host/end_signals.h) looks at them, and gives up each whose reader has taken nothing for
 * OPEN_OUTPUTS_PATIENCE: its descriptor leads to /dev/null from there on, so that the run can end and complete its
 * other outputs. A write that waits in the kernel is repeated when its thread receives a signal whose handler has
 * SA_RESTART, and then goes to /dev/null too: those who write see no error and need not know.
 *
 * A slow reader loses nothing as long as it takes something within that time. Regular files are never given up. What
 * Tcl scripts open themselves is not looked at.
 *
 * Descriptors belong to the process, and so does the list. All functions may be called from any thread.
 */
#ifndef SIMOS_BASE_OPEN_OUTPUTS_H
#define SIMOS_BASE_OPEN_OUTPUTS_H

#include "src/base/types.h"
#include <stdbool.h>
#include <stdio.h>

#define OPEN_OUTPUTS_PATIENCE ((nsec)2000000000) /* host time */

/* Add descriptor FD, called WHAT PATH in messages (PATH may be ""). Regular files are left out, and an FD that is there
 * already. */
void open_outputs_add(int fd, const char *what, const char *path);
/* Remove FD, which must be flushed and is about to be closed. No effect if it is not there. */
void open_outputs_remove(int fd);

/* Look at all outputs at host time NOW, when the thread that writes has run for RAN, and give up those that are full
 * and whose reader has taken nothing for the time above. That it took something shows in the bytes that wait for it,
 * or, if a write has put others in their place at once, in RAN. To be called several times a second, for the first time
 * when the process is to end. True if one was given up by this call: then a write may wait for it. */
bool open_outputs_give_up(nsec now, nsec ran);

/* Print a line for each output that was given up since the last call. */
void open_outputs_report(FILE *out);

#endif
