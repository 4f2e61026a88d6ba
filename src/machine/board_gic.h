/*
 * The board's interrupt controller, and what the cores tell the machine: their timers are inputs of it.
 */
#ifndef SIMOS_BOARD_GIC_H
#define SIMOS_BOARD_GIC_H

#include "cpu/core.h"
#include "devices/device_type.h"
#include "devices/board/gic.h"

/* The device is a struct gic. */
extern const struct device_type board_gic_type;

/* Of each core, with the machine as their opaque pointer: its timer output goes to the interrupt controller, its mode
 * to the memory system's classification of misses. */
extern const struct core_hooks board_core_hooks;

#endif
