/*
 * The board's control device, connected to the machine: job, marks, end of the run.
 */
#ifndef SIMOS_BOARDS_BOARD_CONTROL_H
#define SIMOS_BOARDS_BOARD_CONTROL_H

#include "devices/board/control.h"
#include "devices/device_type.h"

/* The device is a struct control. Its mailbox is RAM, or memory of its own. */
extern const struct device_type board_control_type, board_own_control_type;

#endif
