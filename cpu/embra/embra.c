/*
 * embra behind the common CPU-model interface.
 */
#include "cpu/embra/embra.h"

#include "cpu/embra/fp.h"
#include "cpu/embra/host.h"
#include "cpu/inorder/run.h"
#include <stdlib.h>

bool embra_supported(void)
{
    return embra_cache_allowed();
}

static struct embra_cache *cache_of_peers(const struct core *core)
{
    for (unsigned i = 0; i < core->cpus; i++) {
        const struct core *peer = core->peers[i];
        if (peer != NULL && peer->model_ops == &embra_model && peer->model != NULL)
            return ((const struct embra *)peer->model)->cache;
    }
    return NULL;
}

/* For accesses that may be made without asking. */
static void find_short_cuts(struct embra *e)
{
    struct embra_frame *frame = e->frame;
    unsigned cpu = e->in.core->number;
    if (!e->usual)
        return;
    if (!memsys_short_cut(e->in.memsys, cpu, MEMSYS_READ, &frame->data_cut) || frame->data_cut.last)
        frame->data_cut.open = NULL;
    if (!memsys_short_cut(e->in.memsys, cpu, MEMSYS_FETCH, &frame->fetch_cut) ||
        frame->fetch_cut.last != core_last_fetched(e->in.core) || e->in.fetch_line != 1u << e->in.fetch_shift)
        frame->fetch_cut.open = NULL;
}

static void *create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    struct embra *e = calloc(1, sizeof *e);
    if (e == NULL)
        log_bug("out of memory");
    inorder_init(&e->in, core, memsys);
    e->usual = e->in.memsys != NULL && core->quick_used && e->in.unseen;
    e->frame = embra_frame(core);
    *e->frame = (struct embra_frame){.mxcsr_clear = 0x1f80};
    find_short_cuts(e);
    e->cache = cache_of_peers(core);
    if (e->cache == NULL)
        e->cache = embra_cache_create(e, params_u64(params, "embra.code_cache"), err);
    if (e->cache == NULL) {
        free(e);
        return NULL;
    }
    e->cache->users++;
    return e;
}

static void destroy(void *model)
{
    struct embra *e = model;
    if (--e->cache->users == 0)
        embra_cache_free(e->cache);
    free(e);
}

/* Execute instructions one by one up to the next transfer of control; BEGUN: the first has been begun. False: the run
 * should end. */
static bool step_on(struct embra *e, bool begun)
{
    while (begun || e->in.budget > 0) {
        enum inorder_step how = inorder_step(&e->in, begun);
        if (how == INORDER_LEAVE)
            return false;
        if (how == INORDER_JUMPED)
            return true;
        begun = false;
    }
    return true;
}

/* Execute one instruction, with its delay slot. */
static bool step_once(struct embra *e)
{
    bool first = true;
    for (; e->in.budget > 0 && (first || e->in.core->s.in_delay_slot); first = false)
        if (inorder_step(&e->in, false) == INORDER_LEAVE)
            return false;
    return true;
}

/* Run translated code from s.pc on. */
static enum embra_exit run_code(struct embra *e)
{
    struct embra_frame *frame = e->frame;
    frame->budget = e->in.budget;
    frame->site = 0;
    uint32_t code = embra_next(e);
    enum embra_exit exit = frame->exit;
    if (code != e->cache->thunk[THUNK_EXIT_C]) {
        e->in_code = true;
        embra_fp_mode(e->in.core);
        exit = host_run(e->cache, e->in.core, code);
        embra_settle(e);
        embra_fp_settle(e->in.core);
        e->in_code = false;
    }
    e->in.budget = frame->budget;
    if (frame->is_parked) {
        frame->is_parked = false;
        e->in.budget = frame->parked;
        exit = EMBRA_LEAVE;
    }
    return exit;
}

/* The FPU was not as the code at hand expects: if it is on, in the other register mode. */
static void translate_for_other_mode(struct embra *e)
{
    struct core *core = e->in.core;
    struct embra_page *page = core->code_map[core->s.pc >> PAGE_SHIFT];
    if (page != NULL && core->s.cp0[CP0_STATUS] & STATUS_CU1)
        embra_forget_page(e->cache, page);
}

/* Until the budget is used up, or the core wants to leave. */
static void execute(void *model)
{
    struct embra *e = model;
    bool goes_on = true;
    while (goes_on && e->in.budget > 0) {
        if (e->cache->full)
            embra_flush(e->cache, e->in.core);
        switch (run_code(e)) {
        case EMBRA_NEXT: break;
        case EMBRA_SHORT: goes_on = step_on(e, false); break;
        case EMBRA_STEP: goes_on = step_once(e); break;
        case EMBRA_MODE: translate_for_other_mode(e); /* fall through */
        case EMBRA_BEGUN: goes_on = step_on(e, true); break;
        case EMBRA_LEAVE:
        case EMBRA_RETURNED: return;
        }
    }
}

static void run(void *model, cycles until)
{
    struct embra *e = model;
    inorder_run(&e->in, until, execute, e);
}

/* Between runs the core's own figures are the truth: time passes in `wait` too. */
static void sync_model(void *model)
{
    struct embra *e = model;
    if (!e->in.running)
        return;
    embra_fp_settle(e->in.core);
    if (e->in_code)
        e->in.budget = e->frame->budget + embra_site_left(e->frame);
    embra_settle(e);
    inorder_sync(&e->in);
}

static void forget_page(void *model, paddr page)
{
    struct embra *e = model;
    embra_forget_frame(e->cache, page);
}

static void forget_all(void *model)
{
    struct embra *e = model;
    embra_forget_all(e->cache);
}

const struct cpu_model_ops embra_model = {
    .name = "embra",
    .brief = "binary translation",
    .create = create,
    .destroy = destroy,
    .run = run,
    .sync = sync_model,
    .forget_page = forget_page,
    .forget_all = forget_all,
    .dump_code = embra_dump,
    .figures = embra_figures,
    .figure = embra_figure,
};
