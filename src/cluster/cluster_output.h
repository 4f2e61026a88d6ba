/*
 * What the nodes of a cluster print, as lines with the node's name in front ("server| text"): the jobs' stdout to
 * stdout, their stderr and the kernels' messages to stderr. A line is printed when it is complete.
 */
#ifndef SIMOS_CLUSTER_OUTPUT_H
#define SIMOS_CLUSTER_OUTPUT_H

#include "src/base/board.h"
#include "src/host/console_output.h"

enum { CLUSTER_LINE_MAX = 4096 /* a longer one is printed in pieces */ };

/* The unfinished lines of one node. Zero-initialise. */
struct cluster_lines {
    const char *name;
    size_t length[BOARD_UART_COUNT];
    char text[BOARD_UART_COUNT][CLUSTER_LINE_MAX];
};

/* The node wrote BYTE to serial port UART. */
void cluster_lines_put(struct cluster_lines *lines, struct console_output *output, unsigned uart, uint8_t byte);
/* Print what is unfinished, as lines. */
void cluster_lines_end(struct cluster_lines *lines, struct console_output *output);

#endif
