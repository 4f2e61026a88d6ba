#include "src/sweep/sweep_command.h"

#include "cache/observe/trace.h"
#include "src/run/run.h"
#include "src/run/run_files.h"
#include "src/sweep/sweep_batch.h"
#include "src/sweep/sweep_file.h"
#include "src/sweep/sweep_report.h"
#include "src/trace/trace_command.h"
#include <stdlib.h>
#include <string.h>

struct sweep_options {
    struct run_options run;
    const char *trace;     /* the trace to read; NULL: a run */
    const char *jobs_file; /* FILE.tcl; NULL: one run, or a trace, under several caches */
    struct sweep_batch_options batch;
};

/* Feed the references of READER that pass FILTER to STUDY. IS_DIN: every fetch is an instruction. */
static bool replay(struct trace_reader *reader, bool is_din, const struct trace_filter *filter,
                   struct sweep_study *study, struct err *err)
{
    struct reference reference;
    enum trace_next next;
    uint64_t count = 0;
    struct progress *progress = progress_create();
    while ((next = trace_reader_next(reader, &reference, err)) == TRACE_REFERENCE) {
        trace_draw(progress, reader, ++count);
        if (!trace_filter_passes(filter, &reference))
            continue;
        if (reference.kind == REFERENCE_INSNS)
            study->insns[reference.mode] += reference.insns;
        else
            sweep_study_refer(study, &reference, NULL);
        study->insns[reference.mode] += is_din && reference.kind == REFERENCE_FETCH;
    }
    progress_free(progress);
    return next == TRACE_END;
}

/* Sweep over the file TRACE. The trace header (number of CPUs, instruction line size) and cpu.clock describe the
 * machine. */
static bool sweep_trace(const struct run_options *run, const char *trace, struct sweep_study *study, struct err *err)
{
    struct trace_info info;
    struct trace_filter filter;
    if (!trace_filter_from_params(&filter, run->options.params, err))
        return false;
    struct trace_reader *reader = trace_reader_open(trace, &info, err);
    if (!reader)
        return false;
    const struct params *params = run->options.params;
    const struct sweep_source source = {
        .cpus = info.cpus, .clock_hz = params_u64(params, "cpu.clock"), .insn_line = info.fetch_line, .data_line = 1};
    bool done = info.level == 1 ||
                err_set(err, "trace %s: level %u; a sweep needs a trace of level 1, the references of the CPUs", trace,
                        info.level);
    done = done && sweep_study_build(study, params, &source, err) && replay(reader, info.is_din, &filter, study, err);
    snprintf(study->counted, sizeof study->counted, "trace %.300s", trace);
    trace_reader_close(reader);
    return done;
}

static int sweep_replay(const struct run_options *run, const char *trace, struct sweep_study *study, struct err *err)
{
    if (!sweep_trace(run, trace, study, err))
        return EXIT_SIMOS_FAILED;
    sweep_report_tables(study, stdout);
    return !run->out || sweep_report_save(study, run->out, err) ? 0 : EXIT_SIMOS_FAILED;
}

static int sweep_run_once(struct run_options *run, struct sweep_study *study, struct err *err)
{
    int status = run_with_sweeps(run, study, err);
    if (!study->complete)
        return status;
    /* Saved first: the run has ended, and a signal while stderr is not read ends the process at once */
    const bool saved = !run->out || sweep_report_save(study, run->out, err);
    sweep_report_tables(study, stderr);
    return saved ? status : EXIT_SIMOS_FAILED;
}

/* The slurm options of a file can make sbatch write host files, so they require --trust. */
static bool may_use_slurm(const struct sweep_options *options, const struct sweep_file *file, struct err *err)
{
    return (sweep_batch_mode(&options->batch) != SWEEP_BATCH_SLURM_WRITE &&
            sweep_batch_mode(&options->batch) != SWEEP_BATCH_SLURM_SUBMIT) ||
           file->slurm_count == 0 || options->run.options.trust ||
           err_set(err, "sweep %.200s: its slurm %.200s is passed to this host's sbatch: use --trust to allow it",
                   options->jobs_file, file->slurm[0]);
}

/* Execute the parameter sweep of FILE.tcl. */
static int sweep_jobs(const struct sweep_options *options, const struct commands *commands, struct err *err)
{
    const char *path = options->jobs_file;
    char *out =
        checked_memory(options->run.out ? strdup(options->run.out) : strndup(path, strlen(path) - strlen(".tcl")));
    const char *const again[] = {"sweep", path, "--out", out, "--trust"};
    struct sweep_file file;
    int status = EXIT_SIMOS_FAILED;
    if (sweep_file_read(&file, path, options->run.options.trust, commands, err) && may_use_slurm(options, &file, err)) {
        const struct sweep_batch batch = {.out = out,
                                          .options = options->batch,
                                          .quiet = options->run.options.quiet,
                                          .command = again,
                                          .again_count = sizeof again / sizeof again[0] - !options->run.options.trust,
                                          .origin = path,
                                          .trust = options->run.options.trust,
                                          .slurm = (const char *const *)file.slurm,
                                          .slurm_count = file.slurm_count};
        struct named_files *files = NULL;
        if (sweep_batch_mode(&batch.options) == SWEEP_BATCH_PART || /* it writes no results */
            (files = sweep_jobs_take_results(&file.jobs, commands, path, out, NAMED_RESULTS_JOBS, err)))
            status = sweep_batch_main(&file.jobs, &batch, err);
        named_files_free(files);
    }
    sweep_file_release(&file);
    free(out);
    return status;
}

int sweep_series(struct run_options *run, const char *trace, struct err *err)
{
    struct sweep_study *study = checked_memory(malloc(sizeof *study));
    int status = EXIT_SIMOS_FAILED;
    if (sweep_study_init(study, run->over, run->over_count, run->options.params, err))
        status = trace ? sweep_replay(run, trace, study, err) : sweep_run_once(run, study, err);
    sweep_study_release(study);
    free(study);
    return status;
}

/* The command */

static void init(void *options, const struct command_line *line)
{
    run_options_begin(options, RUN_KIND_SWEEP, line);
}

static bool is_tcl(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tcl") == 0;
}

/* FILE.tcl, or a trace. */
static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct sweep_options *options = line->options;
    const bool command = options->run.options.command;
    if (count > 1)
        return command_line_unexpected(words[1], err);
    if (count == 1 && is_tcl(words[0])) {
        options->jobs_file = words[0];
        return !command || err_set(err, "\"--\": not allowed with %.200s, which defines the jobs", words[0]);
    }
    options->trace = count == 1 ? words[0] : NULL;
    if (options->run.over_count == 0)
        return err_set(err, "`sweep` needs FILE.tcl, or --over SERIES, such as --over cache.l2.size=256K..4M or --over "
                            "figure-4.6");
    return !options->trace || !command ||
           err_set(err, "\"%.128s\": a sweep over a trace takes no command", options->trace);
}

static uint32_t uses(const void *opaque)
{
    const struct sweep_options *options = opaque;
    const uint32_t run = run_based_uses(&options->run) & ~(options->trace ? OPTION_USE(NO_TRACE) : 0);
    return run | sweep_batch_uses(&options->batch) | (options->trace ? OPTION_USE(TRACE) : 0) |
           (options->jobs_file ? OPTION_USE(JOBS) : OPTION_USE(NO_JOBS));
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct sweep_options *options = opaque;
    named_files_add_input(files, "the trace", options->trace);
    named_files_add_input(files, "the sweep", options->jobs_file);
    named_files_add_run(files, owner, &options->run);
}

static int execute(struct command_line *line, struct err *err)
{
    struct sweep_options *options = line->options;
    return options->jobs_file ? sweep_jobs(options, line->commands, err)
                              : sweep_series(&options->run, options->trace, err);
}

const struct command sweep_command = {
    .name = "sweep",
    .usages = {{"sweep --over SERIES [options] [TRACE | -- COMMAND...]", "one run or trace on several caches at once"},
               {"sweep FILE.tcl [options]", "parameter sweep of runs from checkpoints"}},
    .page = "how-to/sweep.md",
    .tables = {{run_option_table, offsetof(struct sweep_options, run), RUN_HAS(SWEEP)},
               {sweep_batch_option_table, offsetof(struct sweep_options, batch), 0}},
    .size = sizeof(struct sweep_options),
    .init = init,
    .release = run_based_release,
    .params = run_based_params,
    .take_command = run_based_take_command,
    .guest_command = true,
    .guest_operands = 1,
    .operands = take_operands,
    .uses = uses,
    .add_files = add_files,
    .main = execute,
};
