/*
 * The devices of a machine's board: creates them row by row, and iterates over the rows for statistics,
 * checkpoints and the device tree. Each device is described by a `struct device_type` (devices/device_type.h).
 */
#ifndef SIMOS_MACHINE_BOARD_DEVICES_H
#define SIMOS_MACHINE_BOARD_DEVICES_H

#include "devices/device_type.h"
#include "src/machine/machine.h"
#include <stdio.h>

/* Define the parameters of the devices of all boards. */
void board_devices_define_params(struct params *params);

/* Create MACHINE->devices. The machine must have its board, parameters, memory, queue and cores. False with ERR naming
 * the disk that cannot be opened or the invalid parameter; no device exists then. */
bool board_devices_create(struct machine *machine, struct err *err);
/* Free all devices, before the event queue is freed. NULL is allowed. */
void board_devices_free(struct board_devices *devices);

/* The device of TYPE (must have a row of its board) of MACHINE, as set by its create(). NULL if not configured or not
 * yet created. */
void *board_device(const struct machine *machine, const struct device_type *type);

/* Has the board of MACHINE a row for TYPE? */
bool board_has_device(const struct machine *machine, const struct device_type *type);

/* Register the counters of all devices: gic.*, uartN.*, diskN.*, scsi.*, net.*, control.* ... */
void board_devices_register_stats(const struct board_devices *devices, struct stats *stats);

/* Register the saved state of all devices. False with ERR naming a device that cannot be saved. */
bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err);

/* Write the device tree parts of all devices: their nodes, and properties of the nodes /aliases and /chosen, which the
 * caller has begun. */
void board_devices_write_nodes(const struct board_devices *devices, struct tree_writer *tree);
void board_devices_write_aliases(const struct board_devices *devices, struct tree_writer *tree);
void board_devices_write_chosen(const struct board_devices *devices, struct tree_writer *tree);

/* Print a table of all rows of each board: name, addresses, interrupts, summary. */
void board_devices_list(FILE *out);

#endif
