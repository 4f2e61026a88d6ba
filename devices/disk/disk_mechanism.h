/*
 * The moving parts of an HP 97560: how long the arm takes, and when a sector passes under its head. Pure functions of
 * time; the platters turn whether anybody looks or not.
 *
 * Seek over d cylinders: 3.24 + 0.400 sqrt(d) ms below 383, 8.00 + 0.008 d ms from there; switch to another head of
 * the same cylinder: 1.6 ms; 4002 revolutions a minute (Ruemmler and Wilkes 1994; Kotz, Toh and Radhakrishnan,
 * PCS-TR94-220). A seek includes settling and the choice of the head. Reading and writing take the same.
 *
 * Times are disk time (devices/disk/disk_clock.h); instants are rounded down to the nanosecond, without error that grows.
 */
#ifndef SIMOS_DISK_MECHANISM_H
#define SIMOS_DISK_MECHANISM_H

#include "devices/disk/disk_geometry.h"
#include "src/base/types.h"

enum {
    DISK_RPM = 4002,
    DISK_HEAD_SWITCH = 1600000, /* ns */
    DISK_SEEK_BOUNDARY = 383,   /* cylinders */
};

/* Over which track the heads are. Plain state. */
struct disk_arm {
    uint64_t cylinder;
    unsigned head;
};

/* A sector's way under the head: so long to move the arm, so long to wait for the sector, so long to pass. */
struct disk_pass {
    nsec seek, rotation, transfer, end;
};

/* Time of a seek over DISTANCE cylinders (0: none). */
nsec disk_seek_time(unsigned distance);

/* The first instant from TIME on at which SLOT begins to pass under the heads. */
nsec disk_slot_start(unsigned slot, nsec time);

/* Let SECTOR pass under its head. The arm, at *ARM, moves from TIME on, and the sector does not begin to pass before
 * READY (when its data is there, or room for it). *ARM is then over the sector's track. */
struct disk_pass disk_mechanism_pass(const struct disk_geometry *geometry, struct disk_arm *arm, uint64_t sector,
                                     nsec time, nsec ready);

#endif
