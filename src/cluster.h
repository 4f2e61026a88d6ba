/*
 * `simos cluster FILE.tcl`: several machines in one process, on network segments that they share
 * (docs/how-to/cluster.md).
 *
 * Ordering rule: every machine runs to the end of the present window of simulated time, one after the other; then they
 * exchange their frames (src/hub_port.h). Nothing depends on the order.
 */
#ifndef SIMOS_CLUSTER_H
#define SIMOS_CLUSTER_H

#include "src/command_line.h"
#include "src/log.h"

/* LINE's script is the file; its options are every node's, before the node's own. Returns the exit status of the
 * process: that of the first node, in the order of the file, whose status is not 0, services left out; 128 + signal
 * number; or EXIT_SIMOS_FAILED with ERR set. */
int cluster_main(const struct command_line *line, struct err *err);

#endif
