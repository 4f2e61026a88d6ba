/*
 * The SCSI-2 bus that the disks of a machine share: 10 MB/s (fast synchronous transfers, 8 bits wide), one transfer at
 * a time.
 *
 * Ordering rule: whoever asks for a free bus takes part in an arbitration behind everything else that happens at that
 * instant; of several that wait, the one with the highest priority wins, as in SCSI, where that is the highest ID. A
 * transfer, once begun, is not interrupted.
 *
 * Not modelled: the host adapter as a competitor, the bus phases of commands, messages and status (a few microseconds,
 * counted in the drive's controller overhead, as Ruemmler and Wilkes 1994 do).
 */
#ifndef SIMOS_SCSI_BUS_H
#define SIMOS_SCSI_BUS_H

#include "devices/disk/disk_clock.h"
#include "src/base/event.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum { SCSI_BUS_NSEC_A_BYTE = 100, SCSI_BUS_MAX_PORTS = 16 };

struct scsi_bus;

/* One disk's connection, part of the disk. */
struct scsi_port {
    void (*done)(void *opaque); /* the transfer that was asked for has ended; may ask for the next */
    void *opaque;
    uint32_t bytes;  /* of the transfer; 0: does not want the bus */
    unsigned number; /* its place on the bus: a low number has priority */
};

/* A bus on whose CLOCK everything is timed. Never NULL. */
struct scsi_bus *scsi_bus_create(struct disk_clock clock);
/* Ports must be gone. NULL is allowed. */
void scsi_bus_free(struct scsi_bus *bus);

/* Connect PORT, whose done and opaque are set, as NUMBER (below SCSI_BUS_MAX_PORTS, not taken: else a bug, aborts). */
void scsi_bus_connect(struct scsi_bus *bus, struct scsi_port *port, unsigned number);
void scsi_bus_disconnect(struct scsi_bus *bus, struct scsi_port *port);

/* Ask for a transfer of BYTES, at least 1; port->done() is called at its end. One at a time a port (else a bug). */
void scsi_bus_ask(struct scsi_bus *bus, struct scsi_port *port, uint32_t bytes);

/* PORT no longer wants what it asked for. A transfer that has begun occupies the bus to its end, without done(). */
void scsi_bus_cancel(struct scsi_bus *bus, struct scsi_port *port);

/* Add the section NAME (of timing); what ports ask for is saved by their owners. */
void scsi_bus_register_saved(struct scsi_bus *bus, struct saved *saved, const char *name);

/* Register PREFIX.transfers and so on. */
void scsi_bus_register_stats(const struct scsi_bus *bus, struct stats *stats, const char *prefix);

#endif
