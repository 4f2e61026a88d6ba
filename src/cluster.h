/*
 * `simos cluster FILE.tcl`: several machines in one process, connected by simulated network segments
 * (docs/cluster.md).
 *
 * Synchronisation: each machine runs to the end of the current window of simulated time, one after the other; then
 * the machines exchange frames (src/hub_port.h). Results do not depend on the order.
 */
#ifndef SIMOS_CLUSTER_H
#define SIMOS_CLUSTER_H

#include "src/command_line.h"
#include "src/log.h"

/* Run the cluster that LINE's script describes. LINE's options apply to every node, before its own. Returns the exit
 * status of the process: the first non-zero status of a node in the order of the file, services excluded; 128 + signal
 * number; or EXIT_SIMOS_FAILED with ERR. */
int cluster_main(const struct command_line *line, struct err *err);

#endif
