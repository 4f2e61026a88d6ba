/* Parameters and statistics of a drive. */
#include "devices/disk/disk_private.h"
#include <stdio.h>
#include <string.h>

const struct param_def disk_params[] = {
    {.name = "disk.model",
     .type = PARAM_CHOICE,
     .traits = TRAIT_TIMED,
     .initial = "hp97560",
     .choices = "hp97560|fixed",
     .help = "time of a disk: seek, rotation and buffer of an HP 97560 on a SCSI-2 bus, or disk.latency a request"},
    {.name = "disk.latency",
     .type = PARAM_TIME,
     .traits = TRAIT_TIMED,
     .unit = "ns",
     .initial = "0",
     .min = 0,
     .max = 10000000000ull,
     .help = "fixed: time a disk takes for a request; 0 = one cycle"},
    {.name = "disk.speed",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .initial = "1",
     .min = 1,
     .max = 1000,
     .help = "hp97560: factor by which drive and bus are faster than the real ones"},
    {.name = "disk.read_ahead",
     .type = PARAM_BOOL,
     .traits = TRAIT_TIMED,
     .initial = "on",
     .help = "hp97560: the drive reads ahead into its buffer"},
    {.name = "disk.immediate_report",
     .type = PARAM_BOOL,
     .traits = TRAIT_TIMED,
     .initial = "on",
     .help =
         "hp97560: a write ends when it is in the drive's buffer, unless the guest wants its cache written through"},
};
const size_t disk_param_count = sizeof disk_params / sizeof disk_params[0];

struct disk_config disk_config_of(const struct params *params, uint64_t clock_hz)
{
    return (struct disk_config){
        .model = params_is(params, "disk.model", "fixed") ? DISK_FIXED : DISK_HP97560,
        .latency = cycles_of_nsec(params_u64(params, "disk.latency"), clock_hz),
        .speed = (unsigned)params_u64(params, "disk.speed"),
        .read_ahead = params_bool(params, "disk.read_ahead"),
        .immediate_report = params_bool(params, "disk.immediate_report"),
    };
}

/* ---- statistics, in simulated nanoseconds ---- */

static uint64_t simulated(const struct disk *disk, nsec disk_time)
{
    return disk_time / disk->clock.speed;
}

/* Time in PHASE so far. */
static nsec phase_time(const struct disk *disk, enum disk_phase phase)
{
    nsec current = disk->state.phase == phase ? disk_clock_now(&disk->clock) - disk->state.phase_start : 0;
    return disk->counts.phase[phase] + current;
}

/* Work of the mechanism up to now, on a copy: disk->state is advanced only when a request needs it. */
static struct disk_work work(const struct disk *disk)
{
    struct disk_cache cache = disk->state.cache;
    disk_cache_advance(&cache, &disk->geometry, disk_clock_now(&disk->clock));
    return cache.work;
}

static nsec service(const struct disk *disk)
{
    nsec sum = 0;
    for (enum disk_phase phase = DISK_IDLE + 1; phase < DISK_PHASES; phase++)
        sum += phase_time(disk, phase);
    return sum;
}

#define TIME_FORMULA(name, expression)                                                                                 \
    static uint64_t name(const void *opaque)                                                                           \
    {                                                                                                                  \
        const struct disk *disk = opaque;                                                                              \
        return simulated(disk, expression);                                                                            \
    }

TIME_FORMULA(service_time, service(disk))
TIME_FORMULA(controller_time, phase_time(disk, DISK_OVERHEAD))
TIME_FORMULA(drain_time, phase_time(disk, DISK_DRAIN))
TIME_FORMULA(medium_time, phase_time(disk, DISK_MEDIUM))
TIME_FORMULA(bus_time, phase_time(disk, DISK_BUS))
TIME_FORMULA(bus_transfer_time, disk->counts.bus_transfer)
TIME_FORMULA(seek_time, work(disk).seek)
TIME_FORMULA(rotation_time, work(disk).rotation)
TIME_FORMULA(transfer_time, work(disk).transfer)

static uint64_t queue_time(const void *opaque)
{
    const struct disk *disk = opaque;
    return time_nsec(disk->clock.queue, disk->counts.queued);
}

static uint64_t response_time(const void *opaque)
{
    const struct disk *disk = opaque;
    return time_nsec(disk->clock.queue, disk->counts.responded);
}

static uint64_t seeks(const void *opaque)
{
    return work(opaque).seeks;
}

static uint64_t read_ahead(const void *opaque)
{
    return 512 * work(opaque).read_ahead;
}

static double utilisation(const void *opaque)
{
    const struct disk *disk = opaque;
    return (double)service(disk) / (double)disk_clock_now(&disk->clock);
}

static double mean_response(const void *opaque)
{
    const struct disk *disk = opaque;
    return (double)response_time(disk) / (double)disk->counts.requests;
}

void disk_register_stats(const struct disk *disk, struct stats *stats, const char *prefix)
{
    static const struct {
        const char *name, *unit, *text;
        uint64_t (*value)(const void *opaque);
    } integers[] = {
        {"response_time", "ns", "time from a request's arrival to its end, all requests", response_time},
        {"queue_time", "ns", "... of it waiting for earlier requests", queue_time},
        {"service_time", "ns", "time in which a request was in service", service_time},
        {"controller_time", "ns", "... of it in the controller", controller_time},
        {"drain_time", "ns", "... of it waiting for writes already reported as complete", drain_time},
        {"medium_time", "ns", "... of it waiting for the mechanism", medium_time},
        {"bus_time", "ns", "... of it waiting for the bus and transferring", bus_time},
        {"bus_transfer_time", "ns", "... of that transferring, or about to", bus_transfer_time},
        {"seek_time", "ns", "time the mechanism moved the arm or changed heads, without reading ahead", seek_time},
        {"rotation_time", "ns", "rotational latency: time it waited for a sector to come", rotation_time},
        {"transfer_time", "ns", "time sectors passed under a head", transfer_time},
        {"seeks", "seeks", "movements of the arm", seeks},
        {"read_ahead_bytes", "bytes", "bytes read ahead into the buffer, used later or not", read_ahead},
    };
    char name[128];
    const struct disk_counts *counts = &disk->counts;
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        snprintf(name, sizeof name, "%s.%s", prefix, integers[i].name);
        stats_integer(stats, name, integers[i].unit, integers[i].text, integers[i].value, disk);
    }
    snprintf(name, sizeof name, "%s.buffer_hits", prefix);
    stats_counter(stats, name, "requests", "reads whose first sector was in the buffer", &counts->hits);
    snprintf(name, sizeof name, "%s.immediate_reports", prefix);
    stats_counter(stats, name, "requests", "writes that ended when they were in the buffer", &counts->reported);
    snprintf(name, sizeof name, "%s.utilisation", prefix);
    stats_formula(stats, name, "", "part of the time in which a request was in service", utilisation, disk);
    snprintf(name, sizeof name, "%s.mean_response", prefix);
    stats_formula(stats, name, "ns", "mean time from a request's arrival to its end", mean_response, disk);
}
