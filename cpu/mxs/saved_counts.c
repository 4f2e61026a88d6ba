/* The counts of mxs in checkpoints. */
#include "cpu/model.h"
#include "cpu/mxs/mxs.h"
#include "cpu/mxs/saved.h"
#include <string.h>

enum { COUNTS = sizeof(struct mxs_counts) / sizeof(uint64_t) };

/* Number of entries in the window that will be squashed at the start of the next run, and counted then. A restored
 * model does not have them, so they are added when saving. */
static uint64_t squashed_later(const struct core *core)
{
    const struct mxs *m = core->model_ops == &mxs_model ? core->model : NULL;
    return m != NULL && mxs_is_void(m) ? m->next - m->oldest : 0;
}

void mxs_counts_save(const struct core *core, struct saved_out *out)
{
    struct mxs_counts counts = *(const struct mxs_counts *)core->model_counts;
    counts.squashed += squashed_later(core);
    saved_put_u32(out, COUNTS);
    saved_put(out, &counts, sizeof counts);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        saved_put(out, core->mode_buckets[mode].pipeline, sizeof core->mode_buckets[mode].pipeline);
}

bool mxs_counts_load(struct core *core, struct saved_in *in, struct err *err)
{
    uint32_t count;
    if (!saved_get_u32(in, &count))
        return false;
    if (count != COUNTS)
        return err_set(err, "%u counts; this version has %d", count, COUNTS);
    if (!saved_get(in, core->model_counts, sizeof(struct mxs_counts)))
        return false;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (!saved_get(in, core->mode_buckets[mode].pipeline, sizeof core->mode_buckets[mode].pipeline))
            return false;
    return true;
}
