#include "src/regress/regress_run.h"

#include "src/base/file_identity.h"
#include "src/base/json_file.h"
#include "src/guest/random_numbers.h"
#include "src/machine/machine.h"
#include "src/sweep/sweep_record.h"
#include "src/sweep/sweep_run.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 64, DIGITS = 12 /* of a digest, in names of files */ };

/* Digests */

static char *take_digest(struct sha256_ctx *hash)
{
    char *text = checked_memory(malloc(DIGEST_DIGITS + 1));
    digest_take(hash, text);
    return text;
}

static bool add_content(struct sha256_ctx *hash, enum input_kind kind, const char *path, struct err *err)
{
    struct file_identity identity;
    if (!file_identity_read(&identity, kind, path, err))
        return false;
    digest_add_text(hash, identity.digest);
    return true;
}

static const char *origin_of(const struct regress_run *run)
{
    return run->trust ? NULL : run->file->path;
}

/* The words of a position, for the parser: `run`, the file's kernel and words, *COUNT of them. The caller frees the
 * array. */
static const char **position_words(const struct regress_run *run, int *count)
{
    const char **words = checked_memory(calloc(run->file->position_count + 6, sizeof *words));
    *count = 0;
    words[(*count)++] = "run";
    if (origin_of(run)) {
        words[(*count)++] = "--from";
        words[(*count)++] = origin_of(run);
    }
    if (run->file->kernel && !run->kernel_given) {
        words[(*count)++] = "--kernel";
        words[(*count)++] = run->file->kernel;
    }
    for (unsigned i = 0; i < run->file->position_count; i++)
        words[(*count)++] = run->file->position[i];
    return words;
}

/* What the position asks of this host. */
static bool check_position(const struct regress_run *run, struct err *err)
{
    struct run_options options;
    int count;
    const char **words = position_words(run, &count);
    const bool done = run_options_parse(&options, run->commands, COMMAND_PLACE_ALONE, count, words, err) &&
                      machine_options_check(&options.options, err);
    run_options_release(&options);
    free(words);
    return done;
}

/* The images of the position's disks. */
static bool add_disks(const struct regress_run *run, struct sha256_ctx *hash, struct err *err)
{
    struct run_options options;
    int count;
    const char **words = position_words(run, &count);
    bool done = run_options_parse(&options, run->commands, COMMAND_PLACE_ALONE, count, words, err);
    for (unsigned slot = 0; done && slot < BOARD_DISKS; slot++) {
        char name[32], path[PATH_MAX];
        snprintf(name, sizeof name, "machine.disk%u", slot);
        const char *disk = params_string(options.options.params, name);
        snprintf(path, sizeof path, "%.*s", (int)strcspn(disk, ","), disk);
        done = !*disk || add_content(hash, INPUT_DISK, path, err);
    }
    run_options_release(&options);
    free(words);
    return done;
}

static bool is_of_machine(const struct sweep_axis *axis)
{
    return axis->kind == SWEEP_PARAM || strcmp(axis->name, "machine") == 0 || strcmp(axis->name, "cpu") == 0;
}

/* What is run, apart from the kernel and the machines. */
static char *digest_workload(const struct regress_run *run, struct err *err)
{
    const struct regress_file *file = run->file;
    struct sha256_ctx hash;
    sha256_init(&hash);
    digest_add_text(&hash, file->event ? file->event : "");
    for (unsigned i = 0; i < file->position_count; i++)
        digest_add_text(&hash, file->position[i]);
    bool done = !file->event || add_disks(run, &hash, err);
    for (unsigned i = 0; i < file->settings.count && done; i++) {
        const struct sweep_axis *axis = &file->settings.axes[i];
        for (unsigned value = 0; value < axis->count && done && !is_of_machine(axis); value++) {
            digest_add_text(&hash, axis->name);
            if (axis->kind == SWEEP_CHECKPOINT)
                done = add_content(&hash, INPUT_CHECKPOINT, axis->values[value], err);
            else
                digest_add_text(&hash, axis->values[value]);
        }
    }
    return done ? take_digest(&hash) : NULL;
}

/* The machine of JOB: its description, CPU model and parameters. */
static char *digest_machine(const struct regress_file *file, const struct sweep_job *job, struct err *err)
{
    struct sha256_ctx hash;
    bool done = true;
    sha256_init(&hash);
    for (unsigned i = 0; i < job->label_count && done; i++) {
        bool of_machine = false;
        for (unsigned axis = 0; axis < file->settings.count; axis++)
            of_machine = of_machine || (strcmp(file->settings.axes[axis].name, job->labels[i].name) == 0 &&
                                        is_of_machine(&file->settings.axes[axis]));
        if (!of_machine)
            continue;
        digest_add_text(&hash, job->labels[i].name);
        digest_add_text(&hash, job->labels[i].value);
    }
    for (unsigned i = 0; i < job->input_count && done; i++)
        if (job->kinds[i] == INPUT_NAMED)
            done = add_content(&hash, INPUT_NAMED, job->inputs[i], err);
    return done ? take_digest(&hash) : NULL;
}

/* Machines */

/* The combinations of the file's settings, each a job called PREFIX-MACHINE, from CHECKPOINT (NULL: the file's). */
static bool add_jobs(const struct regress_file *file, const char *checkpoint, const char *prefix,
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

/* The machine's name: what distinguishes the job's name; for the only one its description's. */
static const char *machine_of(const struct sweep_job *job, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (job->name[length] == '-')
        return job->name + length + 1;
    for (unsigned i = 0; i < job->label_count; i++)
        if (strcmp(job->labels[i].name, "machine") == 0)
            return job->labels[i].value;
    return "machine";
}

bool regress_run_begin(struct regress_run *run, struct err *err)
{
    struct sweep_jobs jobs = {0};
    struct err reason = {""};
    bool done = add_jobs(run->file, run->file->event ? "position" : NULL, "m", &jobs, &reason) &&
                (!run->file->event || check_position(run, &reason)) &&
                sweep_jobs_check(&jobs, origin_of(run), run->commands, &reason);
    run->machines = done ? jobs.count : 0;
    run->machine_name = checked_memory(calloc(run->machines + 1, sizeof *run->machine_name));
    run->machine_digest = checked_memory(calloc(run->machines + 1, sizeof *run->machine_digest));
    for (unsigned i = 0; i < run->machines && done; i++) {
        run->machine_name[i] = checked_memory(strdup(machine_of(&jobs.jobs[i], "m")));
        done = (run->machine_digest[i] = digest_machine(run->file, &jobs.jobs[i], &reason));
    }
    done = done && (run->workload_digest = digest_workload(run, &reason));
    sweep_jobs_release(&jobs);
    return done || err_set(err, "test %.200s: %s", run->file->path, reason.text);
}

void regress_run_end(struct regress_run *run)
{
    for (unsigned i = 0; i < run->machines; i++) {
        free(run->machine_name[i]);
        free(run->machine_digest[i]);
    }
    free(run->machine_name);
    free(run->machine_digest);
    free(run->workload_digest);
    run->machine_name = run->machine_digest = NULL;
    run->workload_digest = NULL;
    run->machines = 0;
}

/* Sides */

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

/* Learn from the symbols of SIDE's kernel what RUN can do with it. False with ERR if it has none. */
static bool learn_kernel(struct regress_run *run, const struct regress_side *side, struct err *err)
{
    struct symbols *symbols = machine_read_symbols(side->kernel_path, err);
    run->data = run->data && symbols && symbols_have_data(symbols);
    run->fixes_random = run->fixes_random && random_numbers_can_be_fixed(symbols);
    symbols_free(symbols);
    return symbols != NULL;
}

bool regress_run_place(struct regress_run *run, const struct regress_side *old, struct regress_side *new,
                       struct err *err)
{
    run->random = true;
    run->data = run->fixes_random = new->kernel_path != NULL;
    new->like = old ? old->kernel_path : NULL;
    return (!old || learn_kernel(run, old, err)) && (!new->kernel_path || learn_kernel(run, new, err));
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

/* What is run of a repetition: as linked, or placed (repetition 0: in the places of the other kernel). */
struct wanted_run {
    unsigned repetition;
    bool placed;
};

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
    job->saves = true;
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

static bool run_jobs(const struct regress_run *run, const struct sweep_jobs *jobs, int *signal, struct err *err)
{
    struct sweep_run_totals totals;
    const struct sweep_run_options options = {.work = run->work,
                                              .processes = run->processes,
                                              .source_file = origin_of(run),
                                              .trust = run->trust,
                                              .progress = run->quiet ? NULL : stderr};
    if (!sweep_jobs_check(jobs, origin_of(run), run->commands, err) || !sweep_run(jobs, &options, &totals, err))
        return false;
    *signal = totals.signal;
    return !totals.signal || err_set(err, "interrupted; repeat the command to continue");
}

/* Read the result of JOB. False with ERR if it is not finished, or its command failed. */
static bool read_result(const struct regress_run *run, const struct sweep_job *job, struct sweep_inputs *inputs,
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
static bool all_finished(const struct regress_run *run, const struct sweep_jobs *jobs, struct err *err)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < jobs->count && done; i++) {
        struct sweep_result result;
        done = read_result(run, &jobs->jobs[i], inputs, &result, NULL, err);
        sweep_results_release(&result, 1);
    }
    sweep_inputs_free(inputs);
    return done;
}

/* The positions of the COUNT runs that are WANTED, in CHECKPOINTS. Those of one repetition are neighbours. */
static bool make_positions(const struct regress_run *run, const struct regress_side *side, unsigned count,
                           const struct wanted_run *wanted, char (*checkpoints)[PATH_MAX], int *signal, struct err *err)
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
    done = done && (run->only_read || run_jobs(run, &jobs, signal, err)) && all_finished(run, &jobs, err);
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

/* The parameters of placement of WANTED. */
static bool add_placement(const struct regress_run *run, const struct regress_side *side,
                          const struct wanted_run *wanted, struct sweep_job *job, struct err *err)
{
    char seed[NAME_SIZE], like[PATH_MAX + NAME_SIZE];
    snprintf(seed, sizeof seed, "guest.placement_seed=%u", seed_of(run, wanted->repetition));
    snprintf(like, sizeof like, "guest.placement_of=%s", side->like ? side->like : "");
    const char *const order[] = {"--set", seed, "--set",
                                 run->data ? "guest.placement_data=on" : "guest.placement_data=off", NULL};
    const char *const held[] = {"--set", like, NULL};
    return insert_own(job, order, err) &&
           (!side->like || (insert_own(job, held, err) && add_kernel_inputs(job, side->like, err)));
}

static bool add_runs(const struct regress_run *run, const struct regress_side *side, const struct wanted_run *wanted,
                     const char *checkpoint, struct sweep_jobs *jobs, struct err *err)
{
    char prefix[2 * NAME_SIZE], position[NAME_SIZE], seed[NAME_SIZE];
    name_position(checkpoint, position);
    snprintf(prefix, sizeof prefix, "%s-%u%s", wanted->placed ? "placed" : "run", seed_of(run, wanted->repetition),
             position);
    snprintf(seed, sizeof seed, "machine.perturb=%u", seed_of(run, wanted->repetition));
    const char *const own[] = {
        "--quiet", "--table", "none", "--warmup", "0", "--script", "misses", "--set", "cache.classify=full",
        "--set",   seed,      NULL};
    /* only names of the command line lead to the files beside a kernel; the file's is trusted if its position is there
     */
    const char *named = side->kernel ? side->kernel : run->file->kernel;
    const char *const kernel[] = {"--kernel", named, NULL};
    /* as linked and in the old kernel's places: which functions and data evict each other */
    const char *const evictors[] = {"--set", "cache.evictors=on", NULL};
    const bool has_pairs = side->like && wanted->repetition == 0;
    const unsigned before = jobs->count;
    bool done = add_jobs(run->file, checkpoint, prefix, jobs, err);
    for (unsigned i = before; i < jobs->count && done; i++)
        done = insert_own(&jobs->jobs[i], own, err) && (!named || insert_own(&jobs->jobs[i], kernel, err)) &&
               (!has_pairs || insert_own(&jobs->jobs[i], evictors, err)) &&
               (!wanted->placed || add_placement(run, side, wanted, &jobs->jobs[i], err));
    return done;
}

/* The runs that are WANTED into JOBS, those of one in the order of the machines; their positions are made. */
static bool prepare(const struct regress_run *run, const struct regress_side *side, unsigned count,
                    const struct wanted_run *wanted, struct sweep_jobs *jobs, int *signal, struct err *err)
{
    char(*checkpoints)[PATH_MAX] = checked_memory(calloc(count + 1, sizeof *checkpoints));
    bool done = !run->file->event || make_positions(run, side, count, wanted, checkpoints, signal, err);
    for (unsigned i = 0; i < count && done; i++)
        done = add_runs(run, side, &wanted[i], run->file->event ? checkpoints[i] : NULL, jobs, err);
    free(checkpoints);
    return done;
}

/* Measuring */

static bool has_rows(const struct regress_run *run, bool placed)
{
    for (unsigned i = 0; i < run->file->row_count; i++)
        if (run->file->rows[i].has_within && regress_run_places(run, &run->file->rows[i]) == placed)
            return true;
    return false;
}

/* What is to be run of SIDE, of the repetitions from FIRST to LAST whose number modulo PARTS is PART, and of 0 if
 * PLAIN. To be freed. */
static struct wanted_run *want(const struct regress_run *run, const struct regress_side *side, bool plain,
                               unsigned first, unsigned last, unsigned part, unsigned parts, unsigned *count)
{
    struct wanted_run *wanted = checked_memory(calloc(2 * (size_t)last + 4, sizeof *wanted));
    *count = 0;
    if (plain && part == 0) {
        wanted[(*count)++] = (struct wanted_run){0, false};
        if (side->like)
            wanted[(*count)++] = (struct wanted_run){0, true};
    }
    for (unsigned i = first; i <= last; i++) {
        if (i % parts != part)
            continue;
        if (has_rows(run, false))
            wanted[(*count)++] = (struct wanted_run){i, false};
        if (has_rows(run, true))
            wanted[(*count)++] = (struct wanted_run){i, true};
    }
    return wanted;
}

/* Take the values of all rows from the run JOB, which is WANTED, on MACHINE. */
static bool take_values(const struct regress_run *run, struct regress_side *side, const struct wanted_run *wanted,
                        unsigned machine, const struct sweep_job *job, const json_t *root, struct err *err)
{
    struct err reason = {""};
    struct results *results = checked_memory(malloc(sizeof *results));
    const unsigned repetition = wanted->repetition;
    bool done = results_read(results, job->name, root, err);
    for (unsigned row = 0; done && row < run->file->row_count; row++) {
        const unsigned cell = machine * run->file->row_count + row;
        unsigned unmatched = 0;
        uint64_t value = 0;
        struct regress_parts *parts = repetition       ? &side->parts[cell]
                                      : wanted->placed ? &side->held_parts[cell]
                                                       : &side->plain_parts[cell];
        if (repetition && regress_run_places(run, &run->file->rows[row]) != wanted->placed)
            continue;
        done = regress_row_value(&run->file->rows[row], results, &value, parts, &unmatched, &reason) ||
               err_set(err, "run %s: %s", job->name, reason.text);
        regress_parts_join(parts);
        *(repetition       ? &side->value[cell][repetition - 1]
          : wanted->placed ? &side->held[cell]
                           : &side->plain[cell]) = value;
        side->unmatched[cell] &= unmatched;
    }
    if (done && repetition == 0 && side->like)
        regress_pairs_read(wanted->placed ? &side->held_pairs[machine] : &side->pairs[machine], results);
    results_release(results);
    free(results);
    return done;
}

static bool read_values(const struct regress_run *run, struct regress_side *side, const struct wanted_run *wanted,
                        const struct sweep_jobs *jobs, struct err *err)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < jobs->count && done; i++) {
        const struct sweep_job *job = &jobs->jobs[i];
        struct sweep_result result;
        json_t *root = NULL;
        done = read_result(run, job, inputs, &result, &root, err) &&
               take_values(run, side, &wanted[i / run->machines], i % run->machines, job, root, err);
        json_decref(root);
        sweep_results_release(&result, 1);
    }
    sweep_inputs_free(inputs);
    return done;
}

bool regress_run_measure(struct regress_run *run, struct regress_side *side, bool plain, unsigned count, int *signal,
                         struct err *err)
{
    unsigned wanted_count;
    struct wanted_run *wanted =
        want(run, side, plain && !side->has_plain, side->repetitions + 1, count, 0, 1, &wanted_count);
    struct sweep_jobs jobs = {0};
    struct err reason = {""};
    *signal = 0;
    const bool done = wanted_count == 0 || (prepare(run, side, wanted_count, wanted, &jobs, signal, &reason) &&
                                            (run->only_read || run_jobs(run, &jobs, signal, &reason)) &&
                                            read_values(run, side, wanted, &jobs, &reason));
    sweep_jobs_release(&jobs);
    free(wanted);
    side->has_plain = side->has_plain || (done && plain);
    side->repetitions = done && count > side->repetitions ? count : side->repetitions;
    return done || err_set(err, "test %.200s: %s", run->file->path, reason.text);
}

bool regress_run_part(struct regress_run *run, struct regress_side *side, bool plain, unsigned part, unsigned parts,
                      int *signal, struct err *err)
{
    unsigned count;
    struct wanted_run *wanted = want(run, side, plain, 1, run->file->most, part, parts, &count);
    struct sweep_jobs jobs = {0};
    struct err reason = {""};
    *signal = 0;
    const bool done = count == 0 || (prepare(run, side, count, wanted, &jobs, signal, &reason) &&
                                     run_jobs(run, &jobs, signal, &reason) && all_finished(run, &jobs, &reason));
    sweep_jobs_release(&jobs);
    free(wanted);
    return done || err_set(err, "test %.200s: %s", run->file->path, reason.text);
}
