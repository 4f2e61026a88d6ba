/*
 * A disk drive as its bus sees it: it serves requests one after the other and transfers their data over the bus. The
 * owner (virtio_block) interprets the requests and copies the data; the drive models the time.
 *
 * Two models:
 *   hp97560   controller overhead, then the mechanism through the buffer (devices/disk/disk_cache.h), then the SCSI bus
 *             (devices/disk/scsi_bus.h)
 *   fixed     a constant time per request; neither mechanism nor bus
 *
 * Order of service: first come, first served (FCFS), one request at a time, as in the published model of this drive
 * (Ruemmler and Wilkes 1994; Kotz, Toh and Radhakrishnan, PCS-TR94-220): the operating system sorts. Requests therefore
 * complete in the order in which they were submitted, and when a flush completes, all requests before it have
 * completed.
 *
 * A request of hp97560, phase by phase:
 *   overhead   the controller decodes the command: 2.2 ms
 *   drain      writes reported as complete that are still in the buffer are written to the platters, unless this
 *              request is a write that continues them
 *   medium     the mechanism fills the buffer, or makes room in it; a read waits until 64 KB or all of the request is
 *              in the buffer (the drive's read fence)
 *   bus        the drive arbitrates for the bus and transfers up to 64 KB. If data remains, it returns to medium.
 *
 * A write with immediate report completes when all of it is in the buffer; other writes when they are on the platters.
 *
 * Not modelled: reordering of queued commands in the drive, medium errors, spin-up, thermal recalibration, power-saving
 * states.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_H
#define SIMOS_DEVICES_DISK_DISK_H

#include "devices/disk/disk_cache.h"
#include "devices/disk/disk_clock.h"
#include "devices/disk/scsi_bus.h"
#include "src/base/event.h"
#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    DISK_QUEUE = 256,                   /* requests that a drive queues */
    DISK_READ_FENCE = (64 << 10) / 512, /* sectors; also the maximum of one bus transfer */
    DISK_CONTROLLER_OVERHEAD = 2200000, /* ns */
};

enum disk_model { DISK_FIXED, DISK_HP97560 };

enum disk_kind {
    DISK_READ,
    DISK_WRITE,        /* may be reported when it is in the buffer, if the configuration allows it */
    DISK_WRITE_MEDIUM, /* completes when it is on the platters */
    DISK_FLUSH,        /* completes when every earlier request is on the platters */
    DISK_COMMAND,      /* a request without data: costs the controller overhead */
};
enum { DISK_KINDS = DISK_COMMAND + 1 };
/* "read", "write", "flush", "command". */
const char *disk_kind_name(enum disk_kind kind);

struct disk_config {
    enum disk_model model;
    cycles latency;        /* fixed: of a request; 0 = one cycle */
    unsigned speed;        /* 1..1000 */
    bool read_ahead;       /* read on into the buffer behind the requested sectors */
    bool immediate_report; /* report a write when it is in the buffer */
};

/* A queued request. */
struct disk_request {
    enum disk_kind kind;
    uint32_t sectors; /* of reads and writes at least 1 */
    uint64_t sector;
    unsigned tag;   /* chosen by the owner to identify the request */
    cycles arrival; /* time of submission */
};

enum disk_phase { DISK_IDLE, DISK_OVERHEAD, DISK_DRAIN, DISK_MEDIUM, DISK_BUS, DISK_CONSTANT, DISK_PHASES };

/* State of all queued requests. Plain state; the times of the disk's event and of its bus complete it. */
struct disk_state {
    struct disk_request queue[DISK_QUEUE]; /* ring buffer; queue[first] is in service */
    unsigned first, count;
    enum disk_phase phase;
    nsec phase_start;     /* disk time */
    uint32_t moved, part; /* sectors of the request in service: transferred over the bus, in the next transfer */
    cycles idle_since;
    struct disk_cache cache;
};

/* Callbacks of the owner. They run from the event queue, never inside disk_submit(). */
struct disk_ops {
    /* Transfer SECTORS sectors of request TAG, from its sector FIRST on, over the bus: copy the data. False on a read
     * or write error; the request then fails. */
    bool (*move)(void *opaque, unsigned tag, uint32_t first, uint32_t sectors);
    /* Request TAG is complete. OK: all of its data was transferred. */
    void (*done)(void *opaque, unsigned tag, bool ok);
};

/* Observer of the requests, notified when a request is submitted and after it has completed (the owner is notified
 * first). Both calls run inside an event of the queue; they must not change the disk. */
struct disk_observer {
    void (*submitted)(void *opaque, const struct disk_request *request);
    void (*ended)(void *opaque, const struct disk_request *request, bool ok);
    void *opaque;
};
enum { DISK_OBSERVERS_MAX = 4 };

struct disk;

/* disk.* */
extern const struct param_def disk_params[];
extern const size_t disk_param_count;

/* The configuration that PARAMS give to all disks of a machine with a clock of CLOCK_HZ. */
struct disk_config disk_config_of(const struct params *params, uint64_t clock_hz);

/* Create a drive of SECTORS sectors with its arm over the first one. hp97560: connected to BUS as NUMBER; fixed: BUS
 * may be NULL. Never NULL. */
struct disk *disk_create(struct event_queue *queue, const struct disk_config *config, uint64_t sectors,
                         struct scsi_bus *bus, unsigned number, const struct disk_ops *ops, void *opaque);
void disk_free(struct disk *disk);

/* Append a request to the queue. A transfer must lie on the disk (else a bug, aborts). ARRIVAL: the cycle at which the
 * owner received the request, at most the present one. False if DISK_QUEUE requests are already queued. */
bool disk_submit(struct disk *disk, enum disk_kind kind, unsigned tag, uint64_t sector, uint32_t sectors,
                 cycles arrival);

/* Add WATCHER; more than DISK_OBSERVERS_MAX are a bug. disk_remove_observer() removes the one added with OPAQUE; it
 * must not be called from an observer's callback. */
void disk_add_observer(struct disk *disk, const struct disk_observer *watcher);
void disk_remove_observer(struct disk *disk, const void *opaque);

/* Drop all requests without transferring their data. Data in the write buffer is still written to the platters. */
void disk_reset(struct disk *disk);

/* Number of queued requests, the one in service included. */
unsigned disk_pending(const struct disk *disk);

/* Is exactly one queued request tagged TAG? */
bool disk_is_pending(const struct disk *disk, unsigned tag);

/* Register the saved sections PREFIX.queue (the requests) and PREFIX.drive (timing state of the drive). A drive loaded
 * without the second restarts its first request; data that was already transferred is transferred again. */
void disk_register_saved(struct disk *disk, struct saved *saved, const char *prefix);

/* Register the statistics PREFIX.service_time and so on. */
void disk_register_stats(const struct disk *disk, struct stats *stats, const char *prefix);

#endif
