/*
 * A disk drive as its bus sees it: requests come in, are served one after the other, their data crosses the bus. What
 * the requests mean, and their data, are the owner's (virtio_block); the drive says when.
 *
 * Two models:
 *   hp97560   controller overhead, then the mechanism through the buffer (devices/disk/disk_cache.h), then the SCSI bus
 *             (devices/disk/scsi_bus.h)
 *   fixed     a constant time a request; neither mechanism nor bus
 *
 * Order of service: as the requests came (FCFS), one at a time, as in the published model of this drive (Ruemmler and
 * Wilkes 1994; Kotz, Toh and Radhakrishnan, PCS-TR94-220): sorting is the operating system's work. So requests end in
 * the order in which they began, and a flush, when it ends, has everything before it behind it.
 *
 * A request of hp97560, phase by phase:
 *   overhead   the controller takes the command: 2.2 ms
 *   drain      what was reported as written, but is not, goes to the platters, unless this write continues it
 *   medium     the mechanism fills the buffer, or makes room in it; reads: until 64 KB or all of the request is in the
 *              buffer (the drive's read fence)
 *   bus        the bus is asked for, granted, and up to 64 KB cross it. More of the request: medium again.
 *   a write that may be reported at once ends when all of it is in the buffer; otherwise, when it is on the platters.
 *
 * Not modelled: command queueing in the drive with an order of its own, errors of the medium, spin-up, thermal
 * recalibration, power-saving states.
 */
#ifndef SIMOS_DISK_H
#define SIMOS_DISK_H

#include "devices/disk/disk_cache.h"
#include "devices/disk/disk_clock.h"
#include "devices/disk/scsi_bus.h"
#include "src/base/event.h"
#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    DISK_QUEUE = 256,                   /* requests a drive takes */
    DISK_READ_FENCE = (64 << 10) / 512, /* sectors; also the most that crosses the bus at a time */
    DISK_CONTROLLER_OVERHEAD = 2200000, /* ns */
};

enum disk_model { DISK_FIXED, DISK_HP97560 };

enum disk_kind {
    DISK_READ,
    DISK_WRITE,        /* may be reported as soon as it is in the buffer, if the configuration says so */
    DISK_WRITE_MEDIUM, /* ends when it is on the platters */
    DISK_FLUSH,        /* ends when everything before it is on the platters */
    DISK_COMMAND,      /* anything without data: costs what a command costs */
};

struct disk_config {
    enum disk_model model;
    cycles latency;        /* fixed: of a request; 0 = one cycle */
    unsigned speed;        /* 1..1000 */
    bool read_ahead;       /* beyond what is asked for */
    bool immediate_report; /* of writes, when they are in the buffer */
};

/* A request as the drive keeps it. */
struct disk_request {
    enum disk_kind kind;
    uint32_t sectors; /* of reads and writes at least 1 */
    uint64_t sector;
    unsigned tag;   /* the owner's name for it */
    cycles arrival; /* when it was submitted */
};

enum disk_phase { DISK_IDLE, DISK_OVERHEAD, DISK_DRAIN, DISK_MEDIUM, DISK_BUS, DISK_CONSTANT, DISK_PHASES };

/* Everything that is under way: plain state, complete with the times of the disk's event and of its bus. */
struct disk_state {
    struct disk_request queue[DISK_QUEUE]; /* a ring: the one in service first */
    unsigned first, count;
    enum disk_phase phase;
    nsec phase_start;     /* disk time */
    uint32_t moved, part; /* sectors of the request in service that have crossed the bus, that cross it next */
    cycles idle_since;
    struct disk_cache cache;
};

/* The owner. Called from the event queue, never from disk_submit(). */
struct disk_ops {
    /* SECTORS from sector FIRST of request TAG cross the bus now: move the data. False: it cannot be read or written,
     * the request fails. */
    bool (*move)(void *opaque, unsigned tag, uint32_t first, uint32_t sectors);
    /* Request TAG ends. OK: all of its data moved. */
    void (*done)(void *opaque, unsigned tag, bool ok);
};

/* Somebody who hears of every request: when it comes in, and when it has ended (the owner has been told). Both are in
 * an event of the queue; may change nothing of the disk. */
struct disk_watcher {
    void (*submitted)(void *opaque, const struct disk_request *request);
    void (*ended)(void *opaque, const struct disk_request *request, bool ok);
    void *opaque;
};
enum { DISK_WATCHERS_MAX = 4 };

struct disk;

/* disk.* */
extern const struct param_def disk_params[];
extern const size_t disk_param_count;

/* What PARAMS say of all disks of a machine whose clock is CLOCK_HZ. */
struct disk_config disk_config_of(const struct params *params, uint64_t clock_hz);

/* A drive of SECTORS sectors, its arm over its first. hp97560: connected to BUS as NUMBER; fixed: BUS may be NULL.
 * Never NULL. */
struct disk *disk_create(struct event_queue *queue, const struct disk_config *config, uint64_t sectors,
                         struct scsi_bus *bus, unsigned number, const struct disk_ops *ops, void *opaque);
void disk_free(struct disk *disk);

/* Put a request behind the others. A transfer must lie on the disk (else a bug). ARRIVAL: when the owner learnt of it,
 * at most the present. False: DISK_QUEUE are under way. */
bool disk_submit(struct disk *disk, enum disk_kind kind, unsigned tag, uint64_t sector, uint32_t sectors,
                 cycles arrival);

/* WATCHER hears from now on; more than DISK_WATCHERS_MAX are a bug. Who was added with OPAQUE does no longer: not while
 * one of them is being told. */
void disk_watch(struct disk *disk, const struct disk_watcher *watcher);
void disk_unwatch(struct disk *disk, const void *opaque);

/* Forget all requests; their data is not moved. What is in the buffer is written all the same. */
void disk_reset(struct disk *disk);

/* Requests under way. */
unsigned disk_pending(const struct disk *disk);

/* Is exactly one request under way whose tag is TAG? */
bool disk_is_pending(const struct disk *disk, unsigned tag);

/* Add the sections PREFIX.queue (the requests) and PREFIX.drive (how far the drive is: of timing). A drive that gets
 * the first only begins its requests anew when it is loaded; data that had moved moves again. */
void disk_register_saved(struct disk *disk, struct saved *saved, const char *prefix);

/* Register PREFIX.service_time and so on. */
void disk_register_stats(const struct disk *disk, struct stats *stats, const char *prefix);

#endif
