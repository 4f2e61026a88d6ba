/*
 * The interrupt controller of board simos.
 */
#ifndef SIMOS_BOARDS_BOARD_GIC_H
#define SIMOS_BOARDS_BOARD_GIC_H

#include "devices/device_type.h"
#include "devices/board/gic.h"

/* The device is a struct gic. */
extern const struct device_type board_gic_type;

#endif
