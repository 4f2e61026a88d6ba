/*
 * The drive structure, private to devices/disk/disk.c, disk_stats.c and disk_saved.c.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_PRIVATE_H
#define SIMOS_DEVICES_DISK_DISK_PRIVATE_H

#include "devices/disk/disk.h"

/* Counters. Times are disk time unless marked as cycles. */
struct disk_counts {
    uint64_t requests, hits, reported;
    uint64_t queued, responded; /* cycles */
    nsec phase[DISK_PHASES];    /* time spent in each */
    nsec bus_transfer;          /* part of phase[DISK_BUS] spent transferring */
};

struct disk {
    struct disk_state state;
    struct disk_counts counts;
    struct disk_config config;
    struct disk_clock clock;
    struct disk_geometry geometry;
    struct event event;
    struct scsi_bus *bus; /* NULL: fixed */
    struct scsi_port port;
    const struct disk_ops *ops;
    void *opaque;
    struct disk_observer watcher[DISK_OBSERVERS_MAX];
    unsigned watchers;
};

/* Begin to serve the first request of the queue. */
void disk_begin_request(struct disk *disk);

#endif
