#include "cpu/observe/cycle_watch.h"

#include "cpu/observe/probe.h"

/* The rows of a bucket that hold cycles, as arrays: its stalls, pipeline stalls and interlocks, and the states that
 * they are. */
static const struct {
    size_t offset;
    unsigned count, state;
} parts[] = {
    {offsetof(struct bucket, stall), STALL_COUNT, PROBE_STALL},
    {offsetof(struct bucket, interlock), INTERLOCK_COUNT, PROBE_INTERLOCK},
    {offsetof(struct bucket, pipeline), PIPELINE_COUNT, PROBE_PIPELINE},
    {offsetof(struct bucket, wait), 1, PROBE_WAIT},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static uint64_t *part_of(struct bucket *bucket, unsigned part)
{
    return (uint64_t *)(void *)((uint8_t *)bucket + parts[part].offset);
}

/* A spending in the making. */
struct step {
    struct core *core;
    struct cycle_watch *watch;
    vaddr pc;
    enum mode mode;
    bool overlapped;
    bool is_sequence;
    cycles back; /* taken back so far */
};

static void report(const struct step *step, unsigned state, uint64_t count, int64_t spent, int64_t back)
{
    const struct cycle_watch *watch = step->watch;
    const struct cycle_spending spending = {.mode = step->mode,
                                            .place = watch->place.number,
                                            .pc = step->pc,
                                            .state = state,
                                            .count = count,
                                            .cycles = spent - back,
                                            .back = back,
                                            .is_sequence = step->is_sequence,
                                            .has_address = watch->has_address,
                                            .address = watch->address};
    watch->spent(watch->opaque, step->core, &spending);
}

/* Report the sequence of simple instructions. */
static void flush(struct core *core, struct cycle_watch *watch)
{
    const struct step step = {
        .core = core, .watch = watch, .pc = watch->place.low, .mode = watch->mode, .is_sequence = true};
    if (watch->pending == 0)
        return;
    watch->seen[watch->mode].cycles += watch->pending;
    watch->seen[watch->mode].insns += watch->pending;
    const bool has_address = watch->has_address;
    watch->has_address = false;
    report(&step, PROBE_RUN, watch->pending, (int64_t)watch->pending, 0);
    watch->has_address = has_address;
    watch->pending = 0;
}

/* How many of SPENT cycles are not charged. */
static int64_t forgiven(const struct step *step, int64_t spent)
{
    struct cycle_watch *watch = step->watch;
    if (spent <= 0 || step->overlapped)
        return 0;
    if (watch->place.is_free)
        return watch->free_insns < CYCLE_WATCH_FREE_MAX ? spent : 0;
    if (watch->place.is_lent || watch->credit == 0)
        return 0;
    const int64_t taken = (cycles)spent < watch->credit ? spent : (int64_t)watch->credit;
    watch->credit -= (cycles)taken;
    return taken;
}

/* The instruction waited for SPENT cycles in STATE, which NOW counts. */
static void spend_waiting(struct step *step, unsigned state, uint64_t *now, int64_t spent)
{
    struct cycle_watch *watch = step->watch;
    const uint64_t insns = step->core->s.insns;
    const bool continues = step->overlapped && state == watch->last_state && step->pc == watch->last_pc &&
                           step->mode == watch->last_mode && insns == watch->last_insns;
    const int64_t back = state == PROBE_WAIT ? 0 : forgiven(step, spent);
    watch->last_state = state;
    watch->last_pc = step->pc;
    watch->last_mode = step->mode;
    watch->last_insns = insns;
    *now -= (uint64_t)back;
    step->back += (cycles)back;
    if (watch->place.is_lent && state != PROBE_WAIT)
        watch->credit += (cycles)spent;
    report(step, state, continues ? 0 : 1, spent, back);
}

/* Report by what the account NOW of the step's mode exceeds what has been reported, and take back what is free. */
static void spend(struct step *step, struct bucket *now)
{
    struct cycle_watch *watch = step->watch;
    struct bucket *seen = &watch->seen[step->mode];
    const uint64_t insns = now->insns - seen->insns;
    int64_t runs = (int64_t)(now->cycles - seen->cycles);
    const cycles before = step->back;
    for (unsigned part = 0; part < PARTS; part++)
        for (unsigned i = 0; i < parts[part].count; i++) {
            uint64_t *at = part_of(now, part) + i;
            const int64_t spent = (int64_t)(*at - part_of(seen, part)[i]);
            if (spent == 0)
                continue;
            runs -= spent;
            spend_waiting(step, parts[part].state + i, at, spent);
        }
    if (runs != 0 || insns != 0) {
        const int64_t back = forgiven(step, runs);
        step->back += (cycles)back;
        if (watch->place.is_lent && runs > 0)
            watch->credit += (cycles)runs;
        report(step, PROBE_RUN, insns, runs, back);
    }
    now->cycles -= step->back - before;
    *seen = *now;
}

cycles cycle_watch_step(struct core *core, vaddr pc, bool overlapped)
{
    struct cycle_watch *watch = core->watch;
    struct step step = {.core = core, .watch = watch, .pc = pc, .overlapped = overlapped};
    flush(core, watch);
    if (pc < watch->place.low || pc >= watch->place.high || watch->mode != core->mode) {
        watch->find(watch->opaque, core, pc, &watch->place);
        watch->mode = core->mode;
    }
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        struct bucket *now = &core->mode_buckets[mode];
        if (now->cycles == watch->seen[mode].cycles && now->insns == watch->seen[mode].insns)
            continue;
        step.mode = (enum mode)mode;
        spend(&step, now);
    }
    core->s.cycle -= step.back;
    core->charged_cycle -= step.back;
    watch->free_insns = watch->place.is_free ? watch->free_insns + 1 : 0;
    watch->always = watch->place.is_free || watch->place.is_lent || watch->credit > 0;
    watch->has_address = false;
    return step.back;
}

cycles cycle_watch_step_partly(struct core *core, vaddr pc)
{
    struct cycle_watch *watch = core->watch;
    const uint64_t free_insns = watch->free_insns;
    const bool has_address = watch->has_address;
    const cycles back = cycle_watch_step(core, pc, false);
    watch->free_insns = free_insns;
    watch->has_address = has_address;
    watch->always = true; /* the rest of the instruction is no simple one */
    return back;
}

void cycle_watch_settle(struct core *core)
{
    struct cycle_watch *watch = core->watch;
    core_sync(core);
    core_account(core);
    struct step step = {.core = core, .watch = watch, .pc = watch->last_pc};
    const struct cycle_place place = watch->place;
    flush(core, watch);
    watch->place.is_free = watch->place.is_lent = false;
    const cycles credit = watch->credit;
    watch->credit = 0; /* nothing is taken back between runs */
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        step.mode = (enum mode)mode;
        spend(&step, &core->mode_buckets[mode]);
    }
    watch->credit = credit;
    watch->place = place;
}

void cycle_watch_attach(struct core *core, struct cycle_watch *watch)
{
    core->watch = watch;
    if (watch == NULL)
        return;
    core_sync(core);
    core_account(core);
    watch->pending = 0;
    watch->place = (struct cycle_place){.number = 0};
    watch->mode = core->mode;
    watch->always = watch->has_address = false;
    watch->credit = watch->free_insns = 0;
    watch->last_pc = CORE_NO_PC;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        watch->seen[mode] = core->mode_buckets[mode];
}
