/*
 * Output of the nodes of a cluster, in complete lines prefixed with the node's name ("server| text"). The jobs'
 * stdout goes to stdout, their stderr and the kernels' messages to stderr.
 */
#ifndef SIMOS_CLUSTER_CLUSTER_OUTPUT_H
#define SIMOS_CLUSTER_CLUSTER_OUTPUT_H

#include "src/base/board.h"
#include "src/host/console_output.h"

enum { CLUSTER_LINE_MAX = 4096 /* longer lines are split */ };

/* Incomplete lines of one node. Initialise with zeros. */
struct cluster_lines {
    const char *name;
    size_t length[BOARD_UART_COUNT];
    char text[BOARD_UART_COUNT][CLUSTER_LINE_MAX];
};

/* Process BYTE, written by the node to serial port UART. */
void cluster_lines_put(struct cluster_lines *lines, struct console_output *output, unsigned uart, uint8_t byte);
/* Print incomplete lines. */
void cluster_lines_flush(struct cluster_lines *lines, struct console_output *output);

#endif
