/*
 * The time of the disk subsystem: nanoseconds that run disk.speed times as fast as the machine's. With a speed of 4 all
 * disk and bus times are a quarter of the real drive's (SOSP'95 section 3.3, footnote 1: "we scale them to be four
 * times faster").
 */
#ifndef SIMOS_DEVICES_DISK_DISK_CLOCK_H
#define SIMOS_DEVICES_DISK_DISK_CLOCK_H

#include "src/base/event.h"
#include "src/base/types.h"

__extension__ typedef unsigned __int128 disk_wide;

struct disk_clock {
    struct event_queue *queue;
    unsigned speed; /* 1..1000 */
};

/* The present disk time. */
static inline nsec disk_clock_now(const struct disk_clock *clock)
{
    return (nsec)((disk_wide)clock->queue->now * (1000000000ull * clock->speed) / clock->queue->clock_hz);
}

/* The first cycle at which disk time has reached TIME. */
static inline cycles disk_clock_cycles(const struct disk_clock *clock, nsec time)
{
    uint64_t rate = 1000000000ull * clock->speed;
    return (cycles)(((disk_wide)time * clock->queue->clock_hz + rate - 1) / rate);
}

#endif
