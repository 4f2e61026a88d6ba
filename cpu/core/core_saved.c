/* Checkpoint section of a processor. */
#include "cpu/core.h"

#include "cpu/privileged/cp0.h"
#include "cpu/observe/executions.h"
#include "cpu/core/interlock.h"
#include "cpu/core/isolated.h"
#include "cpu/model.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/translation_caches.h"
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/watch_registers.h"

/* More instructions than any run executes. */
#define INSNS_MAX (1ull << 62)

/* A row for a member of the TLB's entries from FIRST up to END. The section of a processor has those of 64; a section
 * of its own has the others of a processor with more. */
#define TLB_ROW(member, kind, first, end)                                                                              \
    SAVED_ROW("s.tlb." #member, struct core, s.tlb[first].member, kind, (end) - (first), sizeof(struct tlb_entry),     \
              false, 0)
#define TLB_ROWS(first, end)                                                                                           \
    TLB_ROW(page_mask, SAVED_U32, first, end), TLB_ROW(vpn2, SAVED_U32, first, end),                                   \
        TLB_ROW(asid, SAVED_U8, first, end), TLB_ROW(global, SAVED_BOOL, first, end),                                  \
        TLB_ROW(lo, SAVED_U32, first, end)
enum { TLB_FIRST_ENTRIES = 64 };

/* A row for the stalls of all modes from FIRST up to END. */
#define STALL_ROW(text, first, end)                                                                                    \
    {                                                                                                                  \
        .name = text, .kind = SAVED_U64, .statistic = true,                                                            \
        .offset = offsetof(struct core, mode_buckets[0].stall[first]), .count = (end) - (first), .repeat = MODE_COUNT, \
        .stride = sizeof(struct bucket)                                                                                \
    }

static const struct saved_field fields[] = {
    SAVED_FIELD(struct core, s.gpr, SAVED_U32),
    SAVED_FIELD(struct core, s.hi, SAVED_U32),
    SAVED_FIELD(struct core, s.lo, SAVED_U32),
    SAVED_FIELD(struct core, s.pc, SAVED_U32),
    SAVED_FIELD(struct core, s.in_delay_slot, SAVED_BOOL),
    SAVED_FIELD(struct core, s.branch_target, SAVED_U32),
    SAVED_FIELD(struct core, s.fpr, SAVED_U32),
    SAVED_FIELD(struct core, s.fcr31, SAVED_U32),
    SAVED_FIELD(struct core, s.cp0, SAVED_U32),
    TLB_ROWS(0, TLB_FIRST_ENTRIES),
    SAVED_FIELD(struct core, s.ll_bit, SAVED_BOOL),
    SAVED_FIELD(struct core, s.ll_address, SAVED_U32),
    SAVED_FIELD(struct core, s.waiting, SAVED_BOOL),
    SAVED_FIELD(struct core, s.running, SAVED_BOOL),
    SAVED_FIELD(struct core, s.count_base, SAVED_U32),
    SAVED_FIELD(struct core, s.bootstrap_base, SAVED_U32),
    SAVED_FIELD(struct core, s.cycle, SAVED_TIME),
    SAVED_LIMITED(struct core, s.insns, SAVED_U64, INSNS_MAX),
    SAVED_FIELD(struct core, timer, SAVED_EVENT),
    SAVED_LIMITED(struct core, mode, SAVED_U32, MODE_COUNT - 1),
    SAVED_FIELD(struct core, in_idle_loop, SAVED_BOOL),
    SAVED_FIELD(struct core, idle_interrupted, SAVED_BOOL),
    SAVED_FIELD(struct core, idle_stack, SAVED_U32),
    SAVED_FIELD(struct core, resume.hook_stopped, SAVED_BOOL),
    SAVED_FIELD(struct core, resume.hook_pc, SAVED_U32),
    SAVED_FIELD(struct core, resume.fetched_pc, SAVED_U32),
    SAVED_FIELD(struct core, resume.fetched_line, SAVED_U32),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, cycles),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, insns),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, wait),
    STALL_ROW("mode_buckets.stall", 0, STALL_RARE),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, miss),
    SAVED_STATISTIC(struct core, counts.exceptions),
    SAVED_STATISTIC(struct core, counts.tlb_refills),
    SAVED_STATISTIC(struct core, counts.interrupts),
    SAVED_STATISTIC(struct core, counts.loads),
    SAVED_STATISTIC(struct core, counts.stores),
    SAVED_FIELD(struct core, counts.tlb_writes, SAVED_U64), /* Random is derived from it */
    SAVED_STATISTIC(struct core, counts.mode_changes),
};

/* Check that the read-only bits of the identification registers match this processor. */
static bool check_identity(const struct core *core, struct err *err)
{
    for (unsigned i = 0; i < CP0_COUNT_OF_REGISTERS; i++) {
        const struct cp0_register *row = &core->architecture->cp0[i];
        if (row->identifies && (core->s.cp0[i] ^ cp0_reset_value(core, i)) & ~row->write_mask)
            return err_set(err, "CP0 register %u, %u is 0x%08x: it does not match this processor", i / CP0_SELECTS,
                           i % CP0_SELECTS, core->s.cp0[i]);
    }
    return true;
}

static bool check_state(const struct core *core, struct err *err)
{
    if (core->s.gpr[0] != 0)
        return err_set(err, "$zero is 0x%08x", core->s.gpr[0]);
    if (core->s.cp0[CP0_WIRED] >= core->tlb_entries)
        return err_set(err, "%u of %u TLB entries are wired", core->s.cp0[CP0_WIRED], core->tlb_entries);
    if (core->s.cp0[CP0_CAUSE] & CAUSE_WP && !core->has_watch_registers)
        return err_set(err, "a Watch exception is deferred, and there are no watch registers");
    for (unsigned i = 0; i < core->tlb_entries; i++)
        if (!tlb_entry_is_valid(core, &core->s.tlb[i]))
            return err_set(err, "TLB entry %u has an invalid page mask or address", i);
    return check_identity(core, err);
}

static bool after_load(void *base, struct err *err)
{
    struct core *core = base;
    if (!check_state(core, err))
        return false;
    core->bucket = &core->mode_buckets[core->mode];
    core->charged_cycle = core->s.cycle;
    core->charged_insns = core->s.insns;
    core->user_mode = core_is_user(core);
    core->exception = (struct exception){0};
    cp0_perf_state_changed(core);
    core_update_checked(core);
    page_walker_update(core);
    tlb_rebuild(core);
    vmap_invalidate_all(core);
    vmap_select(core);
    if (core->model)
        core->model_ops->invalidate_all(core->model);
    if (core->cpus > 1)
        core_watch_link(core);
    core->attention = true;
    return true;
}

/* The performance counters. PerfCnt is relative to the counts, which may be others after loading, so what they were is
 * saved. */
static const struct saved_field perf_fields[] = {
    SAVED_FIELD(struct core, perf_check, SAVED_EVENT),
    SAVED_STATISTIC(struct core, counts.tlb_fetch_refills),
};

static void write_perf(void *base, struct saved_out *out)
{
    const struct core *core = base;
    for (unsigned i = 0; i < CORE_PERF_COUNTERS; i++)
        saved_put_u32(out, cp0_perf_read(core, i));
    saved_put_u32(out, core->width);
}

static bool read_perf(void *base, struct saved_in *in, struct err *err)
{
    struct core *core = base;
    (void)err;
    for (unsigned i = 0; i < CORE_PERF_COUNTERS; i++)
        if (!saved_get_u32(in, &core->perf_loaded.value[i]))
            return false;
    core->perf_loaded.valid = true;
    return saved_get_u32(in, &core->perf_loaded.width);
}

static bool after_load_perf(void *base, struct err *err)
{
    struct core *core = base;
    (void)err;
    if (core->perf_loaded.valid)
        cp0_perf_loaded(core, core->perf_loaded.value, core->perf_loaded.width);
    core->perf_loaded.valid = false;
    return true;
}

static const struct saved_field more_tlb_fields[] = {TLB_ROWS(TLB_FIRST_ENTRIES, TLB_MAX_ENTRIES)};

/* Misses behind the first level, by what accessed. */
static const struct saved_field outer_fields[] = {
    SAVED_EACH_STATISTIC(struct core, mode_buckets, outer),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, streamed),
};

static const struct saved_field late_fields[] = {
    SAVED_EACH_STATISTIC(struct core, mode_buckets, late),
    SAVED_EACH_STATISTIC(struct core, mode_buckets, late_streamed),
};

/* The page-table walker, whose registers are among the others. */
static const struct saved_field walker_fields[] = {
    SAVED_STATISTIC(struct core, counts.walks),
    SAVED_STATISTIC(struct core, counts.fetch_walks),
    SAVED_STATISTIC(struct core, counts.failed_walks),
    SAVED_STATISTIC(struct core, counts.walk_loads),
    SAVED_STATISTIC(struct core, counts.walk_misses),
    SAVED_STATISTIC(struct core, counts.tlb_fills),
    STALL_ROW("mode_buckets.page_walk", STALL_PAGE_WALK, STALL_PAGE_WALK + 1),
};

static const struct saved_field move_fields[] = {
    STALL_ROW("mode_buckets.page_move", STALL_PAGE_MOVE, STALL_PAGE_MOVE + 1),
};

void core_register_saved(struct core *core, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    static const struct saved_ops perf_ops = {.write = write_perf, .read = read_perf, .after_load = after_load_perf};
    char name[16];
    snprintf(name, sizeof name, "cpu%u", core->number);
    saved_add(saved,
              &(struct saved_section){.name = name, .version = 1, .base = core, SAVED_TABLE(fields), .ops = &ops});
    if (core->tlb_entries > TLB_FIRST_ENTRIES) {
        snprintf(name, sizeof name, "cpu%u.tlb", core->number);
        saved_add(saved,
                  &(struct saved_section){.name = name, .version = 1, .base = core, SAVED_TABLE(more_tlb_fields)});
    }
    snprintf(name, sizeof name, "cpu%u.perf", core->number);
    saved_add(
        saved,
        &(struct saved_section){
            .name = name, .version = 1, .optional = true, .base = core, SAVED_TABLE(perf_fields), .ops = &perf_ops});
    snprintf(name, sizeof name, "cpu%u.outer", core->number);
    saved_add(saved, &(struct saved_section){
                         .name = name, .version = 1, .optional = true, .base = core, SAVED_TABLE(outer_fields)});
    if (core->has_prefetch) {
        snprintf(name, sizeof name, "cpu%u.late", core->number);
        saved_add(
            saved,
            &(struct saved_section){
                .name = name, .version = 1, .timing = true, .optional = true, .base = core, SAVED_TABLE(late_fields)});
    }
    if (core->has_page_walker) {
        snprintf(name, sizeof name, "cpu%u.walker", core->number);
        saved_add(saved, &(struct saved_section){.name = name, .version = 1, .base = core, SAVED_TABLE(walker_fields)});
    }
    if (core->moves_pages) {
        snprintf(name, sizeof name, "cpu%u.page_moves", core->number);
        saved_add(
            saved,
            &(struct saved_section){
                .name = name, .version = 1, .timing = true, .optional = true, .base = core, SAVED_TABLE(move_fields)});
    }
    if (core->translation != NULL)
        translation_caches_register_saved(core, saved);
    interlock_register_saved(core, saved);
    isolated_register_saved(core, saved);
    executions_register_saved(core, saved);
}
