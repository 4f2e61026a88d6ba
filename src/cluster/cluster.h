/*
 * `simos cluster FILE.tcl`: several machines in one process, connected by simulated network segments
 * (docs/how-to/cluster.md).
 *
 * Synchronisation: each machine runs to the end of the current window of simulated time, one after the other; then
 * the machines exchange frames (src/network/hub_port.h). Results do not depend on the order.
 */
#ifndef SIMOS_CLUSTER_CLUSTER_H
#define SIMOS_CLUSTER_CLUSTER_H

#include "src/base/log.h"
#include "src/run/run_options.h"

struct cluster_options {
    const char *file;              /* FILE.tcl */
    const struct run_options *run; /* options of every node, before the node's own */
    int word_count;                /* the words they come from, and FILE.tcl among them */
    const char *const *words;
    run_options_parser *parse; /* of the words of a node */
};

/* Run the cluster that the file describes. Returns the exit status of the process: the first non-zero status of a node
 * in the order of the file, services excluded; 128 + signal number; or EXIT_SIMOS_FAILED with ERR. */
int cluster_main(const struct cluster_options *options, struct err *err);

#endif
