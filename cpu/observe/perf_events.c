#include "cpu/observe/perf_events.h"
#include "cpu/observe/executions.h"
#include "cpu/model.h"

enum { EVEN = 1, ODD = 2, BOTH = EVEN | ODD, PER_CYCLE = 0 };

const struct perf_event_row perf_event_rows[PERF_EVENTS] = {
#define EVENT(id, number, counters, bound, text) {number, counters, bound, text},
#include "cpu/observe/perf_events.def"
#undef EVENT
};

enum perf_event perf_event_of(unsigned counter, unsigned number)
{
    for (unsigned i = 0; i < PERF_EVENTS; i++)
        if (perf_event_rows[i].number == number && perf_event_rows[i].counters >> counter & 1)
            return (enum perf_event)i;
    return PERF_NONE;
}

bool perf_event_is_counted(const struct core *core, enum perf_event event)
{
    switch (event) {
    case PERF_BRANCH_MISSES: return core->model_ops && core->model_ops->mispredictions != NULL;
    case PERF_L1I_ACCESSES:
    case PERF_L1I_MISSES:
    case PERF_L1D_ACCESSES:
    case PERF_L1D_MISSES:
    case PERF_STALLS:
    case PERF_UNCACHED_STALLS: return core->cache_levels >= 1;
    case PERF_L1I_STALLS:
    case PERF_L1D_STALLS:
    case PERF_L2_ACCESSES:
    case PERF_L2_MISSES:
    case PERF_L2I_STALLS:
    case PERF_L2D_STALLS: return core->cache_levels >= 2;
    default: return event < PERF_EVENTS;
    }
}

bool perf_event_needs_mix(enum perf_event event)
{
    switch (event) {
    case PERF_BRANCHES:
    case PERF_FP_INSNS:
    case PERF_JUMPS:
    case PERF_NOPS:
    case PERF_MULTIPLY_DIVIDE:
    case PERF_SC_INSNS:
    case PERF_PREFETCHES: return true;
    default: return false;
    }
}

/* Instructions of the kinds from FIRST to LAST; 0 before they are counted. */
static uint64_t executed(const struct core *core, enum mix_kind first, enum mix_kind last)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; core->executions && mode < MODE_COUNT; mode++)
        for (unsigned kind = first; kind <= last; kind++)
            sum += core->executions->mix[mode][kind];
    return sum;
}

static uint64_t loads(const struct core_counts *counts)
{
    return counts->loads - counts->loads_ahead;
}

static uint64_t stores(const struct core_counts *counts)
{
    return counts->stores - counts->stores_ahead;
}

static uint64_t misses(const struct core *core, enum miss kind)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum += core->mode_buckets[mode].miss[kind];
    return sum;
}

static uint64_t stalls(const struct core *core, enum stall kind)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum += core->mode_buckets[mode].stall[kind];
    return sum;
}

static uint64_t all_stalls(const struct core *core)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum += bucket_stall(&core->mode_buckets[mode]) + bucket_pipeline(&core->mode_buckets[mode]) +
               bucket_interlock(&core->mode_buckets[mode]);
    return sum;
}

/* Pipeline stalls because the fill/store buffer is full. The models have no such buffer: a load or store that misses
 * holds the pipeline as if it were full. Programs fill the buffer until it stalls, to know that what was in it before
 * has left (Linux, arch/mips/kernel/pm-cps.c), so that every miss must count, whatever it costs. */
static uint64_t fill_stalls(const struct core *core)
{
    if (core->cache_levels == 0)
        return loads(&core->counts) + stores(&core->counts);
    return misses(core, MISS_L1D_READ) + misses(core, MISS_L1D_WRITE) + stalls(core, STALL_L1D) +
           stalls(core, STALL_L2D);
}

uint64_t perf_event_count(const struct core *core, enum perf_event event)
{
    const struct core_counts *counts = &core->counts;
    const uint64_t refills = counts->tlb_refills[0] + counts->tlb_refills[1];
    switch (event) {
    case PERF_CYCLES: return core_time(core);
    case PERF_INSNS:
    case PERF_L1I_ACCESSES: return core->s.insns;
    case PERF_BRANCHES: return executed(core, MIX_TAKEN, MIX_NOT_TAKEN);
    case PERF_BRANCH_MISSES: return core->model_ops->mispredictions(core);
    case PERF_FP_INSNS: return executed(core, MIX_FP_ADD, MIX_FP_MOVE);
    case PERF_JUMPS: return executed(core, MIX_JUMP, MIX_JUMP) + executed(core, MIX_CALL, MIX_CALL);
    case PERF_NOPS: return executed(core, MIX_NOP, MIX_NOP);
    case PERF_MULTIPLY_DIVIDE: return executed(core, MIX_MULTIPLY, MIX_DIVIDE);
    case PERF_SC_INSNS: return executed(core, MIX_SC, MIX_SC);
    case PERF_PREFETCHES: return executed(core, MIX_PREFETCH, MIX_PREFETCH);
    case PERF_ITLB_MISSES:
    case PERF_JTLB_INSN_MISSES: return counts->tlb_fetch_refills + counts->tlb_fills[1];
    case PERF_DTLB_MISSES:
    case PERF_JTLB_DATA_MISSES: return refills - counts->tlb_fetch_refills + counts->tlb_fills[0];
    case PERF_L1I_MISSES: return misses(core, MISS_L1I);
    case PERF_L1D_ACCESSES: return loads(counts) + stores(counts);
    case PERF_L1D_MISSES: return misses(core, MISS_L1D_READ) + misses(core, MISS_L1D_WRITE);
    case PERF_LOADS: return loads(counts);
    case PERF_STORES: return stores(counts);
    case PERF_STALLS: return all_stalls(core);
    case PERF_L2_ACCESSES: return misses(core, MISS_L1I) + misses(core, MISS_L1D_READ) + misses(core, MISS_L1D_WRITE);
    case PERF_L2_MISSES: return misses(core, MISS_L2_INSN) + misses(core, MISS_L2_DATA);
    case PERF_EXCEPTIONS: return counts_sum(counts->exceptions, EXCEPTION_CODES);
    case PERF_L1I_STALLS: return stalls(core, STALL_L1I);
    case PERF_L1D_STALLS: return stalls(core, STALL_L1D);
    case PERF_L2I_STALLS: return stalls(core, STALL_L2I);
    case PERF_L2D_STALLS: return stalls(core, STALL_L2D);
    case PERF_UNCACHED_STALLS: return stalls(core, STALL_UNCACHED);
    case PERF_FSB_STALLS: return fill_stalls(core);
    default: return 0;
    }
}

unsigned perf_event_rate(const struct core *core, enum perf_event event)
{
    const unsigned bound = perf_event_rows[event].bound;
    return bound == PER_CYCLE ? 1 : bound * core->width;
}
