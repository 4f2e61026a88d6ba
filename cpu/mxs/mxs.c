/*
 * mxs as a CPU model: creation, destruction, and the structure of a run.
 *
 * A run may end anywhere, even in the middle of a cycle. The window is kept, and the next run continues where this one
 * ended, so that interruptions do not change the result. If the state was changed in the meantime, the window is
 * squashed.
 */
#include "cpu/mxs/mxs.h"

#include "cpu/model.h"
#include "cpu/mxs/execute.h"
#include "cpu/mxs/probe.h"
#include "cpu/mxs/saved.h"
#include "cpu/mxs/statistics.h"
#include "cpu/mxs/walk.h"
#include "cpu/observe/probe.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size)
{
    void *memory = checked_memory(calloc(count, size));
    return memory;
}

static uint32_t power_of_two_from(uint32_t number, uint32_t least)
{
    while (least < number)
        least *= 2;
    return least;
}

/* Scratch registers for speculative floating-point operations. */
static struct core *create_fpu(const struct core *core)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, sizeof(struct core)) != 0)
        log_bug("out of memory");
    struct core *fpu = memset(memory, 0, sizeof *fpu);
    fpu->architecture = core->architecture;
    fpu->fpu_traps_denormals = core->fpu_traps_denormals;
    return fpu;
}

static void create_window(struct mxs *m)
{
    const uint32_t slots = power_of_two_from(m->config.window, 64);
    m->slot_mask = slots - 1;
    m->words = slots / 64;
    m->oldest = m->next = 1;
    m->entry = checked_memory(aligned_alloc(alignof(struct mxs_entry), slots * sizeof *m->entry));
    memset(m->entry, 0, slots * sizeof *m->entry);
    m->stores_by_address = allocate((size_t)MXS_HASH_SETS * m->words, sizeof *m->stores_by_address);
    m->loads_by_address = allocate((size_t)MXS_HASH_SETS * m->words, sizeof *m->loads_by_address);
    m->wheel.overflow_due = CYCLES_NEVER;
    m->mshr_free_at = CYCLES_NEVER;
    for (unsigned i = 0; i < UNITS; i++)
        m->has_units |= m->config.units[i] != 0;
}

/* Update whether graduation is observed. */
static void update_watched(struct mxs *m)
{
    m->watched = m->checker != NULL || m->viewer != NULL || m->probe != NULL || m->core->access_observers > 0 ||
                 m->core->executions != NULL;
    m->fetch_observed = m->viewer != NULL || m->probe != NULL;
}

/* The core has got a probe, or lost it. */
static void change_probe(struct mxs *m)
{
    mxs_probe_free(m->probe);
    m->probe = m->core->probe != NULL ? mxs_probe_create(m) : NULL;
    update_watched(m);
}

static void *create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    struct mxs_viewer *viewer;
    if (!mxs_viewer_create(&viewer, params, core, err))
        return NULL;
    struct mxs *m = allocate(1, sizeof *m);
    m->viewer = viewer;
    m->core = core;
    inorder_init(&m->in, core, memsys, false);
    m->in.counts_begun = true;
    mxs_config_read(&m->config, params);
    core->width = mxs_config_width(&m->config);
    create_window(m);
    if (m->in.memsys != NULL)
        m->memory = nonblocking_create(memsys, core->number, params);
    m->profiled = m->memory != NULL && memsys_profile_overlapped(memsys, core->number, true);
    m->accesses_fit_lines = m->memory != NULL && m->in.data_line >= 8;
    m->may_refuse = params_u64(params, "cache.l1d.targets") != 0;
    m->pages = mxs_pages_create(m->config.latency, mxs_execute, m->in.prefetches);
    m->store_values = mxs_store_values;
    m->predictor = mxs_predictor_create(params);
    m->fpu = create_fpu(core);
    if (m->config.checks)
        m->checker = mxs_checker_create(core);
    update_watched(m);
    m->issue_observed = m->has_units || m->viewer != NULL;
    m->fetch_has_permits =
        m->memory != NULL && m->in.fetch_line == 1u << m->in.fetch_shift && m->in.fetch_index_bits == 0;
    m->moves_code = m->memory != NULL && layout_moves_any_code(m->in.layout);
    m->predicts_placed = m->moves_code && memsys_page_mapping(memsys) == NULL;
    m->line_bits = (m->moves_code ? -(vaddr)4 : -m->in.fetch_line) | 3;
    m->counts = core->model_counts != NULL ? core->model_counts : &m->own_counts;
    m->wheel.time = core->s.cycle;
    m->squash_pending = true;
    return m;
}

static bool finish_files(void *model, struct err *err)
{
    const struct mxs *m = model;
    return m->viewer == NULL || mxs_viewer_finish(m->viewer, err);
}

static void destroy(void *model)
{
    struct mxs *m = model;
    if (m->profiled)
        memsys_profile_overlapped(m->in.memsys, m->core->number, false);
    mxs_pages_free(m->pages);
    mxs_predictor_free(m->predictor);
    nonblocking_free(m->memory);
    mxs_checker_free(m->checker);
    mxs_viewer_free(m->viewer);
    mxs_probe_free(m->probe);
    free(m->fpu);
    free(m->loaded);
    free(m->entry);
    free(m->stores_by_address);
    free(m->loads_by_address);
    free(m);
}

static void run(void *model, cycles until)
{
    struct mxs *m = model;
    struct core *core = m->core;
    struct cpu *s = &core->s;
    if (s->pc != core->resume.hook_pc)
        core->resume.hook_stopped = false;
    mxs_checker_disturb(m->checker);
    if (SIM_UNLIKELY((core->probe != NULL) != (m->probe != NULL)))
        change_probe(m);
    if (mxs_is_void(m))
        mxs_fetch_restart(m, s->cycle, LOST_FETCH);
    const cycles horizon = event_queue_next(core->queue); /* as in cpu/translate/run.c */
    while (s->cycle < until && !core->stop && !s->waiting && event_queue_next(core->queue) == horizon) {
        core->attention = false;
        if (interrupt_pending(core)) {
            core->resume.hook_stopped = false;
            interrupt_enter(core, s->pc, s->in_delay_slot);
            if (SIM_UNLIKELY(m->probe != NULL))
                probe_signal_exception(core->probe);
            mxs_checker_disturb(m->checker);
            mxs_fetch_restart(m, s->cycle + m->config.exception_delay, LOST_EXCEPTION);
        }
        if (!(mxs_cycle_run(m, until)))
            break;
    }
    memcpy(&m->state_after_run, s, offsetof(struct cpu, cp0));
    core_resume_end(&core->resume);
    if (s->ll_bit && core->cpus > 1)
        core_watch_link(core);
}

static uint64_t mispredictions(const struct core *core)
{
    const struct mxs_counts *counts = core->model_counts;
    return counts != NULL ? counts->branches_mispredicted : 0;
}

static void sync_model(void *model)
{
    struct mxs *m = model;
    if (m->stepping)
        inorder_sync(&m->in);
}

static void walk_load(void *model, const struct page_walk_load *load)
{
    mxs_walk_load(model, load);
}

static void walk_wait(void *model, cycles duration)
{
    mxs_walk_wait(model, duration);
}

/* Only instructions in the window affect timing; other decoded pages depend on when this model was attached. */
static void invalidate_page(void *model, paddr page)
{
    struct mxs *m = model;
    for (unsigned uncached = 0; uncached < 2; uncached++) {
        const struct mxs_page *decoded = mxs_pages_decoded(m->pages, page, uncached);
        m->squash_pending |= decoded != NULL && mxs_fetch_has_page(m, decoded);
    }
    mxs_pages_forget(m->pages, page);
}

static void forget_all(void *model)
{
    struct mxs *m = model;
    mxs_pages_forget_all(m->pages);
    m->squash_pending = true;
}

/* Entries in the window are not affected: observers are called as accesses graduate. */
static void observers_changed(void *model)
{
    update_watched(model);
}

/* Hooks are looked up at graduation. Fetched instructions stay in the window, so that hooks do not change timing. */
static void hook_changed(void *model, vaddr address)
{
    struct mxs *m = model;
    mxs_pages_mark_hooks(m->pages, m->core, address & (PAGE_SIZE - 1));
}

/* The entries of a void window will be squashed at the start of the next run, and counted then. A restored model does
 * not have them, so they are counted when saving. */
static void save_counts(struct core *core, struct saved_out *out)
{
    const struct mxs *m = core->model_ops == &mxs_model ? core->model : NULL;
    mxs_counts_save(core, m != NULL && mxs_is_void(m) ? m->next - m->oldest : 0, out);
}

const struct cpu_model_ops mxs_model = {
    .name = "mxs",
    .reorders = true,
    .define_params = mxs_define_params,
    .create = create,
    .destroy = destroy,
    .finish_files = finish_files,
    .run = run,
    .sync = sync_model,
    .walk_load = walk_load,
    .walk_wait = walk_wait,
    .invalidate_page = invalidate_page,
    .invalidate_all = forget_all,
    .observers_changed = observers_changed,
    .hook_changed = hook_changed,
    .counts_bytes = sizeof(struct mxs_counts),
    .register_counts = mxs_counts_register,
    .mispredictions = mispredictions,
    .check_counts = mxs_counts_check,
    .save_counts = save_counts,
    .load_counts = mxs_counts_load,
    .save = mxs_state_save,
    .load = mxs_state_load,
    .after_load = mxs_state_after_load,
};
