#include "src/regress/regress_side.h"

#include "src/base/file_identity.h"
#include "src/machine/machine.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool regress_side_find_program(struct regress_side *side, const struct regress_run *run, const char *program,
                               struct err *err)
{
    const struct regress_file *file = run->file;
    const char *named = program ? program : file->program;
    struct file_identity identity;
    if (!file->program)
        return !program || err_set(err, "test %.200s: --program: the file has no program", file->path);
    if (strcmp(regress_program_name(named), regress_program_name(file->program)) != 0)
        return err_set(err,
                       "test %.200s: --program %.200s: the file's program is called %.64s, and so are its processes",
                       file->path, named, regress_program_name(file->program));
    if (!program && !run->trust)
        return err_set(err,
                       "test %.200s: its program %.200s is on this host: repeat it on the command line "
                       "(--program), or use --trust",
                       file->path, named);
    if (!file_identity_read(&identity, INPUT_PROGRAM, named, err))
        return false;
    if (access(named, X_OK) != 0)
        return err_set(err, "program %.200s: it may not be executed, nor by the guest", named);
    side->program = program;
    side->program_path = checked_memory(strdup(named));
    side->program_digest = checked_memory(strdup(identity.digest));
    return true;
}

bool regress_run_places(const struct regress_run *run, const struct regress_row *row)
{
    return run->random && row->placement == REGRESS_OWN;
}

char *regress_run_define(const struct regress_run *run, const struct regress_row *row)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    fputs(regress_figure_name(row->figure), out);
    for (enum regress_place place = 0; place < REGRESS_PLACES; place++)
        if (row->pattern[place])
            fprintf(out, " %s=%s", regress_place_name(place), row->pattern[place]);
    if (regress_run_places(run, row))
        fputs(" placement=random", out);
    fclose(out);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
    return text;
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
    free(side->program_path);
    free(side->program_digest);
    *side = (struct regress_side){.kernel = NULL};
}
