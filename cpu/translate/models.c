/*
 * The in-order models: mipsy (SOSP'95 section 3.2) and embra (section 3.1; Witchel and Rosenblum, SIGMETRICS'96). Every
 * instruction takes a cycle, or what mipsy.latency and mipsy.repeat say (cpu/core/interlock.h), and a cache miss stalls
 * the processor for its whole latency. Both produce the same state and the same statistics. embra is meant for speed,
 * usually without caches, and exists only where the translator does; there mipsy uses the translator too, otherwise it
 * interprets.
 *
 * Their parameters and statistics exist on every host, so that command lines and result files are portable.
 */
#include "cpu/core/interlock.h"
#include "cpu/inorder/run.h"
#include "cpu/translate/model.h"

#include "src/base/log.h"
#include <stdlib.h>

static const struct param_def mipsy_params[] = {
    {.name = "mipsy.translate_after",
     .type = PARAM_INT,
     .traits = TRAIT_UNTIMED,
     .unit = "instructions",
     .initial = "32",
     .min = 0,
     .max = 1 << 30,
     .help = "instructions interpreted from an address before the code there is translated; 0: "
             "embra translates at once, mipsy never. Affects host speed only"},
};

static void define_mipsy_params(struct params *params)
{
    params_define(params, mipsy_params, sizeof mipsy_params / sizeof *mipsy_params);
    params_define(params, interlock_param_defs, interlock_param_count);
}

static const struct param_def embra_params[] = {
    {.name = "embra.code_cache",
     .type = PARAM_SIZE,
     .traits = TRAIT_UNTIMED,
     .unit = "bytes",
     .initial = "64M",
     .min = 1 << 20,
     .max = 512 << 20,
     .help = "memory for embra's translated code; when it is full, all of it is discarded"},
};

static void define_embra_params(struct params *params)
{
    params_define(params, embra_params, sizeof embra_params / sizeof *embra_params);
}

/* All 0 if embra does not run. */
const struct cpu_model_figure embra_figures[EMBRA_FIGURES + 1] = {
    {"traces", "superblocks", "translated"},
    {"translated_insns", "instructions", "guest instructions translated"},
    {"code_bytes", "bytes", "host code generated"},
    {"dropped_pages", "pages", "code pages discarded because guest code or hooks changed"},
    {"flushes", "", "times that all code was discarded because embra.code_cache was full"},
    {0},
};

static struct inorder *create_interpreter(struct core *core, struct memsys *memsys, const struct params *params)
{
    struct inorder *in = checked_memory(calloc(1, sizeof *in));
    inorder_init(in, core, memsys, true);
    inorder_set_costs(in, params);
    inorder_index_by_physical_line(in);
    in->maps_host_pages = true;
    return in;
}

static struct translate_options options_of(const struct cpu_model_ops *model, const struct params *params)
{
    return (struct translate_options){.model = model,
                                      .params = params,
                                      .code_bytes = params_u64(params, "embra.code_cache"),
                                      .after = params_u64(params, "mipsy.translate_after")};
}

static void *create_mipsy(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    const struct translate_options options = options_of(&mipsy_model, params);
    struct inorder *in = NULL;
    if (options.after > 0 && translate_supported())
        in = translate_create(core, memsys, &options, err);
    return in != NULL ? in : create_interpreter(core, memsys, params);
}

static void *create_embra(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    const struct translate_options options = options_of(&embra_model, params);
    return translate_create(core, memsys, &options, err);
}

static void destroy(void *model)
{
    struct inorder *in = model;
    if (in->translated)
        translate_destroy(in);
    else
        free(in);
}

static void interpret(void *model)
{
    struct inorder *in = model;
    while (in->budget > 0 && inorder_step(in, false) != INORDER_LEAVE)
        ;
}

static void run(void *model, cycles until)
{
    struct inorder *in = model;
    if (SIM_UNLIKELY(in->core->probe != NULL))
        inorder_run(in, until, inorder_execute_probed, in);
    else if (SIM_UNLIKELY(in->core->watch != NULL))
        inorder_run(in, until, inorder_execute_watched, in);
    else if (in->translated)
        inorder_run(in, until, translate_execute, in);
    else
        inorder_run(in, until, interpret, in);
}

/* Between runs s.cycle is up to date: time advances during `wait` too. */
static void sync_model(void *model)
{
    struct inorder *in = model;
    if (!in->running)
        return;
    if (in->translated)
        translate_sync(in);
    else
        inorder_sync(in);
    if (SIM_UNLIKELY(in->core->watch != NULL))
        inorder_sync_watched(in);
}

static void invalidate_page(void *model, paddr page)
{
    struct inorder *in = model;
    if (in->translated)
        translate_discard_page(in, page);
}

static void *find_code(void *model, paddr frame, vaddr page, bool user)
{
    struct inorder *in = model;
    return in->translated ? translate_find_code(in, frame, page, user) : NULL;
}

static void walk_load(void *model, const struct page_walk_load *load)
{
    inorder_walk_load(model, load);
}

static void walk_wait(void *model, cycles duration)
{
    inorder_walk_wait(model, duration);
}

static void forget_all(void *model)
{
    struct inorder *in = model;
    if (in->has_costs)
        interlock_limit(in->core, &in->costs);
    if (in->translated)
        translate_discard_all(in);
}

static bool dump_code(void *model, vaddr pc, FILE *out, struct err *err)
{
    return translate_dump(model, pc, out, err);
}

static uint64_t figure(const void *model, unsigned index)
{
    return translate_figure(model, index);
}

const struct cpu_model_ops mipsy_model = {
    .name = "mipsy",
    .define_params = define_mipsy_params,
    .create = create_mipsy,
    .destroy = destroy,
    .run = run,
    .sync = sync_model,
    .invalidate_page = invalidate_page,
    .walk_load = walk_load,
    .walk_wait = walk_wait,
    .find_code = find_code,
    .invalidate_all = forget_all,
};

const struct cpu_model_ops embra_model = {
    .name = "embra",
    .define_params = define_embra_params,
    .supported = translate_supported,
    .quantum_without_caches = 3000,
    .create = create_embra,
    .destroy = destroy,
    .run = run,
    .sync = sync_model,
    .invalidate_page = invalidate_page,
    .walk_load = walk_load,
    .walk_wait = walk_wait,
    .find_code = find_code,
    .invalidate_all = forget_all,
    .dump_code = dump_code,
    .figures = embra_figures,
    .figure = figure,
};
