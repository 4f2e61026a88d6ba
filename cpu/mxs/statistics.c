/* Names and descriptions of mxs's statistics. */
#include "cpu/core.h"
#include "cpu/mxs/counts.h"
#include "cpu/mxs/statistics.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdio.h>

static void counter(struct stats *stats, unsigned cpu, const char *name, const char *unit, const char *text,
                    const uint64_t *value)
{
    char path[96];
    snprintf(path, sizeof path, "cpu%u.mxs.%s", cpu, name);
    stats_counter(stats, path, unit, text, value);
}

static const char *cause_name(unsigned cause)
{
    return lost_is_stall(cause) ? stall_name(lost_stall(cause)) : pipeline_name(cause - LOST_MEMORY);
}

static void causes(struct stats *stats, const struct core *core, const char *group, const char *unit, const char *text,
                   const uint64_t *values)
{
    for (unsigned i = 0; i < LOST_COUNT; i++) {
        char name[64];
        if (lost_is_stall(i) && !core_has_stall(core, lost_stall(i)))
            continue;
        snprintf(name, sizeof name, "%s.%s", group, cause_name(i));
        counter(stats, core->number, name, unit, text, &values[i]);
    }
}

static double ipc(const void *opaque)
{
    const struct mxs_counts *counts = opaque;
    return (double)counts->graduated / (double)counts->cycles;
}

/* Misses of the last level that are outstanding together, by mode. */
static void register_outstanding(const struct core *core, struct stats *stats)
{
    const struct mxs_counts *c = core->model_counts;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        const struct nonblocking_outstanding *of = &c->outstanding[mode];
        const struct {
            const char *name, *text;
            const uint64_t *value;
        } rows[] = {
            {"any", "with a miss of the last level outstanding; in the mode of the access", &of->any},
            {"several", "with two or more such misses outstanding; in the mode of the latest access", &of->several},
            {"total", "how long each such miss was outstanding, all together", &of->total},
        };
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            char name[64];
            snprintf(name, sizeof name, "outstanding.%s.%s", mode_name((enum mode)mode), rows[i].name);
            counter(stats, core->number, name, "cycles", rows[i].text, rows[i].value);
        }
    }
}

/* Pipeline stalls of each mode, by cause. */
static void register_modes(const struct core *core, struct stats *stats)
{
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned i = 0; i < PIPELINE_COUNT; i++) {
            char path[96];
            snprintf(path, sizeof path, "cpu%u.mode.%s.pipeline.%s", core->number, mode_name((enum mode)mode),
                     pipeline_name(i));
            stats_counter(stats, path, "cycles",
                          "cycles in this mode that graduated less than the full width, for this reason",
                          &core->mode_buckets[mode].pipeline[i]);
        }
}

void mxs_counts_register(const struct core *core, struct stats *stats)
{
    const struct mxs_counts *c = core->model_counts;
    const unsigned cpu = core->number;
    const char *insns = "instructions";
    char path[96];
    counter(stats, cpu, "cycles", "cycles", "cycles under this model, without `wait`", &c->cycles);
    counter(stats, cpu, "graduated", insns, "instructions graduated", &c->graduated);
    snprintf(path, sizeof path, "cpu%u.mxs.ipc", cpu);
    stats_formula_of_counters(stats, path, "instructions/cycle", "graduated / cycles", ipc, c, sizeof *c);
    counter(stats, cpu, "full_cycles", "cycles", "cycles that graduated the full width", &c->full_cycles);
    causes(stats, core, "stall", "cycles", "cycles that graduated less than the full width, for this reason",
           c->stall_cycles);
    causes(stats, core, "slots", "slots", "graduation slots lost for this reason", c->lost_slots);
    counter(stats, cpu, "fetched", insns, "instructions fetched", &c->fetched);
    counter(stats, cpu, "squashed", insns, "fetched instructions that did not graduate", &c->squashed);
    counter(stats, cpu, "issued", "issues", "instruction issues, including repeated ones after a wait", &c->issued);
    counter(stats, cpu, "alone", insns, "serialising instructions, executed alone at the head of the window",
            &c->serialised);
    counter(stats, cpu, "branches", insns, "conditional branches executed", &c->branches);
    counter(stats, cpu, "branches_mispredicted", insns, "mispredicted conditional branches", &c->branches_mispredicted);
    counter(stats, cpu, "jumps", insns, "indirect jumps executed", &c->jumps);
    counter(stats, cpu, "jumps_mispredicted", insns, "mispredicted indirect jumps", &c->jumps_mispredicted);
    counter(stats, cpu, "forwarded", insns,
            "loads that got their value by forwarding from a store that had not graduated", &c->forwarded);
    counter(stats, cpu, "passed", "stores", "older stores of unknown address that loads passed", &c->speculated_past);
    counter(stats, cpu, "replayed", insns,
            "loads replayed because an older store that they had passed wrote their bytes", &c->replayed);
    counter(stats, cpu, "changed", insns, "loads executed again because memory had changed before they graduated",
            &c->load_value_changed);
    counter(stats, cpu, "parked", "waits",
            "waits of loads and stores in the load/store queue, for an older store or an MSHR", &c->lsq_waits);
    counter(stats, cpu, "misses_merged", "accesses",
            "secondary misses: accesses to a line in flight, merged with its miss", &c->misses_merged);
    counter(stats, cpu, "miss_registers_full", "accesses",
            "accesses that found no free MSHR, or no free target of theirs", &c->mshrs_full);
    register_outstanding(core, stats);
    register_modes(core, stats);
}

bool mxs_counts_check(const struct core *core, struct err *err)
{
    const struct mxs_counts *c = core->model_counts;
    uint64_t cycles = c->full_cycles;
    for (unsigned i = 0; i < LOST_COUNT; i++)
        cycles += c->stall_cycles[i];
    if (cycles != c->cycles)
        return err_set(err, "CPU %u: mxs counted %" PRIu64 " full-width and stall cycles, but %" PRIu64 " cycles",
                       core->number, cycles, c->cycles);
    for (unsigned i = 0; i < LOST_COUNT; i++) {
        uint64_t charged = 0;
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            const struct bucket *bucket = &core->mode_buckets[mode];
            charged += lost_is_stall(i) ? bucket->stall[lost_stall(i)] : bucket->pipeline[i - LOST_MEMORY];
        }
        if (lost_is_stall(i) ? charged < c->stall_cycles[i] : charged != c->stall_cycles[i])
            return err_set(err, "CPU %u: mxs counted %" PRIu64 " stall cycles (%s), but %" PRIu64 " in its modes",
                           core->number, c->stall_cycles[i], cause_name(i), charged);
    }
    return true;
}
