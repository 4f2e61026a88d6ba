/*
 * The board's serial ports: the console, the job's stdout and its stderr.
 */
#ifndef SIMOS_BOARDS_BOARD_UARTS_H
#define SIMOS_BOARDS_BOARD_UARTS_H

#include "devices/device_type.h"
#include "devices/board/uart.h"

extern const struct device_type board_uarts_type;

/* Serial port NUMBER (below BOARD_UART_COUNT) of MACHINE. */
struct uart *board_uart(const struct machine *machine, unsigned number);

#endif
