/* Names and descriptions of a processor's statistics. */
#include "cpu/observe/executions.h"
#include "cpu/privileged/translation_caches.h"
#include "src/measure/measures.h"
#include <stdio.h>

/* By enum outer_miss; NULL: miss_name() has it. */
static const char *const outer_names[OUTER_COUNT] = {NULL, "l2_read", "l2_write", "l3_insn", "l3_read", "l3_write"};

static void counter(struct stats *stats, const struct core *core, const char *group, const char *name, const char *unit,
                    const char *text, const uint64_t *value)
{
    char path[96];
    snprintf(path, sizeof path, "cpu%u.%s%s", core->number, group, name);
    stats_counter(stats, path, unit, text, value);
}

static uint64_t execute(const void *opaque)
{
    return bucket_execute(opaque);
}

/* Accesses to prefetched lines in flight. */
static void register_late(struct core *core, struct stats *stats, enum mode mode)
{
    static const char *const names[LATE_COUNT] = {"l1i",      "l1d_read", "l1d_write", "l2_insn", "l2_read",
                                                  "l2_write", "l3_insn",  "l3_read",   "l3_write"};
    const struct bucket *bucket = &core->mode_buckets[mode];
    char group[48];
    snprintf(group, sizeof group, "mode.%s.late.", mode_name(mode));
    for (unsigned i = 0; i < LATE_COUNT && i / LATE_ACCESSES < core->machine_levels; i++)
        counter(
            stats, core, group, names[i], "accesses",
            "accesses in this mode that waited for a prefetched line in flight from beyond this level, no misses of it",
            &bucket->late[i]);
    if (core->has_streams)
        counter(stats, core, group, "streamed", "misses", "the part of outer_miss.streamed that waited for its line",
                &bucket->late_streamed);
}

static void register_mode(struct core *core, struct stats *stats, enum mode mode)
{
    const struct bucket *bucket = &core->mode_buckets[mode];
    char group[48], path[96];
    snprintf(group, sizeof group, "mode.%s.", mode_name(mode));
    counter(stats, core, group, "cycles", "cycles", "cycles spent in this mode", &bucket->cycles);
    counter(stats, core, group, "insns", "instructions", "instructions executed in this mode", &bucket->insns);
    counter(stats, core, group, "wait", "cycles", "cycles in this mode spent in `wait`", &bucket->wait);
    snprintf(path, sizeof path, "cpu%u.%sexecute", core->number, group);
    stats_integer(stats, path, "cycles", "cycles in this mode that were neither stall nor `wait`", execute, bucket);
    for (enum formula i = 0; i < FORMULAS; i++) {
        const struct measure_formula *formula = measure_formula(i);
        snprintf(path, sizeof path, "cpu%u.%s%s", core->number, group, formula->name);
        if (formula->is_statistic)
            stats_formula_of_counters(stats, path, formula->unit, formula->meaning, formula->of_bucket, bucket,
                                      sizeof *bucket);
    }
    snprintf(group, sizeof group, "mode.%s.stall.", mode_name(mode));
    for (unsigned i = 0; i < STALL_COUNT; i++)
        if (core_has_stall(core, i))
            counter(stats, core, group, stall_name(i), "cycles", "cycles in this mode stalled for this reason",
                    &bucket->stall[i]);
    snprintf(group, sizeof group, "mode.%s.interlock.", mode_name(mode));
    for (unsigned i = 0; core->has_interlocks && i < (core->has_entry_costs ? INTERLOCK_COUNT : INTERLOCK_RARE); i++)
        counter(stats, core, group, interlock_name(i), "cycles",
                "cycles in this mode in which an instruction waited for a result or unit (mipsy.latency, mipsy.repeat)",
                &bucket->interlock[i]);
    snprintf(group, sizeof group, "mode.%s.miss.", mode_name(mode));
    for (unsigned i = 0; i < MISS_COUNT; i++)
        counter(stats, core, group, miss_name(i), "misses", "misses of this kind in this mode", &bucket->miss[i]);
    snprintf(group, sizeof group, "mode.%s.outer_miss.", mode_name(mode));
    for (unsigned i = 0; i < OUTER_COUNT; i++)
        if (outer_names[i] && core->machine_levels >= (i < OUTER_L3_INSN ? 2 : 3))
            counter(stats, core, group, outer_names[i], "misses",
                    "fetches, loads or stores in this mode that missed this level", &bucket->outer[i]);
    if (core->has_streams)
        counter(stats, core, group, "streamed", "misses",
                "misses in this mode of the level before the stream buffers that a buffer supplied", &bucket->streamed);
    if (core->has_prefetch)
        register_late(core, stats, mode);
}

const char *core_exception_name(const struct core *core, unsigned code)
{
    const char *name = code < EXCEPTION_CODES ? core->architecture->exceptions[code].statistic : NULL;
    return name ? name : "unknown";
}

static void register_walker(struct core *core, struct stats *stats)
{
    static const char *const misses[WALK_LEVELS] = {"walk_misses_l1", "walk_misses_l2", "walk_misses_l3"};
    const struct core_counts *counts = &core->counts;
    counter(stats, core, "tlb.", "walks_load", "walks", "walks of the page-table walker for loads and fetches",
            &counts->walks[0]);
    counter(stats, core, "tlb.", "walks_fetch", "walks", "walks of the page-table walker for fetches",
            &counts->fetch_walks);
    counter(stats, core, "tlb.", "walks_store", "walks", "walks of the page-table walker for stores",
            &counts->walks[1]);
    counter(stats, core, "tlb.", "walks_failed", "walks",
            "walks that found no entry, so that a TLB refill exception followed", &counts->failed_walks);
    counter(stats, core, "tlb.", "filled_data", "misses",
            "misses of the TLB of loads and stores that were no refill exceptions: the walker filled the TLB, or the "
            "second-level TLB did",
            &counts->tlb_fills[0]);
    counter(stats, core, "tlb.", "filled_fetch", "misses", "the same of fetches", &counts->tlb_fills[1]);
    counter(stats, core, "tlb.", "walk_loads", "loads",
            "loads of the page-table walker, of mxs those on wrong paths, too", &counts->walk_loads);
    for (unsigned i = 0; i < WALK_LEVELS && i < core->machine_levels; i++)
        counter(
            stats, core, "tlb.", misses[i], "misses",
            "loads of the page-table walker that missed this level; the cache and the mode count them as reads, too",
            &counts->walk_misses[i]);
}

void core_register_stats(struct core *core, struct stats *stats)
{
    executions_register_stats(core, stats);
    const struct core_counts *counts = &core->counts;
    counter(stats, core, "", "cycles", "cycles", "local time", &core->s.cycle);
    counter(stats, core, "", "insns", "instructions", "instructions executed, including those that raised an exception",
            &core->s.insns);
    counter(stats, core, "", "loads", "instructions", "loads issued", &counts->loads);
    counter(stats, core, "", "stores", "instructions", "stores issued", &counts->stores);
    for (unsigned i = 0; i < MODE_COUNT; i++)
        register_mode(core, stats, (enum mode)i);
    counter(stats, core, "", "mode_changes", "changes", "changes between user, kernel and idle", &counts->mode_changes);
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        if (core->architecture->exceptions[i].statistic && (i != EXC_WATCH || core->has_watch_registers))
            counter(stats, core, "exceptions.", core->architecture->exceptions[i].statistic, "exceptions",
                    "exceptions taken with this code; tlb_load and tlb_store include the refills",
                    &counts->exceptions[i]);
    counter(stats, core, "tlb.", "refills_load", "exceptions", "TLB refill exceptions of loads and fetches",
            &counts->tlb_refills[0]);
    counter(stats, core, "tlb.", "refills_fetch", "exceptions", "TLB refill exceptions of fetches",
            &counts->tlb_fetch_refills);
    counter(stats, core, "tlb.", "refills_store", "exceptions", "TLB refill exceptions of stores",
            &counts->tlb_refills[1]);
    counter(stats, core, "tlb.", "writes", "writes", "TLB entries written", &counts->tlb_writes);
    if (core->has_page_walker)
        register_walker(core, stats);
    if (core->translation != NULL)
        translation_caches_register_stats(core, stats);
    for (unsigned i = 0; i < 8; i++) {
        char name[8];
        snprintf(name, sizeof name, "ip%u", i);
        counter(stats, core, "interrupts.", name, "interrupts", "interrupts taken, by the highest pending IP line",
                &counts->interrupts[i]);
    }
}
