/*
 * `simos cluster FILE.tcl`: several machines in one process, on network segments that they share (docs/cluster.md).
 *
 * Ordering rule: every machine runs to the end of the present window of simulated time, one after the other; then they
 * exchange their frames (src/network/hub_port.h). Nothing depends on the order.
 */
#ifndef SIMOS_CLUSTER_H
#define SIMOS_CLUSTER_H

#include "src/base/log.h"
#include "src/run/run_options.h"

struct cluster_options {
    const char *file;              /* FILE.tcl */
    const struct run_options *run; /* options of every node, before the node's own */
    int word_count;                /* the words they come from, and FILE.tcl among them */
    const char *const *words;
    run_options_parser *parse; /* of the words of a node */
};

/* Returns the exit status of the process: that of the first node, in the order of the file, whose status is not 0,
 * services left out; 128 + signal number; or EXIT_SIMOS_FAILED with ERR set. */
int cluster_main(const struct cluster_options *options, struct err *err);

#endif
