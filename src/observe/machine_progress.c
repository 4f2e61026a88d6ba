#include "src/observe/machine_progress.h"

#include "src/base/host_time.h"

static double share_of(uint64_t begin, uint64_t now, uint64_t end)
{
    return now >= end ? 1 : end > begin ? (double)(now - begin) / (double)(end - begin) : 1;
}

double machine_progress_share(const struct machine_progress *of, const struct machine *machine)
{
    double share = -1;
    if (of->end.insns != UINT64_MAX)
        share = share_of(of->begin.insns, machine_insns(machine), of->end.insns);
    if (of->end.time != CYCLES_NEVER) {
        const double time = share_of(of->begin.time, machine_now(machine), of->end.time);
        share = time > share ? time : share; /* the limit that is reached first */
    }
    return share;
}

/* Cycles of CORE in MODE up to now, including cycles not yet charged to a bucket: a core charges them when its mode
 * changes or its wait ends. */
static uint64_t cycles_in(const struct machine *machine, const struct core *core, enum mode mode)
{
    uint64_t sum = core->mode_buckets[mode].cycles;
    if (core->mode == mode)
        sum += core->s.cycle - core->charged_cycle;
    if (mode == MODE_IDLE && core->s.waiting && machine->now > core->s.cycle)
        sum += machine->now - core->s.cycle;
    return sum;
}

/* Percentages of the modes since the last call. */
static void take_shares(struct machine_progress *of, const struct machine *machine, double shares[MODE_COUNT])
{
    double total = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < machine->cpus; i++)
            sum += cycles_in(machine, machine->cores[i], (enum mode)mode);
        shares[mode] = (double)(sum - of->mode_cycles[mode]);
        of->mode_cycles[mode] = sum;
        total += shares[mode];
    }
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        shares[mode] = total > 0 ? 100 * shares[mode] / total : 0;
}

void machine_progress_begin(struct machine_progress *of, const struct machine *machine,
                            const struct machine_limits *end)
{
    const uint64_t insns = machine_insns(machine);
    double shares[MODE_COUNT];
    *of = (struct machine_progress){.begin = {.time = machine_now(machine), .insns = insns},
                                    .end = *end,
                                    .updated = host_seconds(),
                                    .insns = insns};
    take_shares(of, machine, shares); /* skip the time before a restored machine's checkpoint */
}

void machine_progress_update(struct machine_progress *of, const struct machine *machine, struct progress *progress)
{
    double shares[MODE_COUNT];
    if (!progress_is_due(progress))
        return;
    const double now = host_seconds();
    const uint64_t insns = machine_insns(machine);
    const double mips = (double)(insns - of->insns) / (now - of->updated) * 1e-6;
    take_shares(of, machine, shares);
    of->insns = insns;
    of->updated = now;
    progress_draw(progress, machine_progress_share(of, machine),
                  "%.2f s simulated, %.1f MIPS, user %.0f%% kernel %.0f%% idle %.0f%%",
                  (double)machine_now(machine) / (double)machine->queue->clock_hz, mips, shares[MODE_USER],
                  shares[MODE_KERNEL], shares[MODE_IDLE]);
}
