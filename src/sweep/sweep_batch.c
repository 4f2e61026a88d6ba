#include "src/sweep/sweep_batch.h"

#include "src/base/error_lines.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/sweep/slurm.h"
#include "src/sweep/sweep_record.h"
#include "src/sweep/sweep_run.h"
#include <stdlib.h>
#include <string.h>

enum { EXIT_COMMAND_FAILED = 1, SLURM_TASKS_MAX = 1000 /* tasks of one array: Slurm's default MaxArraySize */ };

struct batch {
    const struct sweep_jobs *jobs;
    const struct sweep_batch *how;
    struct err *err;
    char work[PATH_MAX], results_path[PATH_MAX], table_path[PATH_MAX];
    struct sweep_result *results; /* one per job */
};

static bool name_files(struct batch *batch)
{
    const char *out = batch->how->out;
    return (snprintf(batch->work, PATH_MAX, "%s.work", out) < PATH_MAX &&
            snprintf(batch->results_path, PATH_MAX, "%s.json", out) < PATH_MAX &&
            snprintf(batch->table_path, PATH_MAX, "%s.txt", out) < PATH_MAX) ||
           err_set(batch->err, "--out: the name is too long");
}

static void put_table(const void *opaque, FILE *out)
{
    const struct batch *batch = opaque;
    sweep_results_table(batch->jobs, batch->results, out);
}

/* The exit status for the results; prints a line for each job that has none. */
static int status_of(const struct batch *batch)
{
    int status = 0;
    for (unsigned i = 0; i < batch->jobs->count; i++) {
        const struct sweep_result *result = &batch->results[i];
        if (result->state != SWEEP_FINISHED) {
            error_lines_print("job %s: %s%s%s", PRINTABLE(batch->jobs->jobs[i].name), sweep_state_name(result->state),
                              result->reason ? ": " : "", result->reason ? result->reason : "");
            status = EXIT_SIMOS_FAILED;
        } else if (result->status != 0 && result->status != EXIT_LIMIT && status == 0)
            status = EXIT_COMMAND_FAILED;
    }
    return status;
}

static int merge(struct batch *batch)
{
    if (!sweep_results_read(batch->jobs, batch->work, batch->results, batch->err) ||
        !sweep_results_save(batch->jobs, batch->results, batch->results_path, batch->err) ||
        !save_file("table", batch->table_path, put_table, batch, batch->err))
        return EXIT_SIMOS_FAILED;
    put_table(batch, stdout);
    return status_of(batch);
}

static int run(struct batch *batch)
{
    const struct sweep_batch *how = batch->how;
    bool is_part = sweep_batch_mode(&how->options) == SWEEP_BATCH_PART;
    struct sweep_run_totals totals;
    const struct sweep_run_options options = {.work = batch->work,
                                              .processes = how->options.processes,
                                              .part = how->options.part,
                                              .parts = is_part ? how->options.parts : 0,
                                              .source_file = how->origin,
                                              .trust = how->trust,
                                              .progress = how->quiet ? NULL : stderr};
    if (!sweep_run(batch->jobs, &options, &totals, batch->err))
        return EXIT_SIMOS_FAILED;
    if (totals.reused > 0 && !how->quiet)
        fprintf(stderr, "%u of %u jobs were done already\n", totals.reused, batch->jobs->count);
    if (totals.signal) {
        err_set(batch->err, "interrupted: %u of %u jobs are done; repeat the command to continue",
                totals.reused + totals.finished, batch->jobs->count);
        return error_lines_status_of_signal(totals.signal);
    }
    if (is_part)
        return totals.failed ? EXIT_SIMOS_FAILED : 0;
    return merge(batch);
}

/* Mark the tasks of ARRAY that have unfinished jobs. */
static bool choose_tasks(struct batch *batch, struct slurm_array *array)
{
    if (!sweep_results_read(batch->jobs, batch->work, batch->results, batch->err))
        return false;
    for (unsigned i = 0; i < batch->jobs->count; i++)
        if (batch->results[i].state != SWEEP_FINISHED && !array->wanted[i % array->tasks]) {
            array->wanted[i % array->tasks] = true;
            array->wanted_count++;
        }
    return true;
}

static int use_slurm(struct batch *batch)
{
    const struct sweep_batch *how = batch->how;
    unsigned tasks = batch->jobs->count < SLURM_TASKS_MAX ? batch->jobs->count : SLURM_TASKS_MAX;
    struct slurm_array array = {.out = how->out,
                                .work = batch->work,
                                .tasks = tasks,
                                .wanted = checked_memory(calloc(tasks + 1, sizeof *array.wanted)),
                                .again = how->command,
                                .again_count = how->again_count,
                                .options = how->slurm,
                                .option_count = how->slurm_count};
    int status = EXIT_SIMOS_FAILED;
    if (sweep_run_make_folder(batch->work, batch->err) && choose_tasks(batch, &array)) {
        if (array.wanted_count == 0)
            status = merge(batch);
        else if (slurm_write(&array, batch->err) &&
                 (sweep_batch_mode(&how->options) == SWEEP_BATCH_SLURM_WRITE || slurm_submit(&array, batch->err)))
            status = 0;
    }
    free(array.wanted);
    return status;
}

int sweep_batch_main(const struct sweep_jobs *jobs, const struct sweep_batch *how, struct err *err)
{
    struct batch batch = {.jobs = jobs, .how = how, .err = err};
    if (!name_files(&batch))
        return EXIT_SIMOS_FAILED;
    batch.results = checked_memory(calloc(jobs->count + 1, sizeof *batch.results));
    int status = EXIT_SIMOS_FAILED;
    switch (sweep_batch_mode(&how->options)) {
    case SWEEP_BATCH_HERE:
    case SWEEP_BATCH_PART: status = run(&batch); break;
    case SWEEP_BATCH_MERGE: status = merge(&batch); break;
    case SWEEP_BATCH_SLURM_WRITE:
    case SWEEP_BATCH_SLURM_SUBMIT: status = use_slurm(&batch); break;
    }
    sweep_results_release(batch.results, jobs->count);
    free(batch.results);
    return status;
}
