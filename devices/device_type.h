/*
 * A type of device: what the board does with one that it has, in a row of functions. Each device has a constant of this
 * type in its own file; src/board.def says which devices the board has, and where.
 *
 * Any function may be NULL: the device has no such thing.
 */
#ifndef SIMOS_DEVICE_TYPE_H
#define SIMOS_DEVICE_TYPE_H

#include "devices/irq.h"
#include "src/event.h"
#include "src/log.h"
#include "src/params.h"
#include "src/physmem.h"
#include "src/saved.h"
#include "src/stats.h"
#include "src/tree_writer.h"
#include "src/types.h"

struct machine;

/* The board as one device sees it. */
struct device_board {
    struct event_queue *queue;
    struct physmem *mem;
    const struct params *params;
    struct log *log;
    unsigned cpus;
    paddr base;   /* of the device's row: its registers */
    unsigned irq; /* of the device's row: its first input of the interrupt controller */
    struct irq_line (*input)(const struct device_board *board, unsigned number);
    struct machine *machine; /* for what connects a device with the rest of the machine (src/board_*.c) */
};

/* The device's own interrupt line NUMBER, from 0. */
static inline struct irq_line device_irq(const struct device_board *board, unsigned number)
{
    return board->input(board, board->irq + number);
}

/* Parameters that a device has: a table and its length. */
struct device_params {
    const struct param_def *defs;
    const size_t *count;
};

enum { DEVICE_PARAM_TABLES = 2 };

struct device_type {
    const char *name;
    const char *summary; /* for `simos devices` and docs/reference/devices.md */
    uint32_t size;       /* bytes of registers, from the row's address on; 0: none of its own */
    unsigned interrupts; /* inputs of the interrupt controller, from the row's first on */
    struct device_params params[DEVICE_PARAM_TABLES]; /* those that are not there have no definitions */

    /* Make the device, put its registers where BOARD says, and leave it in *DEVICE; NULL there: the parameters ask for
     * none. Devices of earlier rows are there. False with ERR; what is in *DEVICE by then is freed. */
    bool (*create)(const struct device_board *board, void **device, struct err *err);
    /* Before the event queue, and before the devices of earlier rows. */
    void (*free)(void *device);
    /* Register its counters. */
    void (*register_stats)(void *device, struct stats *stats);
    /* Add its state to what a checkpoint holds. False with ERR: it cannot be saved. */
    bool (*register_saved)(void *device, struct saved *saved, struct err *err);
    /* Its node of the device tree; and its properties of the nodes /aliases and /chosen. */
    void (*write_node)(const void *device, const struct device_board *board, struct tree_writer *tree);
    void (*write_aliases)(const void *device, const struct device_board *board, struct tree_writer *tree);
    void (*write_chosen)(const void *device, const struct device_board *board, struct tree_writer *tree);
};

#endif
