#include "devices/disk/disk_geometry.h"

enum { REGIONS = 3, SPARE_BEHIND_LAST = 9, REGION_TRACKS = DISK_REGION_CYLINDERS * DISK_HEADS };
enum { SKEW_OF_CYLINDER = (DISK_HEADS - 1) * DISK_TRACK_SKEW + DISK_CYLINDER_SKEW };

/* First track of each region, counted over the entire drive. */
static const unsigned region_start[REGIONS] = {1 * DISK_HEADS + 4, 654 * DISK_HEADS, 1308 * DISK_HEADS};

struct disk_position disk_geometry_position(uint64_t sector)
{
    uint64_t track = sector / DISK_TRACK_SECTORS;
    uint64_t region = track / REGION_TRACKS < REGIONS ? track / REGION_TRACKS : REGIONS - 1;
    track += region_start[region] - region * REGION_TRACKS;
    struct disk_position place = {.cylinder = track / DISK_HEADS, .head = (unsigned)(track % DISK_HEADS)};
    uint64_t skew = place.cylinder * SKEW_OF_CYLINDER + place.head * DISK_TRACK_SKEW;
    place.slot = (unsigned)((sector % DISK_TRACK_SECTORS + skew) % DISK_TRACK_SECTORS);
    return place;
}

struct disk_geometry disk_geometry_of(uint64_t sectors)
{
    uint64_t cylinders = disk_geometry_position(sectors - 1).cylinder + 1 + SPARE_BEHIND_LAST;
    return (struct disk_geometry){.sectors = sectors,
                                  .cylinders = cylinders > DISK_CYLINDERS ? cylinders : DISK_CYLINDERS};
}

unsigned disk_geometry_distance(const struct disk_geometry *geometry, uint64_t from, uint64_t to)
{
    uint64_t distance = from < to ? to - from : from - to;
    if (geometry->cylinders == DISK_CYLINDERS || distance == 0)
        return (unsigned)distance;
    distance = distance * DISK_CYLINDERS / geometry->cylinders;
    return distance ? (unsigned)distance : 1;
}
