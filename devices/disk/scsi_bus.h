/*
 * The SCSI-2 bus that the disks of a machine share: 10 MB/s (fast synchronous transfers, 8 bits wide), one transfer at
 * a time.
 *
 * Ordering rule: a request for the free bus starts an arbitration after all other events of the same cycle. Among the
 * waiting ports the one with the highest priority wins, which is the lowest port number here (on a SCSI bus, the
 * highest ID). A transfer is not interrupted.
 *
 * Not modelled: the host adapter as a competitor, the bus phases COMMAND, MESSAGE and STATUS (a few microseconds,
 * included in the drive's controller overhead, as in Ruemmler and Wilkes 1994).
 */
#ifndef SIMOS_DEVICES_DISK_SCSI_BUS_H
#define SIMOS_DEVICES_DISK_SCSI_BUS_H

#include "devices/disk/disk_clock.h"
#include "src/base/event.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum { SCSI_BUS_NSEC_PER_BYTE = 100, SCSI_BUS_MAX_PORTS = 16 };

struct scsi_bus;

/* Connection of one disk, embedded in the disk. */
struct scsi_port {
    void (*done)(void *opaque); /* the requested transfer has ended; may request the next one */
    void *opaque;
    uint32_t bytes;  /* of the requested transfer; 0: no request */
    unsigned number; /* port number: a low number has high priority */
};

/* Create a bus timed by CLOCK. Never NULL. */
struct scsi_bus *scsi_bus_create(struct disk_clock clock);
/* Free the bus. All ports must be disconnected. NULL is allowed. */
void scsi_bus_free(struct scsi_bus *bus);

/* Connect PORT, with done and opaque set, as NUMBER (below SCSI_BUS_MAX_PORTS and free: else a bug, aborts). */
void scsi_bus_connect(struct scsi_bus *bus, struct scsi_port *port, unsigned number);
void scsi_bus_disconnect(struct scsi_bus *bus, struct scsi_port *port);

/* Request a transfer of BYTES, at least 1; port->done() is called at its end. One request per port at a time (else a
 * bug). */
void scsi_bus_request(struct scsi_bus *bus, struct scsi_port *port, uint32_t bytes);

/* Cancel PORT's request. A transfer that has begun occupies the bus to its end, without a call of done(). */
void scsi_bus_cancel(struct scsi_bus *bus, struct scsi_port *port);

/* Register the saved section NAME (timing state); the owners of the ports save the requests. */
void scsi_bus_register_saved(struct scsi_bus *bus, struct saved *saved, const char *name);

/* Register the statistics PREFIX.transfers and so on. */
void scsi_bus_register_stats(const struct scsi_bus *bus, struct stats *stats, const char *prefix);

#endif
