/*
 * The devices of the board: makes those of board.def, row by row, and walks the rows for the statistics, for a
 * checkpoint and for the device tree. What a device is, its own `struct device_type` says (devices/device_type.h).
 */
#ifndef SIMOS_BOARD_DEVICES_H
#define SIMOS_BOARD_DEVICES_H

#include "devices/device_type.h"
#include "src/base/board.h"
#include "src/machine/machine.h"
#include <stdio.h>

/* Define the parameters of all devices. */
void board_devices_define_params(struct params *params);

/* Make MACHINE->devices. The machine has its parameters, memory, queue and cores. False with ERR naming the disk that
 * cannot be opened, or the parameter that is wrong: there are none then. */
bool board_devices_create(struct machine *machine, struct err *err);
/* Before the event queue is freed. NULL is allowed. */
void board_devices_free(struct board_devices *devices);

/* MACHINE's device of TYPE, which has a row: what its create() made. NULL: there is none, or not yet. */
void *board_device(const struct machine *machine, const struct device_type *type);

/* Register the counters of every device that is there: gic.*, uartN.*, diskN.*, scsi.*, net.*, control.* ... */
void board_devices_register_stats(const struct board_devices *devices, struct stats *stats);

/* Add every device to what is saved. False with ERR naming one that cannot be. */
bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err);

/* Write what the devices that are there have in the device tree: their own nodes, and properties of the nodes /aliases
 * and /chosen, which the caller has begun. */
void board_devices_write_nodes(const struct board_devices *devices, struct tree_writer *tree);
void board_devices_write_aliases(const struct board_devices *devices, struct tree_writer *tree);
void board_devices_write_chosen(const struct board_devices *devices, struct tree_writer *tree);

/* One row of board.def. */
struct board_row {
    const struct device_type *type;
    paddr base;
    unsigned irq;                /* of type->interrupts */
    unsigned stats, saved, tree; /* its place in these orders; 0: behind those that have one */
};

/* INDEX from 0; NULL at the end. */
const struct board_row *board_row_at(unsigned index);

/* A table of all rows: name, addresses, interrupts, what it is. */
void board_devices_list(FILE *out);

#endif
