#include "src/progress.h"

#include "src/host_time.h"
#include <stdlib.h>
#include <unistd.h>

static const double first_seconds = 2, interval_seconds = 0.5;

struct progress {
    int fd;
    bool begun; /* the figures below are there */
    bool drawn;
    double started, updated;                 /* host time, seconds */
    uint64_t insns, mode_cycles[MODE_COUNT]; /* as of `updated` */
};

struct progress *progress_create(int fd)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        log_bug("out of memory");
    progress->fd = fd;
    progress->started = progress->updated = host_seconds();
    return progress;
}

void progress_free(struct progress *progress)
{
    free(progress);
}

static void put(const struct progress *progress, const char *text, size_t length)
{
    /* a lost progress line is no error */
    ssize_t written = write(progress->fd, text, length);
    (void)written;
}

void progress_erase(struct progress *progress)
{
    static const char erase[] = "\r\033[K";
    if (progress->drawn)
        put(progress, erase, sizeof erase - 1);
    progress->drawn = false;
}

/* Cycles of MODE up to now, also those that no bucket has yet: a core charges them when its mode changes or its wait
 * ends. */
static uint64_t cycles_in(const struct machine *machine, const struct core *core, enum mode mode)
{
    uint64_t sum = core->mode_buckets[mode].cycles;
    if (core->mode == mode)
        sum += core->s.cycle - core->charged_cycle;
    if (mode == MODE_IDLE && core->s.waiting && machine->now > core->s.cycle)
        sum += machine->now - core->s.cycle;
    return sum;
}

/* Percentages of the modes since the last time. */
static void take_shares(struct progress *progress, const struct machine *machine, double shares[MODE_COUNT])
{
    double total = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < machine->cpus; i++)
            sum += cycles_in(machine, machine->cores[i], (enum mode)mode);
        shares[mode] = (double)(sum - progress->mode_cycles[mode]);
        progress->mode_cycles[mode] = sum;
        total += shares[mode];
    }
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        shares[mode] = total > 0 ? 100 * shares[mode] / total : 0;
}

void progress_update(struct progress *progress, const struct machine *machine)
{
    double now = host_seconds(), shares[MODE_COUNT];
    if (!progress->begun) { /* what a restored machine has done before is not part of it */
        progress->begun = true;
        progress->insns = machine_insns(machine);
        take_shares(progress, machine, shares);
    }
    if (now - progress->started < first_seconds || now - progress->updated < interval_seconds)
        return;
    uint64_t insns = machine_insns(machine);
    double mips = (double)(insns - progress->insns) / (now - progress->updated) * 1e-6;
    double seconds = (double)machine_now(machine) / (double)machine->queue->clock_hz;
    take_shares(progress, machine, shares);
    progress->insns = insns;
    progress->updated = now;
    char line[120];
    int length =
        snprintf(line, sizeof line, "\r\033[K%.2f s simulated, %.1f MIPS, user %.0f%% kernel %.0f%% idle %.0f%%",
                 seconds, mips, shares[MODE_USER], shares[MODE_KERNEL], shares[MODE_IDLE]);
    put(progress, line, (size_t)length);
    progress->drawn = true;
}
