#include "devices/disk/disk_mechanism.h"
#include <math.h>

enum { SHORT_BASE = 3240000, SHORT_ROOT = 400000, LONG_BASE = 8000000, LONG_CYLINDER = 8000 }; /* ns */

/* In SLOT_NSEC nanoseconds SLOT_COUNT slots pass: 4002 * 72 per minute, in lowest terms. */
#define SLOT_COUNT 6003ull
#define SLOT_NSEC  1250000000ull
_Static_assert(60000000000ull * SLOT_COUNT == SLOT_NSEC * DISK_RPM * DISK_TRACK_SECTORS, "slots in a minute");

__extension__ typedef unsigned __int128 wide;

nsec disk_seek_time(unsigned distance)
{
    if (distance == 0)
        return 0;
    if (distance < DISK_SEEK_BOUNDARY) /* square root of an integer below 2^53: identical on all hosts */
        return SHORT_BASE + (nsec)sqrt((double)((uint64_t)SHORT_ROOT * SHORT_ROOT * distance));
    return LONG_BASE + LONG_CYLINDER * (nsec)distance;
}

/* Slots are counted from time 0. slot_from(): number of the first slot that begins at or after TIME; slot_time(): start
 * time of slot NUMBER. The rounding makes slot_from(slot_time(n)) equal n. */
static uint64_t slot_from(nsec time)
{
    return (uint64_t)(((wide)time * SLOT_COUNT + SLOT_NSEC - 1) / SLOT_NSEC);
}

static nsec slot_time(uint64_t number)
{
    return (nsec)((wide)number * SLOT_NSEC / SLOT_COUNT);
}

static uint64_t next_slot(unsigned slot, nsec time)
{
    uint64_t first = slot_from(time);
    return first + (slot + DISK_TRACK_SECTORS - first % DISK_TRACK_SECTORS) % DISK_TRACK_SECTORS;
}

nsec disk_slot_start(unsigned slot, nsec time)
{
    return slot_time(next_slot(slot, time));
}

static nsec move_time(const struct disk_geometry *geometry, const struct disk_arm *arm,
                      const struct disk_position *place)
{
    if (arm->cylinder != place->cylinder)
        return disk_seek_time(disk_geometry_distance(geometry, arm->cylinder, place->cylinder));
    return arm->head != place->head ? DISK_HEAD_SWITCH : 0;
}

struct disk_pass disk_mechanism_pass(const struct disk_geometry *geometry, struct disk_arm *arm, uint64_t sector,
                                     nsec time, nsec ready)
{
    const struct disk_position place = disk_geometry_position(sector);
    nsec seek = move_time(geometry, arm, &place);
    nsec from = time + seek > ready ? time + seek : ready;
    uint64_t slot = next_slot(place.slot, from);
    nsec start = slot_time(slot) > from ? slot_time(slot) : from;
    nsec end = slot_time(slot + 1);
    *arm = (struct disk_arm){.cylinder = place.cylinder, .head = place.head};
    return (struct disk_pass){.seek = seek, .rotation = start - from, .transfer = end - start, .end = end};
}
