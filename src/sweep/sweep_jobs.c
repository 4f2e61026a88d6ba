#include "src/sweep/sweep_jobs.h"

#include "checkpoint/checkpoint.h"
#include "src/base/file_identity.h"
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.+=", *at))
            return false;
    return *name && *name != '-' && *name != '.' && strlen(name) <= SWEEP_JOB_NAME_MAX;
}

struct sweep_job *sweep_jobs_add(struct sweep_jobs *jobs, const char *name, struct err *err)
{
    if (!is_name(name)) {
        err_set(err,
                "job \"%.128s\": a name is 1 to %d letters, digits, \"-\", \"_\", \".\", \"+\", \"=\" and begins "
                "with a letter, a digit, \"_\", \"+\" or \"=\"",
                name, SWEEP_JOB_NAME_MAX);
        return NULL;
    }
    if (jobs->count == SWEEP_JOBS_MAX) {
        err_set(err, "job %s: too many jobs: at most %d", name, SWEEP_JOBS_MAX);
        return NULL;
    }
    for (unsigned i = 0; i < jobs->count; i++)
        if (strcmp(jobs->jobs[i].name, name) == 0) {
            err_set(err, "job %s: this name is already used", name);
            return NULL;
        }
    jobs->jobs = checked_memory(realloc(jobs->jobs, (jobs->count + 1) * sizeof *jobs->jobs));
    struct sweep_job *job = &jobs->jobs[jobs->count++];
    *job = (struct sweep_job){
        .name = checked_memory(strdup(name)), .own_count = 1, .words = checked_memory(calloc(1, sizeof(char *)))};
    return job;
}

static bool is_text(const struct sweep_job *job, const char *text, struct err *err)
{
    json_t *string = json_string(text);
    json_decref(string);
    return string || err_set(err, "job %s: \"%.128s\" is not UTF-8", job->name, text);
}

bool sweep_job_add_word(struct sweep_job *job, const char *word, struct err *err)
{
    if (!is_text(job, word, err))
        return false;
    job->words = checked_memory(realloc(job->words, (job->word_count + 2) * sizeof *job->words));
    job->words[job->word_count++] = checked_memory(strdup(word));
    job->words[job->word_count] = NULL;
    return true;
}

bool sweep_job_insert_own(struct sweep_job *job, const char *word, struct err *err)
{
    if (!sweep_job_add_word(job, word, err))
        return false;
    char *last = job->words[job->word_count - 1], **at = job->words + job->own_count;
    memmove(at + 1, at, (job->word_count - 1 - job->own_count) * sizeof *at);
    *at = last;
    job->own_count++;
    return true;
}

bool sweep_job_add_input(struct sweep_job *job, enum input_kind kind, const char *path, struct err *err)
{
    if (!is_text(job, path, err))
        return false;
    job->inputs = checked_memory(realloc(job->inputs, (job->input_count + 1) * sizeof *job->inputs));
    job->kinds = checked_memory(realloc(job->kinds, (job->input_count + 1) * sizeof *job->kinds));
    job->kinds[job->input_count] = kind;
    job->inputs[job->input_count++] = checked_memory(strdup(path));
    return true;
}

bool sweep_job_add_label(struct sweep_job *job, const char *name, const char *value, struct err *err)
{
    if (!is_text(job, name, err) || !is_text(job, value, err))
        return false;
    for (unsigned i = 0; i < job->label_count; i++)
        if (strcmp(job->labels[i].name, name) == 0)
            return err_set(err, "job %s: %.64s is given twice", job->name, name);
    job->labels = checked_memory(realloc(job->labels, (job->label_count + 1) * sizeof *job->labels));
    job->labels[job->label_count++] =
        (struct sweep_label){.name = checked_memory(strdup(name)), .value = checked_memory(strdup(value))};
    return true;
}

static void free_texts(char **texts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void release_job(struct sweep_job *job)
{
    free(job->name);
    free_texts(job->words, job->word_count);
    free_texts(job->inputs, job->input_count);
    free(job->kinds);
    for (unsigned label = 0; label < job->label_count; label++) {
        free(job->labels[label].name);
        free(job->labels[label].value);
    }
    free(job->labels);
}

void sweep_jobs_keep(struct sweep_jobs *jobs, unsigned first, unsigned kept)
{
    for (unsigned i = first; i < jobs->count; i++)
        if (i != kept)
            release_job(&jobs->jobs[i]);
    jobs->jobs[first] = jobs->jobs[kept];
    jobs->count = first + 1;
}

void sweep_jobs_release(struct sweep_jobs *jobs)
{
    for (unsigned i = 0; i < jobs->count; i++)
        release_job(&jobs->jobs[i]);
    free(jobs->jobs);
    *jobs = (struct sweep_jobs){0};
}

/* Does a disk write to a host file? Parallel jobs could write the same file. */
static bool writes_disk(const struct params *params)
{
    char name[32];
    for (unsigned slot = 0; slot < BOARD_DISKS; slot++) {
        snprintf(name, sizeof name, "machine.disk%u", slot);
        const char *disk = params_string(params, name), *comma = strrchr(disk, ',');
        if (strstr(disk, ",overlay=") || (comma && strcmp(comma, ",write") == 0))
            return true;
    }
    return false;
}

/* Accept only runs whose sole output is the statistics, which the sweep collects. */
static bool check_run(const struct run_options *run, struct err *err)
{
    if (writes_disk(run->options.params))
        return err_set(err, "--disk: not in a sweep if it writes a file: jobs run in parallel");
    return run->kind == RUN_KIND_RUN || run->kind == RUN_KIND_RESTORE || err_set(err, "is neither `run` nor `restore`");
}

/* What the words of the sweep's file ask of this host, before any of it is opened. The kernel of a checkpoint is in it.
 */
static bool check_authority(struct run_options *run, struct err *err)
{
    run->options.restored = run->kind == RUN_KIND_RESTORE;
    return machine_options_check(&run->options, err);
}

/* Check JOB's files, and its arguments as its process will get them. */
static bool check_job(const struct sweep_job *job, const char *origin, const struct commands *commands, struct err *err)
{
    const char **words = checked_memory(calloc(job->word_count + 3, sizeof *words));
    struct run_options run;
    int count = 0;
    for (unsigned i = 0; i < job->word_count; i++) {
        words[count++] = job->words[i];
        if (i + 1 == job->own_count && origin) {
            words[count++] = "--from";
            words[count++] = origin;
        }
    }
    bool done =
        run_options_parse(&run, commands, job->alone ? COMMAND_PLACE_ALONE : COMMAND_PLACE_JOB, count, words, err) &&
        check_run(&run, err) && check_authority(&run, err);
    run_options_release(&run);
    free(words);
    for (unsigned i = 0; done && origin && i < job->input_count; i++)
        if (job->kinds[i] == INPUT_DEPENDENCY)
            done = err_set(err, "its input %.200s is a file on this host: use --trust to allow it", job->inputs[i]);
    return done;
}

bool sweep_jobs_check(const struct sweep_jobs *jobs, const char *origin, const struct commands *commands,
                      struct err *err)
{
    for (unsigned i = 0; i < jobs->count; i++) {
        const struct sweep_job *job = &jobs->jobs[i];
        struct err reason = {""};
        bool taken = check_job(job, origin, commands, &reason);
        if (!taken)
            return err_set(err, "job %s: %s", job->name, reason.text);
    }
    return true;
}

struct named_files *sweep_jobs_take_results(const struct sweep_jobs *jobs, const struct commands *commands,
                                            const char *source, const char *prefix, enum named_results results,
                                            struct err *err)
{
    struct named_files *files = named_files_create();
    named_files_add_results(files, prefix, results);
    named_files_add_input(files, "the sweep", source);
    for (unsigned i = 0; i < jobs->count; i++) {
        const struct sweep_job *job = &jobs->jobs[i];
        struct run_options run;
        struct err reason = {""};
        char owner[160];
        snprintf(owner, sizeof owner, "job %.140s: ", job->name);
        if (run_options_parse(&run, commands, COMMAND_PLACE_JOB, (int)job->word_count, (const char *const *)job->words,
                              &reason))
            named_files_add_job(files, owner, &run);
        run_options_release(&run);
    }
    if (named_files_check(files, err))
        return files;
    named_files_free(files);
    return NULL;
}

/* Identities */

struct input {
    char *path;
    struct file_identity identity;
};

struct sweep_inputs {
    unsigned count;
    struct input *inputs;
};

struct sweep_inputs *sweep_inputs_create(void)
{
    return checked_memory(calloc(1, sizeof(struct sweep_inputs)));
}

void sweep_inputs_free(struct sweep_inputs *inputs)
{
    for (unsigned i = 0; i < inputs->count; i++)
        free(inputs->inputs[i].path);
    free(inputs->inputs);
    free(inputs);
}

/* The result is valid until the next call. */
static const struct file_identity *identify(struct sweep_inputs *inputs, enum input_kind kind, const char *path,
                                            struct err *err)
{
    for (unsigned i = 0; i < inputs->count; i++)
        if (strcmp(inputs->inputs[i].path, path) == 0)
            return &inputs->inputs[i].identity;
    struct input input;
    if ((kind == INPUT_CHECKPOINT && !checkpoint_is(path, err)) ||
        !file_identity_read(&input.identity, kind, path, err))
        return NULL;
    input.path = checked_memory(strdup(path));
    inputs->inputs = checked_memory(realloc(inputs->inputs, (inputs->count + 1) * sizeof *inputs->inputs));
    inputs->inputs[inputs->count] = input;
    return &inputs->inputs[inputs->count++].identity;
}

static bool add_file(struct sha256_ctx *hash, struct sweep_inputs *inputs, enum input_kind kind, const char *path,
                     struct err *err)
{
    const struct file_identity *identity = identify(inputs, kind, path, err);
    if (identity)
        digest_add_text(hash, identity->digest);
    return identity;
}

char *sweep_job_identity(const struct sweep_job *job, struct sweep_inputs *inputs, struct err *err)
{
    struct sha256_ctx hash;
    char counts[64];
    sha256_init(&hash);
    if (!add_file(&hash, inputs, INPUT_DEPENDENCY, "/proc/self/exe", err))
        return NULL;
    snprintf(counts, sizeof counts, "%u words, %u inputs", job->word_count, job->input_count);
    digest_add_text(&hash, counts);
    for (unsigned i = 0; i < job->word_count; i++)
        digest_add_text(&hash, job->words[i]);
    for (unsigned i = 0; i < job->input_count; i++) {
        digest_add_text(&hash, job->inputs[i]);
        if (!add_file(&hash, inputs, job->kinds[i], job->inputs[i], err))
            return NULL;
    }
    char *text = checked_memory(malloc(DIGEST_DIGITS + 1));
    digest_take(&hash, text);
    return text;
}
