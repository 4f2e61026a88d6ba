/*
 * The network card of a DECstation: the LANCE on the board of the 3100, with its buffer halfword by halfword, or the
 * one of the 5000/200 in TURBOchannel slot 6, with its ROM.
 */
#ifndef SIMOS_BOARDS_BOARD_LANCE_H
#define SIMOS_BOARDS_BOARD_LANCE_H

#include "devices/device_type.h"

/* The state of both begins with a struct board_net (src/machine/board_net.h). Of the 3100, the row has the buffer. */
extern const struct device_type board_lance_type, board_lance_registers_type, board_turbochannel_lance_type;

#endif
