/*
 * `simos test FILE.tcl...`: measures the rows of test files, and judges them against their baselines, or one kernel
 * against another (docs/how-to/regression-tests.md).
 */
#include "src/base/error_lines.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/command/option_values.h"
#include "src/command/shared_options.h"
#include "src/host/named_files.h"
#include "src/regress/regress_baseline.h"
#include "src/regress/regress_lines.h"
#include "src/regress/regress_run.h"
#include "src/regress/regress_test.h"
#include "src/regress/regress_trend.h"
#include "src/run/run_options.h"
#include "src/sweep/slurm.h"
#include "src/sweep/sweep_run.h"
#include <stdlib.h>
#include <string.h>

enum { EXIT_REGRESSION = 1, EXIT_UNDECIDED = 2, SLURM_TASKS_MAX = 1000 };

/* Slurm */

static bool use_slurm(struct regress_test *test, struct err *err)
{
    const struct regress_options *options = test->options;
    const unsigned tasks = test->file.most + 1 < SLURM_TASKS_MAX ? test->file.most + 1 : SLURM_TASKS_MAX;
    const char *again[10 + 4 * REGRESS_SIDES];
    unsigned count = 0;
    again[count++] = "test";
    again[count++] = test->file.path;
    again[count++] = "--out";
    again[count++] = test->out;
    if (options->trust)
        again[count++] = "--trust";
    if (options->bless)
        again[count++] = "--bless";
    for (unsigned i = 0; i < options->kernel_count; i++) {
        again[count++] = "--kernel";
        again[count++] = options->kernels[i];
    }
    for (unsigned i = 0; i < options->program_count; i++) {
        again[count++] = "--program";
        again[count++] = options->programs[i];
    }
    struct slurm_array array = {.out = test->out,
                                .work = test->work,
                                .tasks = tasks,
                                .wanted_count = tasks,
                                .wanted = checked_memory(calloc(tasks, sizeof *array.wanted)),
                                .again = again,
                                .again_count = count};
    for (unsigned i = 0; i < tasks; i++)
        array.wanted[i] = true;
    const bool done = sweep_run_make_folder(test->work, err) && slurm_write(&array, err) &&
                      (sweep_batch_mode(&options->batch) == SWEEP_BATCH_SLURM_WRITE || slurm_submit(&array, err));
    free(array.wanted);
    return done;
}

static bool run_part(struct regress_test *test, struct err *err)
{
    const struct sweep_batch_options *batch = &test->options->batch;
    const bool plain = regress_wants_plain(test);
    return (!regress_has_two_sides(test->options) ||
            regress_run_part(&test->run, &test->old, plain, batch->part, batch->parts, &test->signal, err)) &&
           regress_run_part(&test->run, &test->new, plain, batch->part, batch->parts, &test->signal, err);
}

/* The command */

/* The numbers of repetitions that the command line has other ones of. */
static void set_repetitions(struct regress_file *file, const struct regress_options *options)
{
    if (options->floor && options->floor_count)
        file->most = (unsigned)options->floor_count;
    if (options->decide)
        file->most = (unsigned)options->decide_most;
    file->first = file->first < file->most ? file->first : file->most;
}

/* One of the COUNT kernels or programs GIVEN: that of the old side, or of the new one; NULL: none is given. */
static const char *given_for(unsigned count, const char *const *given, bool new)
{
    return count == 0 ? NULL : given[new ? count - 1 : 0];
}

/* The kernel and the program of SIDE, which is the old or the new one. */
static bool find_side(struct regress_side *side, const struct regress_test *test, bool new, struct err *err)
{
    const struct regress_options *options = test->options;
    return regress_side_find_kernel(side, &test->run, given_for(options->kernel_count, options->kernels, new), err) &&
           regress_side_find_program(side, &test->run, given_for(options->program_count, options->programs, new), err);
}

/* Names and sides; the baseline is read. */
static bool prepare(struct regress_test *test, const char *path, struct err *err)
{
    const struct regress_options *options = test->options;
    const bool two = regress_has_two_sides(options), two_kernels = options->kernel_count == REGRESS_SIDES;
    if (!regress_file_read(&test->file, path, options->trust, err))
        return false;
    set_repetitions(&test->file, options);
    test->baseline = regress_baseline_path(path);
    test->out = checked_memory(options->out ? strdup(options->out) : strndup(path, (size_t)regress_stem_length(path)));
    if (snprintf(test->work, sizeof test->work, "%s.work", test->out) >= (int)sizeof test->work)
        return err_set(err, "--out: the name is too long");
    test->run = (struct regress_run){.file = &test->file,
                                     .work = test->work,
                                     .processes = options->batch.processes,
                                     .trust = options->trust,
                                     .quiet = options->quiet,
                                     .kernel_given = options->kernel_count > 0,
                                     .only_read = sweep_batch_mode(&options->batch) == SWEEP_BATCH_MERGE,
                                     .commands = options->commands};
    if (!regress_run_begin(&test->run, err))
        return false;
    regress_side_begin(&test->old, &test->run);
    regress_side_begin(&test->new, &test->run);
    const bool random =
        test->file.placing == REGRESS_PLACING_RANDOM || (test->file.placing == REGRESS_PLACING_DEFAULT && two_kernels);
    return (!two || find_side(&test->old, test, false, err)) && find_side(&test->new, test, true, err) &&
           (!random || regress_run_place(&test->run, two ? &test->old : NULL, &test->new, err));
}

/* Returns whether the test has a report. */
static bool execute(struct regress_test *test, struct err *err)
{
    const struct regress_options *options = test->options;
    switch (sweep_batch_mode(&options->batch)) {
    case SWEEP_BATCH_PART: return run_part(test, err);
    case SWEEP_BATCH_SLURM_WRITE:
    case SWEEP_BATCH_SLURM_SUBMIT: return use_slurm(test, err);
    case SWEEP_BATCH_HERE:
    case SWEEP_BATCH_MERGE: break;
    }
    if (options->floor)
        return regress_print_floor(test, err);
    if (options->bless)
        return regress_bless(test, err);
    if (!regress_has_two_sides(options) && !regress_baseline_read(&test->old, &test->run, test->baseline, err))
        return false;
    return regress_measure(test, err);
}

static void release(struct regress_test *test)
{
    regress_report_release(&test->report);
    regress_side_release(&test->old, &test->run);
    regress_side_release(&test->new, &test->run);
    regress_run_end(&test->run);
    regress_file_release(&test->file);
    free(test->baseline);
    free(test->out);
}

/* Outputs */

static bool save(const struct regress_options *options, const struct regress_reports *reports,
                 const struct trend *trend, struct err *err)
{
    return (!options->junit_path ||
            save_file("JUnit file", options->junit_path, regress_reports_junit, reports, err)) &&
           (!options->tap_path || save_file("TAP file", options->tap_path, regress_reports_tap, reports, err)) &&
           (!options->json_path || save_file("JSON file", options->json_path, regress_reports_json, reports, err)) &&
           (!options->html_path || save_file("page", options->html_path, regress_reports_html, reports, err)) &&
           (!options->markdown_path ||
            save_file("Markdown file", options->markdown_path, regress_reports_markdown, reports, err)) &&
           (!options->dashboard_path ||
            save_file("dashboard file", options->dashboard_path, regress_reports_dashboard, reports, err)) &&
           (!options->trend_folder || regress_trend_save(trend, options->trend_folder, options->commit, reports, err));
}

/* The worse of two statuses: EXIT_SIMOS_FAILED and signals, then a regression, then what is undecided. */
static int worse(int a, int b)
{
    if (a >= EXIT_SIMOS_FAILED || b >= EXIT_SIMOS_FAILED)
        return a > b ? a : b;
    if (a == EXIT_REGRESSION || b == EXIT_REGRESSION)
        return EXIT_REGRESSION;
    return a > b ? a : b;
}

static int run_test(struct regress_test *test, const char *path, struct err *err)
{
    char summary[REGRESS_SUMMARY];
    test->run.file = &test->file; /* the report of an error names it */
    test->report.run = &test->run;
    if (!prepare(test, path, err) || !execute(test, err)) {
        snprintf(test->error, sizeof test->error, "%s", err->text);
        test->report.error = test->error;
        return test->signal ? error_lines_status_of_signal(test->signal) : EXIT_SIMOS_FAILED;
    }
    if (test->report.count == 0)
        return 0;
    regress_report_text(&test->report, stdout);
    regress_report_missing(&test->report, err);
    const int status = regress_report_status(&test->report);
    if (!test->options->decide || status != EXIT_UNDECIDED)
        return status;
    regress_put_summary(&test->report, &test->report.results[0], summary);
    err_set(err, "test %.200s: --decide: %s", path, summary);
    return EXIT_SIMOS_FAILED;
}

/* Execute the tests, one after the other. Returns the exit status: 0 all rows hold, 1 a row fails, 2 a row is
 * undecided, EXIT_SIMOS_FAILED if a test could not be done (a line for each on stderr, the last one in ERR), 128 + N
 * after signal N. */
static int run_tests(const struct regress_options *options, const struct trend *trend, struct err *err)
{
    struct regress_test *tests = checked_memory(calloc((size_t)options->file_count + 1, sizeof *tests));
    const struct regress_report **reports = checked_memory(calloc((size_t)options->file_count + 1, sizeof *reports));
    struct regress_reports all = {0, reports};
    struct err last = {""};
    int status = 0;
    for (int i = 0; i < options->file_count && status < 128; i++) {
        if (last.text[0])
            error_lines_print("%s", PRINTABLE(last.text));
        last.text[0] = 0;
        tests[i].options = options;
        status = worse(status, run_test(&tests[i], options->files[i], &last));
        reports[all.count++] = &tests[i].report;
    }
    if (last.text[0])
        err_set(err, "%s", last.text);
    if (!save(options, &all, trend, err))
        status = worse(status, EXIT_SIMOS_FAILED);
    for (unsigned i = 0; i < all.count; i++)
        release(&tests[i]);
    free(tests);
    free(reports);
    return status;
}

static void init(void *opaque, const struct command_line *line)
{
    struct regress_options *options = opaque;
    options->commands = line->commands;
    options->decide_most = REGRESS_REPETITIONS_MAX;
}

/* --kernel and --program: up to two, the old and the new one. */
static bool add_side(unsigned *count, const char **paths, const struct option *option, const char *value,
                     struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (*count == REGRESS_SIDES)
        return err_set(err, "--%s: at most two, the old one and the new one", option->name);
    paths[(*count)++] = value;
    return true;
}

static bool add_kernel(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    return add_side(&options->kernel_count, options->kernels, option, value, err);
}

static bool add_program(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    return add_side(&options->program_count, options->programs, option, value, err);
}

/* --floor[=N] */
static bool set_floor(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    (void)option;
    options->floor = true;
    return !value || option_parse_count("--floor", value, REGRESS_COMPARED_LEAST, REGRESS_REPETITIONS_MAX,
                                        &options->floor_count, err);
}

/* --decide[=N] */
static bool set_decide(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    (void)option;
    options->decide = true;
    return !value || option_parse_count("--decide", value, REGRESS_COMPARED_LEAST, REGRESS_REPETITIONS_MAX,
                                        &options->decide_most, err);
}

static bool set_commit(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    options->commit = value;
    return regress_trend_is_commit(value) ||
           err_set(err, "--%s: a name has 1 to %d printable bytes", option->name, TREND_NAME_MAX);
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct regress_options *options = line->options;
    options->files = words;
    options->file_count = count;
    if (count == 0)
        return err_set(err, "`test` needs the FILE.tcl that describes the rows to keep");
    if (options->bless && regress_has_two_sides(options))
        return err_set(err, "--bless: not together with two %s, which need no baseline",
                       options->kernel_count == REGRESS_SIDES ? "kernels" : "programs");
    if (options->trend_folder && !options->commit)
        return err_set(err, "--trend: whose line is it? --commit NAME");
    if (options->commit && !options->trend_folder)
        return err_set(err, "--commit: requires --trend");
    return (count == 1 || (!options->out && !options->batch.slurm && !options->batch.parts)) ||
           err_set(err, "--out, --part and --slurm take one FILE.tcl");
}

static uint32_t uses(const void *opaque)
{
    const struct regress_options *options = opaque;
    return sweep_batch_uses(&options->batch) | (options->bless ? OPTION_USE(BLESS) : 0) |
           (options->floor ? OPTION_USE(FLOOR) : 0);
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct regress_options *options = opaque;
    (void)owner;
    for (unsigned i = 0; i < options->program_count; i++)
        named_files_add_input(files, "--program", options->programs[i]);
    for (int i = 0; i < options->file_count; i++) {
        char *baseline = regress_baseline_path(options->files[i]);
        named_files_add_input(files, "the test", options->files[i]);
        if (options->bless)
            named_files_add_output(files, "the baseline", "baseline", baseline);
        else
            named_files_add_input(files, "the baseline", baseline);
        free(baseline);
    }
    named_files_add_output(files, "--junit", "JUnit file", options->junit_path);
    named_files_add_output(files, "--tap", "TAP file", options->tap_path);
    named_files_add_output(files, "--json", "JSON file", options->json_path);
    named_files_add_output(files, "--html", "page", options->html_path);
    named_files_add_output(files, "--markdown", "Markdown file", options->markdown_path);
    named_files_add_output(files, "--dashboard", "dashboard file", options->dashboard_path);
    if (options->trend_folder) {
        char *path = trend_path(options->trend_folder);
        named_files_add_output(files, "--trend", NULL, path);
        free(path);
    }
}

static int execute_line(struct command_line *line, struct err *err)
{
    const struct regress_options *options = line->options;
    struct trend trend = {0};
    int status = EXIT_SIMOS_FAILED;
    /* before anything is run for it */
    if (!options->trend_folder || trend_read(&trend, options->trend_folder, true, err))
        status = run_tests(options, &trend, err);
    trend_release(&trend);
    return status;
}

#define MEMBER(name) .member = offsetof(struct regress_options, name)
#define PART         OPTION_USE(PART)
#define SLURM        OPTION_USE(SLURM)
#define BLESS        OPTION_USE(BLESS)
#define FLOOR        OPTION_USE(FLOOR)
#define NO_VERDICT   (BLESS | PART | SLURM | FLOOR)

static const struct option option_table[] = {
    {OPTION_KERNEL, .apply = add_kernel},
    {"program", "FILE", OPTION_GROUP_GUEST, OPTION_READS,
     "the program of the test, in place of its own; twice: the old one and the new one", add_program, .without = 0},
    {"bless", NULL, OPTION_GROUP_RESULTS, 0, "write the baseline FILE.baseline anew, and print what changes",
     option_set_flag, .without = PART | FLOOR, MEMBER(bless)},
    {"floor", "[N]", OPTION_GROUP_RESULTS, 0,
     "instead of verdicts, the smallest change of each row that N repetitions can tell", set_floor,
     .without = PART | SLURM},
    {"decide", "[N]", OPTION_GROUP_RESULTS, 0,
     "repeat until a row fails or all are decided, at most N times (1000); status 125 if one is not", set_decide,
     .without = NO_VERDICT | OPTION_USE(MERGE)},
    {"junit", "FILE.xml", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES, "verdicts as JUnit XML, for a CI server",
     option_set_file, .without = NO_VERDICT, MEMBER(junit_path)},
    {"tap", "FILE.tap", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES, "verdicts in the Test Anything Protocol",
     option_set_file, .without = NO_VERDICT, MEMBER(tap_path)},
    {OPTION_JSON, .apply = option_set_file, .without = NO_VERDICT, MEMBER(json_path)},
    {"markdown", "FILE.md", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "verdicts as Markdown, for a comment on a pull request", option_set_file, .without = NO_VERDICT,
     MEMBER(markdown_path)},
    {"dashboard", "FILE.json", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "values for a dashboard over commits (github-action-benchmark, customSmallerIsBetter)", option_set_file,
     .without = NO_VERDICT, MEMBER(dashboard_path)},
    {OPTION_TREND, .apply = option_set_folder, .without = NO_VERDICT, MEMBER(trend_folder)},
    {"commit", "NAME", OPTION_GROUP_RESULTS, 0, "whose line --trend writes", set_commit, .without = NO_VERDICT},
    {OPTION_HTML, .apply = option_set_file, .without = NO_VERDICT, MEMBER(html_path)},
    {OPTION_OUT, .apply = option_set_prefix, MEMBER(out)},
    {OPTION_TRUST_FILES, .apply = option_set_flag, MEMBER(trust)},
    {OPTION_QUIET, .apply = option_set_flag, MEMBER(quiet)},
    {.name = NULL},
};

const struct command test_command = {
    .name = "test",
    .usages = {{"test FILE.tcl... [options]",
                "do rows of miss decompositions keep their limits, against a baseline or another kernel or program"}},
    .page = "how-to/regression-tests.md",
    .tables = {{option_table, 0, 0}, {sweep_batch_option_table, offsetof(struct regress_options, batch), 0}},
    .size = sizeof(struct regress_options),
    .init = init,
    .operands = take_operands,
    .uses = uses,
    .add_files = add_files,
    .main = execute_line,
};
