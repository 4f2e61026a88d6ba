#include "src/sweep/sweep_command.h"

#include "cache/observe/trace.h"
#include "src/run/run.h"
#include "src/sweep/sweep_batch.h"
#include "src/sweep/sweep_file.h"
#include "src/sweep/sweep_report.h"
#include "src/trace/trace_command.h"
#include <stdlib.h>
#include <string.h>

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

/* Sweep over the trace of OPTIONS. The trace header (number of CPUs, instruction line size) and cpu.clock describe the
 * machine. */
static bool sweep_trace(const struct sweep_options *options, struct sweep_study *study, struct err *err)
{
    struct trace_info info;
    struct trace_filter filter;
    if (!trace_filter_from_params(&filter, options->run->options.params, err))
        return false;
    struct trace_reader *reader = trace_reader_open(options->trace, &info, err);
    if (!reader)
        return false;
    const struct params *params = options->run->options.params;
    const struct sweep_source source = {
        .cpus = info.cpus, .clock_hz = params_u64(params, "cpu.clock"), .insn_line = info.fetch_line, .data_line = 1};
    bool done = info.level == 1 ||
                err_set(err, "trace %s: level %u; a sweep needs a trace of level 1, the references of the CPUs",
                        options->trace, info.level);
    done = done && sweep_study_build(study, params, &source, err) && replay(reader, info.is_din, &filter, study, err);
    snprintf(study->counted, sizeof study->counted, "trace %.300s", options->trace);
    trace_reader_close(reader);
    return done;
}

static int sweep_replay(const struct sweep_options *options, struct sweep_study *study, struct err *err)
{
    if (!sweep_trace(options, study, err))
        return EXIT_SIMOS_FAILED;
    sweep_report_tables(study, stdout);
    return !options->run->out || sweep_report_save(study, options->run->out, err) ? 0 : EXIT_SIMOS_FAILED;
}

static int sweep_run(const struct sweep_options *options, struct sweep_study *study, struct err *err)
{
    int status = run_with_sweeps(options->run, study, err);
    if (!study->complete)
        return status;
    /* Saved first: the run has ended, and a signal while stderr is not read ends the process at once */
    const bool saved = !options->run->out || sweep_report_save(study, options->run->out, err);
    sweep_report_tables(study, stderr);
    return saved ? status : EXIT_SIMOS_FAILED;
}

/* The slurm options of a file can make sbatch write host files, so they require --trust. */
static bool may_use_slurm(const struct sweep_options *options, const struct sweep_file *file, struct err *err)
{
    return (options->batch.mode != SWEEP_BATCH_SLURM_WRITE && options->batch.mode != SWEEP_BATCH_SLURM_SUBMIT) ||
           file->slurm_count == 0 || options->run->options.trust ||
           err_set(err, "sweep %.200s: its slurm %.200s is passed to this host's sbatch: use --trust to allow it",
                   options->jobs_file, file->slurm[0]);
}

/* Execute the parameter sweep of FILE.tcl. */
static int sweep_jobs(const struct sweep_options *options, struct err *err)
{
    const char *path = options->jobs_file;
    char *out =
        checked_memory(options->run->out ? strdup(options->run->out) : strndup(path, strlen(path) - strlen(".tcl")));
    const char *const again[] = {"sweep", path, "--out", out, "--trust"};
    struct sweep_file file;
    int status = EXIT_SIMOS_FAILED;
    if (sweep_file_read(&file, path, options->run->options.trust, options->parse, err) &&
        may_use_slurm(options, &file, err)) {
        const struct sweep_batch batch = {.out = out,
                                          .options = options->batch,
                                          .quiet = options->run->options.quiet,
                                          .command = again,
                                          .again_count = sizeof again / sizeof again[0] - !options->run->options.trust,
                                          .origin = path,
                                          .trust = options->run->options.trust,
                                          .slurm = (const char *const *)file.slurm,
                                          .slurm_count = file.slurm_count};
        struct named_files *files = NULL;
        if (batch.options.mode == SWEEP_BATCH_PART || /* it writes no results */
            (files = sweep_jobs_take_results(&file.jobs, options->parse, path, out, NAMED_RESULTS_JOBS, err)))
            status = sweep_batch_main(&file.jobs, &batch, err);
        named_files_free(files);
    }
    sweep_file_release(&file);
    free(out);
    return status;
}

int sweep_main(const struct sweep_options *options, struct err *err)
{
    if (options->jobs_file)
        return sweep_jobs(options, err);
    struct sweep_study *study = checked_memory(malloc(sizeof *study));
    int status = EXIT_SIMOS_FAILED;
    if (sweep_study_init(study, options->run->over, options->run->over_count, options->run->options.params, err))
        status = (options->trace ? sweep_replay : sweep_run)(options, study, err);
    sweep_study_release(study);
    free(study);
    return status;
}
