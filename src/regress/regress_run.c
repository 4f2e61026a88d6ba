#include "src/regress/regress_run.h"

#include "src/base/file_identity.h"
#include "src/guest/random_numbers.h"
#include "src/machine/machine.h"
#include "src/regress/regress_jobs.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/* The words of a position, for the parser: `run`, the file's kernel and words, *COUNT of them. The caller frees the
 * array. */
static const char **position_words(const struct regress_run *run, int *count)
{
    const char **words = checked_memory(calloc(run->file->position_count + 6, sizeof *words));
    *count = 0;
    words[(*count)++] = "run";
    if (regress_jobs_origin(run)) {
        words[(*count)++] = "--from";
        words[(*count)++] = regress_jobs_origin(run);
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
    bool done = regress_jobs_add(run->file, run->file->event ? "position" : NULL, "m", &jobs, &reason) &&
                (!run->file->event || check_position(run, &reason)) &&
                sweep_jobs_check(&jobs, regress_jobs_origin(run), run->commands, &reason);
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

/* Placement */

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
static struct regress_wanted *want(const struct regress_run *run, const struct regress_side *side, bool plain,
                                   unsigned first, unsigned last, unsigned part, unsigned parts, unsigned *count)
{
    struct regress_wanted *wanted = checked_memory(calloc(2 * (size_t)last + 4, sizeof *wanted));
    *count = 0;
    if (plain && part == 0) {
        wanted[(*count)++] = (struct regress_wanted){0, false};
        if (side->like)
            wanted[(*count)++] = (struct regress_wanted){0, true};
    }
    for (unsigned i = first; i <= last; i++) {
        if (i % parts != part)
            continue;
        if (has_rows(run, false))
            wanted[(*count)++] = (struct regress_wanted){i, false};
        if (has_rows(run, true))
            wanted[(*count)++] = (struct regress_wanted){i, true};
    }
    return wanted;
}

/* Take the values of all rows from the run JOB, which is WANTED, on MACHINE. */
static bool take_values(const struct regress_run *run, struct regress_side *side, const struct regress_wanted *wanted,
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

static bool read_values(const struct regress_run *run, struct regress_side *side, const struct regress_wanted *wanted,
                        const struct sweep_jobs *jobs, struct err *err)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    for (unsigned i = 0; i < jobs->count && done; i++) {
        const struct sweep_job *job = &jobs->jobs[i];
        struct sweep_result result;
        json_t *root = NULL;
        done = regress_jobs_read(run, job, inputs, &result, &root, err) &&
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
    struct regress_wanted *wanted =
        want(run, side, plain && !side->has_plain, side->repetitions + 1, count, 0, 1, &wanted_count);
    struct sweep_jobs jobs = {0};
    struct err reason = {""};
    *signal = 0;
    const bool done =
        wanted_count == 0 || (regress_jobs_prepare(run, side, wanted_count, wanted, &jobs, signal, &reason) &&
                              (run->only_read || regress_jobs_run(run, &jobs, signal, &reason)) &&
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
    struct regress_wanted *wanted = want(run, side, plain, 1, run->file->most, part, parts, &count);
    struct sweep_jobs jobs = {0};
    struct err reason = {""};
    *signal = 0;
    const bool done =
        count == 0 || (regress_jobs_prepare(run, side, count, wanted, &jobs, signal, &reason) &&
                       regress_jobs_run(run, &jobs, signal, &reason) && regress_jobs_finished(run, &jobs, &reason));
    sweep_jobs_release(&jobs);
    free(wanted);
    return done || err_set(err, "test %.200s: %s", run->file->path, reason.text);
}
