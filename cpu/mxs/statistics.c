/* Names and texts of mxs's counters. */
#include "cpu/core.h"
#include "cpu/mxs/counts.h"
#include "cpu/mxs/statistics.h"
#include <stdio.h>

static const char *const cause_names[LOST_COUNT] = {
    [STALL_L1I] = "l1i",
    [STALL_L2I] = "l2i",
    [STALL_L1D] = "l1d",
    [STALL_L2D] = "l2d",
    [STALL_UPGRADE] = "upgrade",
    [STALL_WRITE_BUFFER] = "write_buffer",
    [STALL_UNCACHED] = "uncached",
    [LOST_DEPENDENCE] = "dependence",
    [LOST_MISPREDICTED] = "mispredicted",
    [LOST_EXCEPTION] = "exception",
    [LOST_SERIALISED] = "serialised",
    [LOST_REPLAYED] = "replayed",
    [LOST_UNITS] = "units",
    [LOST_FETCH] = "fetch",
};

static void counter(struct stats *stats, unsigned cpu, const char *name, const char *unit, const char *text,
                    const uint64_t *value)
{
    char path[96];
    snprintf(path, sizeof path, "cpu%u.mxs.%s", cpu, name);
    stats_counter(stats, path, unit, text, value);
}

static void causes(struct stats *stats, unsigned cpu, const char *group, const char *unit, const char *text,
                   const uint64_t *values)
{
    for (unsigned i = 0; i < LOST_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", group, cause_names[i]);
        counter(stats, cpu, name, unit, text, &values[i]);
    }
}

static double ipc(const void *opaque)
{
    const struct mxs_counts *counts = opaque;
    return (double)counts->graduated / (double)counts->cycles;
}

void mxs_counts_register(const void *opaque, unsigned cpu, struct stats *stats)
{
    const struct mxs_counts *c = opaque;
    const char *insns = "instructions";
    char path[96];
    counter(stats, cpu, "cycles", "cycles", "cycles under this model, without `wait`", &c->cycles);
    counter(stats, cpu, "graduated", insns, "instructions graduated", &c->graduated);
    snprintf(path, sizeof path, "cpu%u.mxs.ipc", cpu);
    stats_formula(stats, path, "instructions/cycle", "graduated / cycles", ipc, c);
    counter(stats, cpu, "full_cycles", "cycles", "cycles that graduated the full width", &c->full_cycles);
    causes(stats, cpu, "stall", "cycles", "cycles that graduated less, for this reason", c->stall_cycles);
    causes(stats, cpu, "slots", "slots", "graduation slots that were lost to this reason", c->lost_slots);
    counter(stats, cpu, "fetched", insns, "instructions fetched", &c->fetched);
    counter(stats, cpu, "squashed", insns, "of these, those that did not graduate", &c->squashed);
    counter(stats, cpu, "issued", "issues", "issues of instructions; those that had to wait again among them",
            &c->issued);
    counter(stats, cpu, "alone", insns, "instructions that executed alone, as the oldest", &c->alone);
    counter(stats, cpu, "branches", insns, "conditional branches executed", &c->branches);
    counter(stats, cpu, "branches_mispredicted", insns, "of these, those that fetch expected to go the other way",
            &c->branches_mispredicted);
    counter(stats, cpu, "jumps", insns, "indirect jumps executed", &c->jumps);
    counter(stats, cpu, "jumps_mispredicted", insns, "of these, those that fetch expected to go elsewhere",
            &c->jumps_mispredicted);
    counter(stats, cpu, "forwarded", insns, "loads that had their value from a store that had not graduated",
            &c->forwarded);
    counter(stats, cpu, "passed", "stores", "stores of unknown address that loads went before", &c->passed);
    counter(stats, cpu, "replayed", insns, "of those loads, the ones that were wrong and had to be done again",
            &c->replayed);
    counter(stats, cpu, "changed", insns, "loads done again because memory had changed before they graduated",
            &c->changed);
    counter(stats, cpu, "parked", "waits", "waits of loads and stores for an older store or a miss register",
            &c->parked);
    counter(stats, cpu, "misses_merged", "accesses", "accesses to lines that were on their way already",
            &c->misses_merged);
    counter(stats, cpu, "miss_registers_full", "accesses", "accesses that found no miss register free",
            &c->miss_registers_full);
}
