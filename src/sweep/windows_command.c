/*
 * `simos windows FOLDER`: sampled simulation of a long run (docs/how-to/series.md). Simulates one window in detail from
 * each checkpoint of the series in FOLDER, each in its own process; merges their statistics and estimates those of the
 * whole run.
 */
#include "src/base/json_file.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/command/option_values.h"
#include "checkpoint/series_member.h"
#include "src/observe/annotated.h"
#include "src/run/run_files.h"
#include "src/sweep/sweep_batch.h"
#include "src/sweep/simpoints.h"
#include "src/sweep/sweep_results.h"
#include "src/sweep/window_merge.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct windows_options {
    struct run_options run; /* run.restored: FOLDER; run.out: prefix of the results */
    struct sweep_batch_options batch;
    char *simpoints;   /* FILE.simpoints: the windows to simulate, owned; NULL: all */
    unsigned each;     /* windows of each of its clusters */
    double confidence; /* of the intervals, per cent */
    int passed_count;  /* words that `restore` gets for each window */
    const char **passed;
};

/* State of the command. */
struct work {
    const struct windows_options *options;
    struct err *err;
    char out[PATH_MAX];           /* prefix of the output files */
    struct series_member *series; /* the checkpoints of the series, in order */
    uint32_t count;
    struct simpoints simpoints; /* with --simpoints; a window for each of its intervals, in this order */
    struct sweep_jobs jobs;     /* the windows, one job each */
};

static bool name_output(struct work *work)
{
    const char *folder = work->options->run.restored;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    int size = work->options->run.out ? snprintf(work->out, sizeof work->out, "%s", work->options->run.out)
                                      : snprintf(work->out, sizeof work->out, "%.*s.windows", (int)length, folder);
    return (size > 0 && (size_t)size < sizeof work->out) || err_set(work->err, "--out: the name is too long");
}

/* Reading the series */

static bool read_member(struct work *work, const char *path)
{
    struct checkpoint *checkpoint = checkpoint_open(path, work->err);
    work->series = checked_memory(realloc(work->series, (work->count + 1u) * sizeof *work->series));
    struct series_member *member = &work->series[work->count];
    bool done = checkpoint && series_member_read(member, checkpoint, work->err);
    checkpoint_close(checkpoint);
    if (done && (member->number != work->count || member->every != work->series[0].every ||
                 (work->count > 0 && member->insns <= member[-1].insns)))
        done = err_set(work->err, "checkpoint %s: not of the same series as the previous one", path);
    work->count += done;
    return done;
}

static bool read_series(struct work *work)
{
    bool done = true, more = true;
    while (done && more && work->count < SERIES_FILES_MAX) {
        char *path = series_path(work->options->run.restored, work->count);
        more = access(path, F_OK) == 0 || errno != ENOENT;
        if (more)
            done = read_member(work, path);
        else if (work->count == 0)
            done = err_set(work->err, "%s: not there: %.200s is no folder that --series has written", path,
                           work->options->run.restored);
        free(path);
    }
    return done;
}

/* Choosing the windows */

/* The files besides the checkpoint that the result of JOB depends on. */
static bool add_inputs(struct work *work, struct sweep_job *job)
{
    const struct run_options *run = &work->options->run;
    return (!run->machine_file || sweep_job_add_input(job, INPUT_MACHINE, run->machine_file, work->err)) &&
           (!run->annotations || annotated_is_library(run->annotations) ||
            sweep_job_add_input(job, INPUT_SCRIPT, run->annotations, work->err));
}

static bool add_word(struct work *work, struct sweep_job *job, const char *word)
{
    return sweep_job_add_word(job, word, work->err);
}

/* Add the job for the window that is called NAME and begins WARMUP instructions after MEMBER, with which it starts. */
static bool add_window(struct work *work, uint32_t name, const struct series_member *member, uint64_t warmup)
{
    char title[16], checkpoint[16], instructions[32];
    char *path = series_path(work->options->run.restored, member->number);
    snprintf(title, sizeof title, "%04u", name);
    snprintf(checkpoint, sizeof checkpoint, "%04u", member->number);
    snprintf(instructions, sizeof instructions, "%" PRIu64, warmup);
    struct sweep_job *job = sweep_jobs_add(&work->jobs, title, work->err);
    bool done = job && add_word(work, job, "restore") && add_word(work, job, path) &&
                sweep_job_add_input(job, INPUT_CHECKPOINT, path, work->err) &&
                sweep_job_add_label(job, "checkpoint", checkpoint, work->err) && add_inputs(work, job);
    for (int i = 0; done && i < work->options->passed_count; i++)
        done = add_word(work, job, work->options->passed[i]);
    if (done && warmup != work->options->run.window.warmup)
        done = add_word(work, job, "--warmup") && add_word(work, job, instructions); /* the last one counts */
    done = done && add_word(work, job, "--quiet") && add_word(work, job, "--partial");
    free(path);
    return done;
}

/* Are there WARMUP instructions and a whole window from MEMBER to the last checkpoint? */
static bool fits(const struct work *work, const struct series_member *member, uint64_t warmup)
{
    const uint64_t left = work->series[work->count - 1].insns - member->insns;
    return warmup <= left && work->options->run.window.length <= left - warmup;
}

/* The checkpoint with which the window at BEGIN starts, so that the warm-up has at least the instructions that are
 * wanted: the last one so far in front of it, or the first of the series. */
static const struct series_member *warmed_from(const struct work *work, const struct series_member *begin)
{
    const struct series_member *from = begin;
    while (from > work->series && begin->insns - from->insns < work->options->run.window.warmup)
        from--;
    return from;
}

/* Add a window for each interval that SimPoint has chosen: interval N is that from checkpoint N on, and the warm-up is
 * in front of it. */
static bool choose_simpoints(struct work *work)
{
    const char *name = work->options->simpoints;
    if (!simpoints_read(&work->simpoints, name, work->options->each, work->err))
        return false;
    for (unsigned i = 0; i < work->simpoints.count; i++) {
        const uint32_t number = work->simpoints.chosen[i].interval;
        if (number >= work->count || !fits(work, &work->series[number], 0))
            return err_set(work->err, "simpoints %.200s: interval %u: the series %.200s ends before its window does",
                           name, number, work->options->run.restored);
        const struct series_member *begin = &work->series[number], *from = warmed_from(work, begin);
        if (!add_window(work, number, from, begin->insns - from->insns))
            return false;
    }
    return true;
}

/* Add a window for each checkpoint that is followed by a whole warm-up and window before the last checkpoint. */
static bool choose_windows(struct work *work)
{
    const struct window *window = &work->options->run.window;
    const struct series_member *first = &work->series[0], *last = &work->series[work->count - 1];
    const uint64_t every = first->every;
    if (window->length > every)
        return err_set(work->err,
                       "--window: %" PRIu64 " is more than the %" PRIu64 " instructions of the series %.200s",
                       window->length, every, work->options->run.restored);
    if (work->options->simpoints)
        return choose_simpoints(work);
    for (const struct series_member *member = first; member < last; member++)
        if (fits(work, member, window->warmup) && !add_window(work, member->number, member, window->warmup))
            return false;
    return work->jobs.count > 0 ||
           err_set(work->err, "the series %.200s ends before the first window does", work->options->run.restored);
}

/* Merging */

/* Statistics of the complete windows. */
struct found {
    json_t **windows;
    const char **names;
    unsigned *stratum_of; /* with --simpoints: the clusters' positions */
    size_t count;
    json_t *left_out; /* names of the incomplete ones */
};

static bool is_complete(const json_t *window)
{
    const json_t *wanted = json_object_get(json_object_get(window, "window"), "length");
    const json_t *done = json_object_get(json_object_get(window, "machine"), "insns");
    return json_is_integer(wanted) && json_is_integer(done) && json_integer_value(wanted) == json_integer_value(done);
}

/* Add RESULT, that of job NUMBER. */
static bool add_result(struct work *work, struct found *found, unsigned number, const struct sweep_result *result)
{
    const char *name = work->jobs.jobs[number].name;
    json_t *window =
        json_file_parse("statistics of window", name, result->statistics, strlen(result->statistics), work->err);
    if (!window)
        return false;
    if (is_complete(window)) {
        found->names[found->count] = name;
        found->stratum_of[found->count] = work->options->simpoints ? work->simpoints.chosen[number].stratum : 0;
        found->windows[found->count++] = window;
        return true;
    }
    fprintf(stderr, "simos: window %s is left out: the guest ended before the window was complete\n", PRINTABLE(name));
    json_array_append_new(found->left_out, json_string(name));
    json_decref(window);
    return true;
}

static void write_merged(const void *merged, FILE *out)
{
    window_write_json(merged, out);
}

struct table {
    const json_t *merged, *sample;
};

static void write_table(const void *opaque, FILE *out)
{
    const struct table *table = opaque;
    window_print_sample(table->merged, table->sample, out);
}

static bool save(struct work *work, const json_t *merged, const json_t *sample)
{
    char path[PATH_MAX + 32];
    const struct table table = {merged, sample};
    snprintf(path, sizeof path, "%s.merged.json", work->out);
    if (!save_file("merged statistics", path, write_merged, merged, work->err))
        return false;
    snprintf(path, sizeof path, "%s.merged.txt", work->out);
    if (!save_file("table", path, write_table, &table, work->err))
        return false;
    putchar('\n');
    write_table(&table, stdout);
    return true;
}

static bool merge_found(struct work *work, const struct found *found)
{
    if (found->count == 0)
        return err_set(work->err, "no window is complete");
    json_t *merged = window_merge(found->windows, found->names, found->count, work->err);
    json_t *sample =
        merged ? window_sample(found->windows, found->count, work->options->simpoints ? &work->simpoints : NULL,
                               found->stratum_of, work->options->confidence / 100, work->err)
               : NULL;
    if (sample) {
        json_object_set(json_object_get(merged, "window"), "left_out", found->left_out);
        json_object_set(merged, "sampling", sample);
    }
    bool done = sample && save(work, merged, sample);
    json_decref(sample);
    json_decref(merged);
    return done;
}

static bool merge_results(struct work *work, const struct sweep_result *results)
{
    struct found found = {.windows = checked_memory(calloc(work->jobs.count, sizeof(json_t *))),
                          .names = checked_memory(calloc(work->jobs.count, sizeof(char *))),
                          .stratum_of = checked_memory(calloc(work->jobs.count, sizeof(unsigned))),
                          .left_out = json_array()};
    bool done = true;
    for (unsigned i = 0; done && i < work->jobs.count; i++)
        done = add_result(work, &found, i, &results[i]);
    done = done && merge_found(work, &found);
    for (size_t i = 0; i < found.count; i++)
        json_decref(found.windows[i]);
    json_decref(found.left_out);
    free(found.windows);
    free(found.stratum_of);
    free(found.names);
    return done;
}

/* Merge the results if all windows are finished. */
static bool merge(struct work *work)
{
    char folder[PATH_MAX + 32];
    struct sweep_result *results = checked_memory(calloc(work->jobs.count, sizeof *results));
    snprintf(folder, sizeof folder, "%s.work", work->out);
    bool done = sweep_results_read(&work->jobs, folder, results, work->err), finished = done;
    for (unsigned i = 0; i < work->jobs.count; i++)
        finished = finished && results[i].state == SWEEP_FINISHED;
    if (finished)
        done = merge_results(work, results);
    sweep_results_release(results, work->jobs.count);
    free(results);
    return done;
}

/* The command */

static int run_batch(struct work *work)
{
    const struct windows_options *options = work->options;
    char confidence[32], simpoints[PATH_MAX + 32];
    unsigned count = 0;
    const char **again = checked_memory(calloc((size_t)options->passed_count + 8, sizeof *again));
    snprintf(confidence, sizeof confidence, "%.17g", options->confidence);
    again[count++] = "windows";
    again[count++] = options->run.restored;
    for (int i = 0; i < options->passed_count; i++)
        again[count++] = options->passed[i];
    again[count++] = "--confidence";
    again[count++] = confidence;
    if (options->simpoints) {
        snprintf(simpoints, sizeof simpoints, "%s,each=%u", options->simpoints, options->each);
        again[count++] = "--simpoints";
        again[count++] = simpoints;
    }
    again[count++] = "--out";
    again[count++] = work->out;
    const struct sweep_batch batch = {.out = work->out,
                                      .options = options->batch,
                                      .quiet = options->run.options.quiet,
                                      .command = again,
                                      .again_count = count};
    int status = sweep_batch_main(&work->jobs, &batch, work->err);
    free(again);
    if ((status == 0 || status == 1) && sweep_batch_mode(&batch.options) != SWEEP_BATCH_PART)
        return merge(work) ? 0 : EXIT_SIMOS_FAILED;
    return status;
}

static int simulate(const struct windows_options *options, const struct commands *commands, struct err *err)
{
    struct work work = {.options = options, .err = err};
    int status = EXIT_SIMOS_FAILED;
    struct named_files *files = NULL;
    if (name_output(&work) && read_series(&work) && choose_windows(&work) &&
        sweep_jobs_check(&work.jobs, NULL, commands, err) &&
        (sweep_batch_mode(&options->batch) == SWEEP_BATCH_PART || /* it writes no results */
         (files = sweep_jobs_take_results(&work.jobs, commands, NULL, work.out, NAMED_RESULTS_WINDOWS, err))))
        status = run_batch(&work);
    named_files_free(files);
    sweep_jobs_release(&work.jobs);
    simpoints_release(&work.simpoints);
    free(work.series);
    return status;
}

static void init(void *opaque, const struct command_line *line)
{
    struct windows_options *options = opaque;
    run_options_begin(&options->run, RUN_KIND_WINDOWS, line);
    options->confidence = 95;
}

static void release(void *opaque)
{
    struct windows_options *options = opaque;
    free(options->passed);
    free(options->simpoints);
    run_options_release(&options->run);
}

/* Pass WORD, and VALUE if it is a separate word, to each window. */
static void pass(void *opaque, const char *word, const char *value)
{
    struct windows_options *options = opaque;
    options->passed =
        checked_memory(realloc(options->passed, ((size_t)options->passed_count + 2) * sizeof *options->passed));
    options->passed[options->passed_count++] = word;
    if (value)
        options->passed[options->passed_count++] = value;
}

/* The folder. */
static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct windows_options *options = line->options;
    if (count == 0)
        return err_set(err, "`windows` needs the folder that --series has written");
    if (count > 1)
        return command_line_unexpected(words[1], err);
    options->run.restored = words[0];
    return options->run.window.length > 0 || err_set(err, "`windows` needs --window N");
}

static uint32_t uses(const void *opaque)
{
    const struct windows_options *options = opaque;
    return run_based_uses(&options->run) | sweep_batch_uses(&options->batch);
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    static const char *const endings[] = {"simpoints", "weights", "labels"};
    const struct windows_options *options = opaque;
    named_files_add_run(files, owner, &options->run);
    named_files_add_series(files, options->run.restored);
    for (size_t i = 0; options->simpoints && i < sizeof endings / sizeof endings[0]; i++) {
        char *path = simpoints_path(options->simpoints, endings[i]);
        named_files_add_input(files, "the simpoints", path);
        free(path);
    }
}

static int execute(struct command_line *line, struct err *err)
{
    return simulate(line->options, line->commands, err);
}

static bool set_confidence(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct windows_options *options = opaque;
    char *end;
    double percent = strtod(value, &end);
    (void)option;
    if (end == value || *end || !(percent >= 50 && percent <= 99.9999))
        return err_set(err, "--confidence: \"%.64s\" is not a percentage from 50 to 99.9999", value);
    options->confidence = percent;
    return true;
}

/* --simpoints FILE.simpoints[,each=M] */
static bool set_simpoints(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct windows_options *options = opaque;
    static const char each[] = ",each=";
    enum { EACH = 3, EACH_MAX = 1000 };
    const char *at = strstr(value, each);
    uint64_t number = EACH;
    if (!*value || at == value)
        return err_set(err, "--%s: no file is named", option->name);
    if (at && !option_parse_count("--simpoints, each", at + strlen(each), 1, EACH_MAX, &number, err))
        return false;
    free(options->simpoints);
    options->simpoints = checked_memory(at ? strndup(value, (size_t)(at - value)) : strdup(value));
    options->each = (unsigned)number;
    return true;
}

static const struct option option_table[] = {
    {"simpoints", "FILE.simpoints[,each=M]", OPTION_GROUP_SWEEPS, OPTION_READS,
     "only the windows that SimPoint has chosen, weighted; with FILE.labels M of each cluster (3)", set_simpoints,
     .without = 0},
    {"confidence", "PERCENT", OPTION_GROUP_SWEEPS, 0, "level of confidence intervals (95)", set_confidence,
     .without = OPTION_USE(PART)},
    {.name = NULL},
};

const struct command windows_command = {
    .name = "windows",
    .usages = {{"windows FOLDER --window N [options]", "sample N instructions after each checkpoint of a --series"}},
    .page = "how-to/series.md",
    .tables = {{run_option_table, offsetof(struct windows_options, run), RUN_HAS(WINDOWS)},
               {sweep_batch_option_table, offsetof(struct windows_options, batch), 0},
               {option_table, 0, 0}},
    .size = sizeof(struct windows_options),
    .init = init,
    .release = release,
    .params = run_based_params,
    .pass = pass,
    .operands = take_operands,
    .uses = uses,
    .add_files = add_files,
    .main = execute,
};
