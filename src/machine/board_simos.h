/*
 * Board simos: its interrupt controller is a MIPS GIC, and the kernel gets a device tree, as from a UHI boot loader
 * (MIPS Unified Hosting Interface, "boot": a0 = -2, a1 = device tree).
 */
#ifndef SIMOS_MACHINE_BOARD_SIMOS_H
#define SIMOS_MACHINE_BOARD_SIMOS_H

#include "cpu/core.h"
#include "devices/device_type.h"
#include "src/machine/device_tree.h"

/* The members of this board's struct board (src/machine/boards.h). */
struct irq_line board_simos_input(const struct device_board *board, unsigned number);
bool board_simos_describe(struct machine *machine, const struct guest_places *places, struct err *err);
bool board_simos_receive(struct machine *machine, unsigned port, uint8_t byte);
unsigned board_simos_receive_space(const struct machine *machine, unsigned port);
void board_simos_refresh_job(struct machine *machine);
void board_simos_start(struct machine *machine, const struct guest_places *places);

/* The timers and performance counters of the cores are inputs of the interrupt controller. */
extern const struct core_hooks board_simos_core_hooks;

#endif
