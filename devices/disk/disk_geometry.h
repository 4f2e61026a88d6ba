/*
 * Geometry of an HP 97560: cylinder, head and angular position of each sector.
 *
 * 1962 cylinders of 19 tracks of 72 sectors of 512 bytes (Ruemmler and Wilkes, "An introduction to disk drive
 * modeling", IEEE Computer 27(3), 1994, table of the HP 97560; Kotz, Toh and Radhakrishnan, PCS-TR94-220). Three
 * regions of 645 cylinders hold data: from cylinder 1 head 4 to 646 head 3, 654 to 1298, 1308 to 1952; the rest are
 * spare tracks and tracks reserved for the drive. That makes 2,647,080 sectors, 1355 MB: the drive's formatted
 * capacity.
 *
 * Track skew: the first sector of a track lies 8 sectors behind that of the preceding track. Cylinder skew: 18 sectors
 * at a new cylinder. With them a sequential transfer loses no revolution at a switch.
 *
 * A disk larger than the drive is modelled with narrower tracks: more cylinders follow the third region, and seek
 * distances are scaled to the drive's cylinders, so that a full stroke takes as long as in the real drive.
 *
 * Not modelled: defective sectors replaced by spare ones.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_GEOMETRY_H
#define SIMOS_DEVICES_DISK_DISK_GEOMETRY_H

#include "src/base/types.h"

enum {
    DISK_CYLINDERS = 1962,
    DISK_HEADS = 19,
    DISK_TRACK_SECTORS = 72,
    DISK_TRACK_SKEW = 8,
    DISK_CYLINDER_SKEW = 18,
    DISK_REGION_CYLINDERS = 645,
    DISK_DRIVE_SECTORS = 3 * DISK_REGION_CYLINDERS * DISK_HEADS * DISK_TRACK_SECTORS,
};

struct disk_geometry {
    uint64_t sectors;   /* of the disk, at least 1 */
    uint64_t cylinders; /* at least DISK_CYLINDERS */
};

struct disk_position {
    uint64_t cylinder;
    unsigned head;
    unsigned slot; /* 0..71: angular position, the part of a revolution in which the sector is under the head */
};

/* The geometry of a disk of SECTORS sectors. */
struct disk_geometry disk_geometry_of(uint64_t sectors);

/* Position of SECTOR, which may lie beyond the end. */
struct disk_position disk_geometry_position(uint64_t sector);

/* Seek distance scaled to the drive's 1962 cylinders: at least 1 if the cylinders differ. */
unsigned disk_geometry_distance(const struct disk_geometry *geometry, uint64_t from, uint64_t to);

#endif
