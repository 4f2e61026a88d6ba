/*
 * DZ11: four serial lines behind one set of registers, the DC7085 of DECstations, as Linux's drivers/tty/serial/dz.c
 * drives it. The register table is in dz.c.
 *
 * Transmit: the chip scans the lines that the driver has enabled and asks for a character of one at a time (CSR.TRDY
 * and TLINE). By default a character takes no time on the wire, so that every enabled line is always ready; with a
 * character time, a line has a holding register of one character.
 *
 * Receive: characters of all lines go into one silo of 64, in the order in which they arrive.
 *
 * Not modelled: the baud rate, word length, parity and stop bits (only stored); break, framing and parity errors; the
 * silo alarm. The far ends are always connected: MSR reads 0, where the modem signals are active low. A character for a
 * line whose receiver is off waits at the far end instead of being lost.
 */
#ifndef SIMOS_DEVICES_DEC_DZ_H
#define SIMOS_DEVICES_DEC_DZ_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    DZ_LINES = 4,
    DZ_SILO_SIZE = 64,
    DZ_SIZE = 0x20, /* bytes of registers */
};

struct dz;

/* What the lines are connected with. */
struct dz_ops {
    /* BYTE has left on LINE. Called from a register write or from an event. */
    void (*transmit)(void *opaque, unsigned line, uint8_t byte);
    /* The driver has read a character of LINE, or has switched its receiver on: dz_receive() may have room again. */
    void (*room)(void *opaque, unsigned line);
};

/* Registers for physmem_add_device(), DZ_SIZE bytes; opaque is the struct dz. */
extern const struct device_ops dz_device_ops;

/* Create the chip in the state after master reset. CHARACTER_TIME: cycles that a character takes on the wire; 0 = none.
 * QUEUE, OPS, the object at OPAQUE and LOG must outlive it. Never NULL. */
struct dz *dz_create(struct event_queue *queue, struct irq_line irq, const struct dz_ops *ops, void *opaque,
                     cycles character_time, struct log *log);
void dz_free(struct dz *dz);

/* What the boot PROM leaves behind: the scanner and the receiver of LINE are on, with 9600 baud and 8 bits. */
void dz_set_up(struct dz *dz, unsigned line);

/* Receive a character on LINE. False, without a change, if there is no room: the caller retries later. */
bool dz_receive(struct dz *dz, unsigned line, uint8_t byte);

/* Number of characters that dz_receive() accepts now on LINE: 0..64; 0 while its receiver is off. */
unsigned dz_receive_space(const struct dz *dz, unsigned line);

/* As the driver does that reads RBUF: take a character out of the silo. -1: there is none. */
int dz_take(struct dz *dz);

/* Register the counters of line N as PREFIXn.transmitted and so on. */
void dz_register_stats(const struct dz *dz, struct stats *stats, const char *prefix);

/* Register the saved section "dz". */
void dz_register_saved(struct dz *dz, struct saved *saved);

#endif
