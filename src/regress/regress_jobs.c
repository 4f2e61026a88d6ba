#include "src/regress/regress_jobs.h"

#include "src/machine/machine.h"
#include "src/sweep/sweep_record.h"
#include "src/sweep/sweep_run.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 64, DIGITS = 12 /* of a digest, in names of files */ };

const char *regress_jobs_origin(const struct regress_run *run)
{
    return run->trust ? NULL : run->file->path;
}

/* The combinations of the file's settings, each a job called PREFIX-MACHINE, from CHECKPOINT (NULL: the file's). */
bool regress_jobs_add(const struct regress_file *file, const char *checkpoint, const char *prefix,
                      struct sweep_jobs *jobs, struct err *err)
{
    struct sweep_product product;
    sweep_product_copy(&product, &file->settings);
    const bool done =
        (!checkpoint || sweep_product_set_axis(&product, SWEEP_CHECKPOINT, "checkpoint", 1, &checkpoint, err)) &&
        sweep_product_add_jobs(&product, prefix, jobs, err);
    sweep_product_release(&product);
    return done;
}

/* Positions */

static bool insert_own(struct sweep_job *job, const char *const *words, struct err *err)
{
    for (; *words; words++)
        if (!sweep_job_insert_own(job, *words, err))
            return false;
    return true;
}

/* The kernel and the files beside it are what the position depends on. */
static bool add_kernel_inputs(struct sweep_job *job, const char *kernel, struct err *err)
{
    static const struct {
        const char *name;
        enum input_kind kind;
    } beside[] = {{"initrd.cpio", INPUT_INITRD}, {"kernel.sym", INPUT_SYMBOLS}, {"kernel.layout", INPUT_LAYOUTS}};
    const char *slash = strrchr(kernel, '/');
    char path[PATH_MAX];
    if (!sweep_job_add_input(job, INPUT_KERNEL, kernel, err))
        return false;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - kernel) : 0, kernel, beside[i].name);
        if (access(path, F_OK) == 0 && !sweep_job_add_input(job, beside[i].kind, path, err))
            return false;
    }
    return true;
}

/* SIDE's program, in the guest's home folder: it is what JOB depends on. */
static bool add_program(struct sweep_job *job, const struct regress_side *side, struct err *err)
{
    if (!side->program_path)
        return true;
    const size_t size = strlen(side->program_path) + sizeof ":/root";
    char *copy = checked_memory(malloc(size));
    snprintf(copy, size, "%s:/root", side->program_path);
    const char *const words[] = {"--copy-in", copy, NULL};
    const bool done = insert_own(job, words, err) && sweep_job_add_input(job, INPUT_COPY, side->program_path, err);
    free(copy);
    job->alone = true;
    return done;
}

static unsigned seed_of(const struct regress_run *run, unsigned repetition)
{
    return repetition ? run->file->seed + repetition : 0;
}

static bool add_position_words(struct sweep_job *job, const struct regress_run *run, const struct regress_side *side,
                               unsigned repetition, struct err *err)
{
    const struct regress_file *file = run->file;
    char seed[NAME_SIZE];
    snprintf(seed, sizeof seed, "guest.page_seed=%u", seed_of(run, repetition));
    const char *const own[] = {"--cpu",   "embra", "--set", "cache.model=none", "--set", seed, "--quiet",
                               "--table", "none",  NULL};
    const char *const kernel[] = {"--kernel", side->kernel, NULL};
    /* the kernel's random numbers come from the time, too: everything would lie elsewhere with each kernel */
    const char *const random = run->fixes_random ? "guest.fixed_random=on" : "guest.fixed_random=off";
    const char *const fixed[] = {"--set", "guest.fixed_maps=on", "--set", random, NULL};
    bool done = sweep_job_add_word(job, "run", err) && insert_own(job, own, err) &&
                (!run->random || insert_own(job, fixed, err)) && (!side->kernel || insert_own(job, kernel, err)) &&
                add_program(job, side, err) &&
                (side->kernel || !file->kernel ||
                 (sweep_job_add_word(job, "--kernel", err) && sweep_job_add_word(job, file->kernel, err)));
    for (unsigned i = 0; i < file->position_count && done; i++)
        done = sweep_job_add_word(job, file->position[i], err);
    return done && add_kernel_inputs(job, side->kernel_path, err);
}

/* A position whose record is there but whose checkpoint is not is made again. */
static bool forget_if_gone(const struct regress_run *run, const char *name, const char *checkpoint, struct err *err)
{
    char record[PATH_MAX];
    return access(checkpoint, F_OK) == 0 || sweep_record_remove(record, run->work, name, ".job.json", err);
}

/* Add the position of REPETITION to JOBS. CHECKPOINT: its file. The name has its identity. */
static bool add_position(const struct regress_run *run, const struct regress_side *side, unsigned repetition,
                         struct sweep_inputs *inputs, struct sweep_jobs *jobs, char checkpoint[PATH_MAX],
                         struct err *err)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "position-%u", seed_of(run, repetition));
    struct sweep_job *job = sweep_jobs_add(jobs, name, err);
    if (!job || !add_position_words(job, run, side, repetition, err))
        return false;
    char *identity = sweep_job_identity(job, inputs, err);
    if (!identity)
        return false;
    snprintf(name, sizeof name, "position-%u-%.*s", seed_of(run, repetition), DIGITS, identity);
    free(identity);
    free(job->name);
    job->name = checked_memory(strdup(name));
    job->alone = true;
    if (!sweep_record_path(checkpoint, run->work, name, ".ckpt", err))
        return false;
    size_t size = strlen(checkpoint) + strlen(run->file->event) + 2;
    char *where = checked_memory(malloc(size));
    snprintf(where, size, "%s@%s", checkpoint, run->file->event);
    const char *const own[] = {"--checkpoint", where, NULL};
    bool done = insert_own(job, own, err) && forget_if_gone(run, name, checkpoint, err);
    free(where);
    return done;
}

/* Runs */

bool regress_jobs_run(const struct regress_run *run, const struct sweep_jobs *jobs, int *signal, struct err *err)
{
    struct sweep_run_totals totals;
    const struct sweep_run_options options = {.work = run->work,
                                              .processes = run->processes,
                                              .source_file = regress_jobs_origin(run),
                                              .trust = run->trust,
                                              .progress = run->quiet ? NULL : stderr};
    if (!sweep_jobs_check(jobs, regress_jobs_origin(run), run->commands, err) ||
        !sweep_run(jobs, &options, &totals, err))
        return false;
    *signal = totals.signal;
    return !totals.signal || err_set(err, "interrupted; repeat the command to continue");
}

/* Read the result of JOB. False with ERR if it is not finished, or its command failed. */
bool regress_jobs_read(const struct regress_run *run, const struct sweep_job *job, struct sweep_inputs *inputs,
                       struct sweep_result *result, json_t **statistics, struct err *err)
{
    struct err reason = {""};
    *result = (struct sweep_result){.state = SWEEP_MISSING};
    char *identity = sweep_job_identity(job, inputs, &reason);
    if (identity)
        sweep_record_read(result, run->work, job->name, identity, statistics);
    free(identity);
    if (reason.text[0])
        return err_set(err, "run %s: %s", job->name, reason.text);
    if (result->state != SWEEP_FINISHED)
        return err_set(err, "run %s: %s%s%s", job->name, sweep_state_name(result->state), result->reason ? ": " : "",
                       result->reason ? result->reason : "");
    return result->status == 0 || result->status == EXIT_LIMIT ||
           err_set(err, "run %s: the guest's command returned %d", job->name, result->status);
}

/* The failed jobs of JOBS: the first one, in ERR. */
bool regress_jobs_finished(const struct regress_run *run, const struct sweep_jobs *jobs, struct err *err)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < jobs->count && done; i++) {
        struct sweep_result result;
        done = regress_jobs_read(run, &jobs->jobs[i], inputs, &result, NULL, err);
        sweep_results_release(&result, 1);
    }
    sweep_inputs_free(inputs);
    return done;
}

/* The positions of the COUNT runs that are WANTED, in CHECKPOINTS. Those of one repetition are neighbours. */
static bool make_positions(const struct regress_run *run, const struct regress_side *side, unsigned count,
                           const struct regress_wanted *wanted, char (*checkpoints)[PATH_MAX], int *signal,
                           struct err *err)
{
    struct sweep_jobs jobs = {0};
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < count && done; i++) {
        if (i > 0 && wanted[i].repetition == wanted[i - 1].repetition)
            memcpy(checkpoints[i], checkpoints[i - 1], sizeof *checkpoints);
        else
            done = add_position(run, side, wanted[i].repetition, inputs, &jobs, checkpoints[i], err);
    }
    sweep_inputs_free(inputs);
    done =
        done && (run->only_read || regress_jobs_run(run, &jobs, signal, err)) && regress_jobs_finished(run, &jobs, err);
    sweep_jobs_release(&jobs);
    return done;
}

/* The digits of a position's identity at the end of its file's name, so that runs of different kernels have different
 * names; empty for a checkpoint of the file's. */
static void name_position(const char *checkpoint, char text[NAME_SIZE])
{
    const char *dash = checkpoint ? strrchr(checkpoint, '-') : NULL;
    snprintf(text, NAME_SIZE, "%s%.*s", dash ? "-" : "", dash ? DIGITS : 0, dash ? dash + 1 : "");
}

/* The words by which JOB sees data placed, too, if RUN places them. */
static bool add_data(const struct regress_run *run, struct sweep_job *job, struct err *err)
{
    const char *const words[] = {"--set", run->data ? "guest.placement_data=on" : "guest.placement_data=off", NULL};
    return insert_own(job, words, err);
}

/* JOB sees functions where KERNEL, or a list of symbols, has them. */
static bool add_places(struct sweep_job *job, const char *kernel, struct err *err)
{
    char of[PATH_MAX + NAME_SIZE];
    snprintf(of, sizeof of, "guest.placement_of=%s", kernel);
    const char *const words[] = {"--set", of, NULL};
    return insert_own(job, words, err);
}

/* The parameters of placement of WANTED. */
static bool add_placement(const struct regress_run *run, const struct regress_side *side,
                          const struct regress_wanted *wanted, struct sweep_job *job, struct err *err)
{
    char seed[NAME_SIZE];
    snprintf(seed, sizeof seed, "guest.placement_seed=%u", seed_of(run, wanted->repetition));
    const char *const order[] = {"--set", seed, NULL};
    return insert_own(job, order, err) && add_data(run, job, err) &&
           (!side->like || (add_places(job, side->like, err) && add_kernel_inputs(job, side->like, err)));
}

/* The runs of SIDE called PREFIX on all machines, from CHECKPOINT, of REPETITION, with the words OWN first. */
static bool add_runs(const struct regress_run *run, const struct regress_side *side, const char *prefix,
                     const char *checkpoint, unsigned repetition, const char *const *own, struct sweep_jobs *jobs,
                     struct err *err)
{
    char seed[NAME_SIZE];
    snprintf(seed, sizeof seed, "machine.perturb=%u", seed_of(run, repetition));
    const char *const common[] = {
        "--quiet", "--table", "none", "--warmup", "0", "--script", "misses", "--set", "cache.classify=full",
        "--set",   seed,      NULL};
    /* only names of the command line lead to the files beside a kernel; the file's is trusted if its position is there
     */
    const char *named = side->kernel ? side->kernel : run->file->kernel;
    const char *const kernel[] = {"--kernel", named, NULL};
    const unsigned before = jobs->count;
    bool done = regress_jobs_add(run->file, checkpoint, prefix, jobs, err);
    for (unsigned i = before; i < jobs->count && done; i++)
        done = insert_own(&jobs->jobs[i], common, err) && (!named || insert_own(&jobs->jobs[i], kernel, err)) &&
               add_program(&jobs->jobs[i], side, err) && insert_own(&jobs->jobs[i], own, err);
    return done;
}

/* A repetition that is WANTED. */
static bool add_repetition(const struct regress_run *run, const struct regress_side *side,
                           const struct regress_wanted *wanted, const char *checkpoint, struct sweep_jobs *jobs,
                           struct err *err)
{
    char prefix[2 * NAME_SIZE], position[NAME_SIZE];
    /* as linked and in the old kernel's places: which functions and data evict each other */
    static const char *const evictors[] = {"--set", "cache.evictors=on", NULL}, *const none[] = {NULL};
    name_position(checkpoint, position);
    snprintf(prefix, sizeof prefix, "%s-%u%s", wanted->placed ? "placed" : "run", seed_of(run, wanted->repetition),
             position);
    const unsigned before = jobs->count;
    bool done = add_runs(run, side, prefix, checkpoint, wanted->repetition,
                         side->like && wanted->repetition == 0 ? evictors : none, jobs, err);
    for (unsigned i = before; i < jobs->count && done; i++)
        done = !wanted->placed || add_placement(run, side, wanted, &jobs->jobs[i], err);
    return done;
}

bool regress_jobs_add_linked(const struct regress_run *run, const struct regress_side *side, unsigned machine,
                             const char *name, const char *const *words, const char *list, struct sweep_jobs *jobs,
                             int *signal, struct err *err)
{
    char checkpoint[1][PATH_MAX], prefix[2 * NAME_SIZE], position[NAME_SIZE];
    const struct regress_wanted linked = {.repetition = 0};
    if (run->file->event && !make_positions(run, side, 1, &linked, checkpoint, signal, err))
        return false;
    name_position(run->file->event ? checkpoint[0] : NULL, position);
    snprintf(prefix, sizeof prefix, "%.*s%s", NAME_SIZE, name, position);
    const unsigned first = jobs->count;
    if (!add_runs(run, side, prefix, run->file->event ? checkpoint[0] : NULL, 0, words, jobs, err))
        return false;
    sweep_jobs_keep(jobs, first, first + machine);
    struct sweep_job *job = &jobs->jobs[first];
    return list == NULL || (add_places(job, list, err) && add_data(run, job, err) &&
                            sweep_job_add_input(job, INPUT_SYMBOLS, list, err));
}

/* The runs that are WANTED into JOBS, those of one in the order of the machines; their positions are made. */
bool regress_jobs_prepare(const struct regress_run *run, const struct regress_side *side, unsigned count,
                          const struct regress_wanted *wanted, struct sweep_jobs *jobs, int *signal, struct err *err)
{
    char(*checkpoints)[PATH_MAX] = checked_memory(calloc(count + 1, sizeof *checkpoints));
    bool done = !run->file->event || make_positions(run, side, count, wanted, checkpoints, signal, err);
    for (unsigned i = 0; i < count && done; i++)
        done = add_repetition(run, side, &wanted[i], run->file->event ? checkpoints[i] : NULL, jobs, err);
    free(checkpoints);
    return done;
}
