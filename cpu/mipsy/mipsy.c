/*
 * mipsy behind the common CPU-model interface.
 */
#include "cpu/mipsy/mipsy.h"

#include "cpu/inorder/run.h"
#include <stdlib.h>

/* How many decoded pages (90 KB each) one machine keeps: 4096 pages of code are 16 MB, more than a kernel and the
 * programs of one workload execute. */
enum { DECODED_PAGES = 4096 };

static mipsy_interpreter_fn *interpreter_of(const struct mipsy *m)
{
    if (m->in.memsys == NULL)
        return mipsy_run_flat;
    return m->in.fetch_times != NULL ? mipsy_run_noting : mipsy_run_cached;
}

static void *mipsy_create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    (void)err;
    struct mipsy *m = calloc(1, sizeof *m);
    if (m == NULL)
        log_bug("out of memory");
    inorder_init(&m->in, core, memsys);
    inorder_note_uses(&m->in);
    inorder_number_lines(&m->in);
    struct mipsy_labels labels;
    m->interpreter = interpreter_of(m);
    m->interpreter(NULL, &labels);
    *mipsy_hot(core) = (struct mipsy_hot){.fetch_times = m->in.fetch_times,
                                          .data_times = m->in.data_times,
                                          .mipsy = m,
                                          .last_mask = m->in.fetch_sets ? m->in.fetch_sets - 1 : 0,
                                          .last_data_mask = m->in.data_sets ? m->in.data_sets - 1 : 0};
    for (unsigned i = 0; i < core->cpus && m->pages == NULL; i++) {
        struct core *peer = core->peers[i];
        if (peer != NULL && peer->model_ops == &mipsy_model && peer->model != NULL)
            m->pages = ((struct mipsy *)peer->model)->pages;
    }
    if (m->pages == NULL)
        m->pages = mipsy_pages_create(m, DECODED_PAGES, (uint32_t)params_u64(params, "mipsy.translate_after"), &labels);
    m->pages->users++;
    mipsy_hot(core)->places = m->pages->places;
    return m;
}

static void mipsy_destroy(void *model)
{
    struct mipsy *m = model;
    if (--m->pages->users == 0)
        mipsy_pages_free(m->pages);
    free(m);
}

static void execute(void *model)
{
    struct mipsy *m = model;
    mipsy_set_limits(m);
    m->interpreter(m, NULL);
}

static void mipsy_run(void *model, cycles until)
{
    struct mipsy *m = model;
    inorder_run(&m->in, until, execute, m);
}

/* Between runs the core's own figures are the truth: time passes in `wait` too. */
static void sync_model(void *model)
{
    struct mipsy *m = model;
    if (m->in.running)
        inorder_sync(&m->in);
}

static void forget_page(void *model, paddr page)
{
    struct mipsy *m = model;
    mipsy_pages_forget(m->pages, page);
}

static void forget_all(void *model)
{
    struct mipsy *m = model;
    inorder_see_viewers(&m->in);
    mipsy_pages_forget_all(m->pages);
}

const struct cpu_model_ops mipsy_model = {
    .name = "mipsy",
    .brief = "single issue, blocking caches, one cycle an instruction",
    .create = mipsy_create,
    .destroy = mipsy_destroy,
    .run = mipsy_run,
    .sync = sync_model,
    .forget_page = forget_page,
    .forget_all = forget_all,
};
