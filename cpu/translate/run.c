/*
 * The translator's interface to the models (model.h): when to run translated code and when to interpret.
 */
#include "cpu/translate/translate.h"

#include "cpu/translate/fp.h"
#include "cpu/translate/host.h"
#include "src/base/log.h"
#include <stdlib.h>

/* The code cache of another core whose model is also OPS; NULL: none. */
static struct code_cache *cache_of_peers(const struct core *core, const struct cpu_model_ops *ops)
{
    for (unsigned i = 0; i < core->cpus; i++) {
        const struct core *peer = core->peers[i];
        if (peer != NULL && peer->model_ops == ops && peer->model != NULL)
            return ((const struct translated *)peer->model)->cache;
    }
    return NULL;
}

struct inorder *translate_create(struct core *core, struct memsys *memsys, const struct translate_options *options,
                                 struct err *err)
{
    struct translated *e = checked_memory(calloc(1, sizeof *e));
    inorder_init(&e->in, core, memsys, true);
    e->in.translated = true;
    inorder_set_costs(&e->in, options->params);
    e->frame = translate_frame(core);
    *e->frame = (struct translate_frame){
        .owner = e, .mxcsr_clear = 0x1f80, .fetch_uses = e->in.fetch_uses, .data_uses = e->in.data_uses};
    inorder_index_by_physical_line(&e->in);
    e->cache = cache_of_peers(core, options->model);
    if (e->cache == NULL)
        e->cache = code_cache_create(e, options, err);
    if (e->cache == NULL) {
        free(e);
        return NULL;
    }
    e->cache->users++;
    if (e->cache->fetch_index_bits != 0 && e->in.fetch_by_space &&
        (e->block_space = calloc(e->cache->page_limit, 1)) == NULL)
        log_bug("out of memory");
    return &e->in;
}

void translate_destroy(struct inorder *in)
{
    struct translated *e = translated_of(in);
    if (in->core->executions != NULL)
        executions_drop_blocks(in->core);
    if (--e->cache->users == 0)
        code_cache_free(e->cache);
    free(e->block_space);
    free(e);
}

/* Interpret up to the next transfer of control. BEGUN: the first instruction has already been charged and fetched.
 * False: the run should end. */
static bool step_on(struct translated *e, bool begun)
{
    struct core *core = e->in.core;
    while (begun || e->in.budget > 0) {
        const struct code_page *page = core->map->code[core->s.pc >> PAGE_SHIFT];
        const bool is_known = page != NULL && !page->uncached && (core->s.pc & 3) == 0 && !core->checked;
        enum inorder_step how =
            is_known ? inorder_step_in_page(&e->in, page->frame, begun) : inorder_step(&e->in, begun);
        if (how == INORDER_LEAVE)
            return false;
        if (how == INORDER_JUMPED)
            return true;
        begun = false;
    }
    return true;
}

/* Likewise, and count the instructions interpreted from this address. */
static bool interpret_from(struct translated *e, bool begun)
{
    if (!begun && e->in.budget <= 0)
        return true;
    const vaddr pc = e->in.core->s.pc;
    struct code_page *page = e->in.core->map->code[pc >> PAGE_SHIFT];
    const int64_t budget = e->in.budget;
    const uint64_t stalls = e->in.stalls;
    const bool goes_on = step_on(e, begun);
    if (page != NULL)
        page->interpreted[pc >> 2 & (PAGE_INSNS - 1)] +=
            (uint32_t)(budget - e->in.budget - (int64_t)(e->in.stalls - stalls)) + begun;
    return goes_on;
}

/* Interpret one instruction and its delay slots, if any. */
static bool step_once(struct translated *e)
{
    bool first = true;
    for (; e->in.budget > 0 && (first || core_in_slot(e->in.core)); first = false)
        if (inorder_step(&e->in, false) == INORDER_LEAVE)
            return false;
    return true;
}

/* Translated code returned by EXIT, perhaps in the middle of a block: correct the counts of executions. */
static void end_block(struct translated *e, enum translate_exit exit)
{
    struct core *core = e->in.core;
    const uint32_t position = e->frame->position;
    if (exit == TRANSLATE_LEAVE)
        executions_block_left(core, core->s.pc, position & 0xff, position & POSITION_USER, false);
    else if (exit == TRANSLATE_CHARGED || exit == TRANSLATE_MODE)
        executions_block_left(core, core->s.pc + 4, position & 0xff, position & POSITION_USER,
                              position & POSITION_DELAY_SLOT);
    e->frame->position = 0;
    core->executions->left = 0;
}

/* Run translated code from s.pc. */
static enum translate_exit run_code(struct translated *e)
{
    struct translate_frame *frame = e->frame;
    frame->budget = e->in.budget;
    frame->end = e->in.end;
    frame->position = 0;
    uint32_t code = translate_enter(e);
    enum translate_exit exit = frame->exit;
    if (code != e->cache->stub[STUB_EXIT_C]) {
        e->in_code = true;
        translate_fp_mode(e->in.core);
        e->entered = true;
        if (SIM_UNLIKELY(e->in.core->executions != NULL))
            e->in.core->executions->in_uncounted_block = false;
        exit = host_run(e->cache, e->in.core, code);
        e->entered = false;
        e->in.core->counts.loads_ahead = e->in.core->counts.stores_ahead = 0;
        if (SIM_UNLIKELY(e->in.core->executions != NULL))
            end_block(e, exit);
        translate_flush_counts(e);
        translate_fp_update_cause(e->in.core);
        translate_note_resume(e);
        e->in_code = false;
    }
    e->in.budget = frame->budget;
    if (frame->exit_forced) {
        frame->exit_forced = false;
        e->in.budget = frame->saved_budget + (frame->budget - TRANSLATE_FORCED_BUDGET); /* with the delay of a branch */
        exit = TRANSLATE_LEAVE;
    }
    return exit;
}

/* The state of the FPU differs from what the code assumes: if the FPU is enabled, Status.FR differs and the page must
 * be translated again. */
static void translate_for_other_mode(struct translated *e)
{
    struct core *core = e->in.core;
    struct code_page *page = core->map->code[core->s.pc >> PAGE_SHIFT];
    if (page != NULL && core->s.cp0[CP0_STATUS] & STATUS_CU1)
        code_discard_page(e->cache, page);
}

void translate_execute(void *model)
{
    struct translated *e = translated_of(model);
    bool goes_on = true;
    while (goes_on && e->in.budget > 0) {
        if (e->cache->full)
            code_flush(e->cache, e->in.core);
        /* translated code accesses memory, not an isolated cache, and knows of no watch registers */
        switch (SIM_UNLIKELY(e->in.core->checked) ? TRANSLATE_INTERPRET : run_code(e)) {
        case TRANSLATE_NEXT: break;
        case TRANSLATE_INTERPRET: goes_on = interpret_from(e, false); break;
        case TRANSLATE_INTERPRET_ONE: goes_on = step_once(e); break;
        case TRANSLATE_MODE: translate_for_other_mode(e); /* fall through */
        case TRANSLATE_CHARGED: goes_on = interpret_from(e, true); break;
        case TRANSLATE_LEAVE:
        case TRANSLATE_RETURNED: return;
        }
    }
}

void translate_discard_page(struct inorder *in, paddr page)
{
    code_discard_frame(translated_of(in)->cache, page);
}

void translate_discard_all(struct inorder *in)
{
    code_discard_all(translated_of(in)->cache);
}
