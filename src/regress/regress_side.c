#include "src/regress/regress_side.h"

#include "src/base/file_identity.h"
#include "src/machine/machine.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static unsigned cells_of(const struct regress_run *run)
{
    return run->machines * run->file->row_count;
}

void regress_side_begin(struct regress_side *side, const struct regress_run *run)
{
    const unsigned cells = cells_of(run) + 1;
    *side = (struct regress_side){.plain = checked_memory(calloc(cells, sizeof *side->plain)),
                                  .held = checked_memory(calloc(cells, sizeof *side->held)),
                                  .held_parts = checked_memory(calloc(cells, sizeof *side->held_parts)),
                                  .pairs = checked_memory(calloc(run->machines + 1, sizeof *side->pairs)),
                                  .held_pairs = checked_memory(calloc(run->machines + 1, sizeof *side->held_pairs)),
                                  .value = checked_memory(calloc(cells, sizeof *side->value)),
                                  .plain_parts = checked_memory(calloc(cells, sizeof *side->plain_parts)),
                                  .parts = checked_memory(calloc(cells, sizeof *side->parts)),
                                  .unmatched = checked_memory(calloc(cells, sizeof *side->unmatched))};
    for (unsigned i = 0; i < cells_of(run); i++) {
        side->value[i] = checked_memory(calloc(run->file->most, sizeof **side->value));
        side->unmatched[i] = ~0u;
    }
}

bool regress_side_find_kernel(struct regress_side *side, const struct regress_run *run, const char *kernel,
                              struct err *err)
{
    char path[PATH_MAX];
    struct file_identity identity;
    const char *named = kernel ? kernel : run->file->kernel;
    if (!run->file->event)
        return !kernel || err_set(err, "test %.200s: --kernel: it begins with a checkpoint, which has its kernel",
                                  run->file->path);
    if (named)
        snprintf(path, sizeof path, "%s", named);
    else if (!machine_default_kernel(NULL, path, sizeof path, err))
        return false;
    if (!file_identity_read(&identity, INPUT_KERNEL, path, err))
        return false;
    side->kernel = kernel;
    side->kernel_path = checked_memory(strdup(path));
    side->kernel_digest = checked_memory(strdup(identity.digest));
    return true;
}

bool regress_run_places(const struct regress_run *run, const struct regress_row *row)
{
    return run->random && row->placement == REGRESS_OWN;
}

void regress_side_release(struct regress_side *side, const struct regress_run *run)
{
    for (unsigned i = 0; side->value && i < cells_of(run); i++) {
        free(side->value[i]);
        regress_parts_release(&side->plain_parts[i]);
        regress_parts_release(&side->held_parts[i]);
        regress_parts_release(&side->parts[i]);
    }
    free(side->plain);
    free(side->value);
    for (unsigned i = 0; side->pairs && i < run->machines; i++) {
        regress_pairs_release(&side->pairs[i]);
        regress_pairs_release(&side->held_pairs[i]);
    }
    free(side->pairs);
    free(side->held_pairs);
    free(side->held);
    free(side->held_parts);
    free(side->plain_parts);
    free(side->parts);
    free(side->unmatched);
    free(side->kernel_path);
    free(side->kernel_digest);
    *side = (struct regress_side){.kernel = NULL};
}
