/*
 * A device type: a table of functions with which the board creates, saves and describes a device. Each device file
 * defines a constant of this type; src/boards/board.def lists the devices of the board and their addresses.
 *
 * Any function may be NULL: the device does not have this property.
 */
#ifndef SIMOS_DEVICES_DEVICE_TYPE_H
#define SIMOS_DEVICES_DEVICE_TYPE_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/params.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/tree_writer.h"
#include "src/base/types.h"

struct machine;

/* The board's interface to one device. */
struct device_board {
    struct event_queue *queue;
    struct physmem *mem;
    const struct params *params;
    struct log *log;
    unsigned cpus;
    paddr base;   /* base address of the registers, from the row of board.def */
    unsigned irq; /* first input of the interrupt controller, from the row of board.def */
    struct irq_line (*input)(const struct device_board *board, unsigned number);
    struct machine *machine; /* for src/machine/board_*.c, which connects a device with the rest */
};

/* Interrupt line NUMBER of the device, from 0. */
static inline struct irq_line device_irq(const struct device_board *board, unsigned number)
{
    return board->input(board, board->irq + number);
}

/* A parameter table of a device and its length. */
struct device_params {
    const struct param_def *defs;
    const size_t *count;
};

enum { DEVICE_PARAM_TABLES = 2 };

struct device_type {
    const char *name;
    const char *summary; /* for `simos devices` and docs/reference/devices.md */
    uint32_t size;       /* bytes of registers, from the row's address; 0: no registers of its own */
    unsigned interrupts; /* inputs of the interrupt controller, from the row's first input */
    struct device_params params[DEVICE_PARAM_TABLES]; /* unused entries have no definitions */

    /* Create the device, map its registers as BOARD says, and store it in *DEVICE; NULL there means that the parameters
     * configure no such device. The devices of earlier rows exist. False with ERR on an error; a device already stored
     * in *DEVICE is then freed by the caller. */
    bool (*create)(const struct device_board *board, void **device, struct err *err);
    /* Free the device. Called before the event queue and the devices of earlier rows are freed. */
    void (*free)(void *device);
    /* Register the device's counters. */
    void (*register_stats)(void *device, struct stats *stats);
    /* Register the device's saved state. False with ERR if it cannot be saved. */
    bool (*register_saved)(void *device, struct saved *saved, struct err *err);
    /* Write its device tree node, and its properties of the nodes /aliases and /chosen. */
    void (*write_node)(const void *device, const struct device_board *board, struct tree_writer *tree);
    void (*write_aliases)(const void *device, const struct device_board *board, struct tree_writer *tree);
    void (*write_chosen)(const void *device, const struct device_board *board, struct tree_writer *tree);
};

#endif
