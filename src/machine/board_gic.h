/*
 * The board's interrupt controller, and the hooks of the cores: their timers are inputs of the controller.
 */
#ifndef SIMOS_MACHINE_BOARD_GIC_H
#define SIMOS_MACHINE_BOARD_GIC_H

#include "cpu/core.h"
#include "devices/device_type.h"
#include "devices/board/gic.h"

/* The device is a struct gic. */
extern const struct device_type board_gic_type;

/* Hooks of every core, with the machine as opaque pointer: its timer output drives the interrupt controller, its mode
 * is the context of the memory system's miss classification. */
extern const struct core_hooks board_core_hooks;

#endif
