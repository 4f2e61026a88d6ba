/*
 * A drive (devices/disk/disk.h) with a clock, a bus and a mock owner that records when requests move and end, for tests
 * of the drive's timing. The clock is 1 GHz: one cycle is one nanosecond.
 */
#ifndef SIMOS_TESTS_UNIT_DRIVE_FIXTURE_H
#define SIMOS_TESTS_UNIT_DRIVE_FIXTURE_H

#include "devices/disk/disk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

#define MSEC(ms) ((nsec)((ms)*1e6 + 0.5))

/* The published figures of the drive, independent of the implementation. */
#define REVOLUTION (60e3 / 4002) /* ms */
#define SECTOR     (REVOLUTION / 72)
#define OVERHEAD   2.2
#define BUS_SECTOR (512 / 10e3) /* ms over 10 MB/s */

struct drive {
    struct event_queue *queue;
    struct scsi_bus *bus;
    struct disk *disk;
    struct stats *stats;
    cycles ended[DISK_QUEUE]; /* by tag; 0: not ended */
    unsigned order[DISK_QUEUE], count;
    uint64_t moved; /* sectors */
    bool fails;     /* moving data fails */
};

static inline bool drive_move(void *opaque, unsigned tag, uint32_t first, uint32_t sectors)
{
    struct drive *drive = opaque;
    (void)tag;
    (void)first;
    drive->moved += sectors;
    return !drive->fails;
}

static inline void drive_done(void *opaque, unsigned tag, bool ok)
{
    struct drive *drive = opaque;
    assert_true(ok != drive->fails);
    drive->ended[tag] = drive->queue->now;
    drive->order[drive->count++ % DISK_QUEUE] = tag;
}

static const struct disk_ops drive_ops = {.move = drive_move, .done = drive_done};

static inline struct drive *drive_open(const struct disk_config *config, uint64_t sectors)
{
    struct drive *drive = calloc(1, sizeof *drive);
    drive->queue = event_queue_create(1000000000);
    drive->bus = scsi_bus_create((struct disk_clock){.queue = drive->queue, .speed = config->speed});
    drive->disk = disk_create(drive->queue, config, sectors, drive->bus, 0, &drive_ops, drive);
    drive->stats = stats_create();
    disk_register_stats(drive->disk, drive->stats, "d");
    return drive;
}

static inline void drive_close(struct drive *drive)
{
    disk_free(drive->disk);
    scsi_bus_free(drive->bus);
    event_queue_free(drive->queue);
    stats_free(drive->stats);
    free(drive);
}

static inline double drive_figure(const struct drive *drive, const char *name)
{
    double value = 0;
    assert_true(stats_value(drive->stats, name, &value));
    return value;
}

static inline void drive_submit(struct drive *drive, enum disk_kind kind, unsigned tag, uint64_t sector,
                                uint32_t sectors)
{
    drive->ended[tag] = 0;
    assert_true(disk_submit(drive->disk, kind, tag, sector, sectors, drive->queue->now));
}

/* Run until all requests have ended. */
static inline void drive_finish(struct drive *drive)
{
    while (disk_pending(drive->disk)) {
        cycles next = event_queue_next(drive->queue);
        assert_true(next != CYCLES_NEVER);
        event_queue_run(drive->queue, next);
    }
}

static inline void drive_pass(struct drive *drive, nsec duration)
{
    event_queue_run(drive->queue, drive->queue->now + duration);
}

/* Execute one request; returns its duration in ms. */
static inline double drive_time(struct drive *drive, enum disk_kind kind, uint64_t sector, uint32_t sectors)
{
    cycles start = drive->queue->now;
    drive_submit(drive, kind, 0, sector, sectors);
    drive_finish(drive);
    return (double)(drive->ended[0] - start) / 1e6;
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(value >= expected * (1 - tolerance) && value <= expected * (1 + tolerance)))
        fail_msg("%.6f is not within %.2f %% of %.6f", value, 100 * tolerance, expected);
}

#endif
