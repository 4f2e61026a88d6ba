/*
 * The mechanism of an HP 97560: seek times and rotational position. Pure functions of time; the rotation is computed
 * from the time alone.
 *
 * Seek over d cylinders: 3.24 + 0.400 sqrt(d) ms below 383, 8.00 + 0.008 d ms from there; switch to another head of the
 * same cylinder: 1.6 ms; 4002 revolutions per minute (Ruemmler and Wilkes 1994; Kotz, Toh and Radhakrishnan,
 * PCS-TR94-220). A seek includes settling and the head switch. Reads and writes take the same time.
 *
 * Times are disk time (devices/disk/disk_clock.h); points in time are rounded down to the nanosecond, without
 * cumulative error.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_MECHANISM_H
#define SIMOS_DEVICES_DISK_DISK_MECHANISM_H

#include "devices/disk/disk_geometry.h"
#include "src/base/types.h"

enum {
    DISK_RPM = 4002,
    DISK_HEAD_SWITCH = 1600000, /* ns */
    DISK_SEEK_BOUNDARY = 383,   /* cylinders */
};

/* Track under the heads. Plain state. */
struct disk_arm {
    uint64_t cylinder;
    unsigned head;
};

/* Time for one sector: seek, rotational latency, transfer (durations), and the time at which the transfer ends. */
struct disk_pass {
    nsec seek, rotation, transfer, end;
};

/* Duration of a seek over DISTANCE cylinders; 0 for distance 0. */
nsec disk_seek_time(unsigned distance);

/* The first time from TIME on at which SLOT begins to pass under the heads. */
nsec disk_slot_start(unsigned slot, nsec time);

/* Transfer SECTOR. The arm, at *ARM, moves from TIME on, and the sector does not begin to pass before READY (when its
 * data, or room for it, is available). *ARM is then over the sector's track. */
struct disk_pass disk_mechanism_pass(const struct disk_geometry *geometry, struct disk_arm *arm, uint64_t sector,
                                     nsec time, nsec ready);

#endif
