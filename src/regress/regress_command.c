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
#include "src/regress/regress_mend.h"
#include "src/regress/regress_report.h"
#include "src/regress/regress_run.h"
#include "src/run/run_options.h"
#include "src/sweep/slurm.h"
#include "src/sweep/sweep_batch.h"
#include "src/sweep/sweep_run.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REGRESS_KERNELS_MAX = 2 };

struct regress_options {
    int file_count;
    const char *const *files;
    unsigned kernel_count; /* one: the kernel under test; two: the old and the new one, without a baseline */
    const char *kernels[REGRESS_KERNELS_MAX];
    bool bless;                                                                /* write the baselines */
    const char *junit_path, *tap_path, *json_path, *html_path, *markdown_path; /* NULL: none */
    const char *out; /* prefix of the work folder; NULL: FILE without .tcl */
    struct sweep_batch_options batch;
    bool trust, quiet;
    const struct commands *commands; /* that have the runs' */
};

enum { EXIT_REGRESSION = 1, EXIT_UNDECIDED = 2, SLURM_TASKS_MAX = 1000, COMPARED_LEAST = 2 };

/* A test of the command. */
struct test {
    const struct regress_options *options;
    struct regress_file file;
    struct regress_run run;
    struct regress_side old, new;
    struct regress_report report;
    char *baseline, *out;
    char work[PATH_MAX];
    int signal;
    char error[sizeof((struct err *)0)->text];
};

/* Does a row have a limit that only a run without perturbation shows? Between two kernels, all rows have one: what
 * they are as linked. */
static bool wants_plain(const struct test *test)
{
    const struct regress_file *file = &test->file;
    if (test->run.random && test->options->kernel_count == REGRESS_KERNELS_MAX)
        return true;
    for (unsigned i = 0; i < file->row_count; i++)
        if (file->rows[i].exact || file->rows[i].has_most)
            return true;
    return false;
}

static unsigned rows_within(const struct regress_file *file)
{
    unsigned count = 0;
    for (unsigned i = 0; i < file->row_count; i++)
        count += file->rows[i].has_within;
    return count;
}

/* Intervals by which the rows are judged on one machine: those with random placements also have that of a median. */
static unsigned count_intervals(const struct test *test)
{
    const struct regress_file *file = &test->file;
    unsigned count = rows_within(file);
    for (unsigned i = 0; i < file->row_count; i++)
        count += file->rows[i].has_within && regress_run_places(&test->run, &file->rows[i]);
    return count;
}

/* The number of repetitions after COUNT: twice as many, at most MOST. */
static unsigned next_count(unsigned count, unsigned most)
{
    return 2 * count < most ? 2 * count : most;
}

/* How often the repetitions are looked at, from FIRST to MOST. */
static unsigned looks_of(unsigned first, unsigned most)
{
    unsigned looks = 1;
    for (unsigned count = first; count < most; count = next_count(count, most))
        looks++;
    return looks;
}

/* A row whose pattern nothing has matched in any run is not written into a baseline. */
static bool check_patterns(const struct test *test, struct err *err)
{
    const struct regress_file *file = &test->file;
    char pattern[REGRESS_PATTERN_TEXT];
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        if (test->new.unmatched[cell])
            return err_set(err, "test %.200s: row \"%.64s\": %s matches nothing on %.64s", file->path, row->name,
                           regress_row_pattern(row, test->new.unmatched[cell], pattern),
                           test->run.machine_name[cell / file->row_count]);
    }
    return true;
}

/* Judge all rows by COUNT repetitions. Returns whether a row is undecided. */
static bool judge(const struct test *test, unsigned count, double level, struct regress_finding *findings)
{
    const struct regress_file *file = &test->file;
    bool undecided = false;
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        findings[cell] = test->new.unmatched[cell]
                             ? regress_missing(row, test->new.unmatched[cell])
                             : regress_judge(row, test->old.value[cell], test->new.value[cell], count, level,
                                             test->old.plain[cell], test->new.plain[cell]);
        if (regress_run_places(&test->run, row))
            regress_judge_median(row, test->old.value[cell], test->new.value[cell], count, level, &findings[cell]);
        if (test->new.like && regress_run_places(&test->run, row) && findings[cell].verdict != REGRESS_MISSING)
            regress_divide(row, test->old.plain[cell], test->new.held[cell], test->new.plain[cell],
                           test->new.value[cell], row->has_within ? count : 0, &findings[cell]);
        undecided = undecided || findings[cell].verdict == REGRESS_UNDECIDED;
    }
    return undecided;
}

/* Measure until every row is decided, or there are no more repetitions. */
static bool measure(struct test *test, struct err *err)
{
    struct regress_file *file = &test->file;
    const bool repeats = rows_within(file) > 0, plain = wants_plain(test), two = test->options->kernel_count == 2;
    const unsigned most = two ? file->most : test->old.repetitions;
    unsigned count = !repeats ? 0 : file->first < most ? file->first : most;
    const double level =
        regress_level(file->confidence, count_intervals(test) * test->run.machines * looks_of(count, most));
    struct regress_finding *findings =
        checked_memory(calloc(test->run.machines * file->row_count + 1, sizeof *findings));
    bool done = !repeats || most >= COMPARED_LEAST ||
                err_set(err, "baseline %.200s: it has fewer than %d repetitions; --bless makes it anew", test->baseline,
                        COMPARED_LEAST);
    while (done) {
        done = (!two || regress_run_measure(&test->run, &test->old, plain, count, &test->signal, err)) &&
               regress_run_measure(&test->run, &test->new, plain, count, &test->signal, err);
        if (!done || !judge(test, count, level, findings) || count == most)
            break;
        count = next_count(count, most);
    }
    test->report =
        (struct regress_report){.run = &test->run, .old = &test->old, .new = &test->new, .has_baseline = !two};
    if (done)
        regress_report_make(&test->report, findings);
    free(findings);
    return done && (test->run.only_read || regress_mend(&test->run, &test->new, &test->report, &test->signal, err));
}

/* --bless */

/* How many rows of BEFORE have other values now; prints each. */
static void print_blessed(const struct test *test, const struct regress_side *before)
{
    const struct regress_file *file = &test->file;
    unsigned changed = 0;
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        const struct regress_side *now = &test->new;
        const double new = regress_mean(now->value[cell], now->repetitions);
        const double old = before ? regress_mean(before->value[cell], before->repetitions) : 0;
        const bool same = before && old == new && before->plain[cell] == now->plain[cell];
        changed += !same;
        if (same)
            continue;
        printf("%s: %s on %s:", PRINTABLE(test->file.path), PRINTABLE(row->name),
               PRINTABLE(test->run.machine_name[cell / file->row_count]));
        if (before && before->repetitions)
            printf(" %.1f,", old);
        if (now->repetitions)
            printf(" now %.1f", new);
        if (before && before->has_plain)
            printf("; without perturbation %llu,", (unsigned long long)before->plain[cell]);
        if (now->has_plain)
            printf("%s now %llu", before && before->has_plain ? "" : "; without perturbation",
                   (unsigned long long)now->plain[cell]);
        putchar('\n');
    }
    printf("%s: %u of %u rows written anew to %s\n", PRINTABLE(test->file.path), changed,
           test->run.machines * file->row_count, PRINTABLE(test->baseline));
}

static bool bless(struct test *test, struct err *err)
{
    struct regress_side before;
    struct err broken = {""};
    const struct regress_file *file = &test->file;
    const bool plain = wants_plain(test), repeats = rows_within(file) > 0;
    /* the first repetitions show whether the patterns match: the others would be in vain */
    if (!regress_run_measure(&test->run, &test->new, plain, repeats ? file->first : 0, &test->signal, err) ||
        !check_patterns(test, err) ||
        !regress_run_measure(&test->run, &test->new, plain, repeats ? file->most : 0, &test->signal, err))
        return false;
    regress_side_begin(&before, &test->run);
    const bool had =
        access(test->baseline, F_OK) == 0 && regress_baseline_read(&before, &test->run, test->baseline, &broken);
    const bool written = regress_baseline_write(&test->new, &test->run, test->baseline, err);
    if (written)
        print_blessed(test, had ? &before : NULL);
    regress_side_release(&before, &test->run);
    return written;
}

/* Slurm */

static bool use_slurm(struct test *test, struct err *err)
{
    const struct regress_options *options = test->options;
    const unsigned tasks = test->file.most + 1 < SLURM_TASKS_MAX ? test->file.most + 1 : SLURM_TASKS_MAX;
    const char *again[10 + 2 * REGRESS_KERNELS_MAX];
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

static bool run_part(struct test *test, struct err *err)
{
    const struct sweep_batch_options *batch = &test->options->batch;
    const bool plain = wants_plain(test);
    return (test->options->kernel_count < 2 ||
            regress_run_part(&test->run, &test->old, plain, batch->part, batch->parts, &test->signal, err)) &&
           regress_run_part(&test->run, &test->new, plain, batch->part, batch->parts, &test->signal, err);
}

/* The command */

/* Names and sides; the baseline is read. */
static bool prepare(struct test *test, const char *path, struct err *err)
{
    const struct regress_options *options = test->options;
    const bool two = options->kernel_count == 2;
    if (!regress_file_read(&test->file, path, options->trust, err))
        return false;
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
        test->file.placing == REGRESS_PLACING_RANDOM || (test->file.placing == REGRESS_PLACING_DEFAULT && two);
    return (!two || regress_side_find_kernel(&test->old, &test->run, options->kernels[0], err)) &&
           regress_side_find_kernel(&test->new, &test->run,
                                    options->kernel_count ? options->kernels[options->kernel_count - 1] : NULL, err) &&
           (!random || regress_run_place(&test->run, two ? &test->old : NULL, &test->new, err));
}

/* Returns whether the test has a report. */
static bool execute(struct test *test, struct err *err)
{
    const struct regress_options *options = test->options;
    switch (sweep_batch_mode(&options->batch)) {
    case SWEEP_BATCH_PART: return run_part(test, err);
    case SWEEP_BATCH_SLURM_WRITE:
    case SWEEP_BATCH_SLURM_SUBMIT: return use_slurm(test, err);
    case SWEEP_BATCH_HERE:
    case SWEEP_BATCH_MERGE: break;
    }
    if (options->bless)
        return bless(test, err);
    if (options->kernel_count < 2 && !regress_baseline_read(&test->old, &test->run, test->baseline, err))
        return false;
    return measure(test, err);
}

static void release(struct test *test)
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

static bool save(const struct regress_options *options, const struct regress_reports *reports, struct err *err)
{
    return (!options->junit_path ||
            save_file("JUnit file", options->junit_path, regress_reports_junit, reports, err)) &&
           (!options->tap_path || save_file("TAP file", options->tap_path, regress_reports_tap, reports, err)) &&
           (!options->json_path || save_file("JSON file", options->json_path, regress_reports_json, reports, err)) &&
           (!options->html_path || save_file("page", options->html_path, regress_reports_html, reports, err)) &&
           (!options->markdown_path ||
            save_file("Markdown file", options->markdown_path, regress_reports_markdown, reports, err));
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

static int run_test(struct test *test, const char *path, struct err *err)
{
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
    return regress_report_status(&test->report);
}

/* Execute the tests, one after the other. Returns the exit status: 0 all rows hold, 1 a row fails, 2 a row is
 * undecided, EXIT_SIMOS_FAILED if a test could not be done (a line for each on stderr, the last one in ERR), 128 + N
 * after signal N. */
static int run_tests(const struct regress_options *options, struct err *err)
{
    struct test *tests = checked_memory(calloc((size_t)options->file_count + 1, sizeof *tests));
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
    if (!save(options, &all, err))
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
}

/* --kernel: up to two, the old and the new one. */
static bool add_kernel(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct regress_options *options = opaque;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (options->kernel_count == REGRESS_KERNELS_MAX)
        return err_set(err, "--%s: at most two, the old one and the new one", option->name);
    options->kernels[options->kernel_count++] = value;
    return true;
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct regress_options *options = line->options;
    options->files = words;
    options->file_count = count;
    if (count == 0)
        return err_set(err, "`test` needs the FILE.tcl that describes the rows to keep");
    if (options->bless && options->kernel_count == REGRESS_KERNELS_MAX)
        return err_set(err, "--bless: not together with two kernels, which need no baseline");
    return (count == 1 || (!options->out && !options->batch.slurm && !options->batch.parts)) ||
           err_set(err, "--out, --part and --slurm take one FILE.tcl");
}

static uint32_t uses(const void *opaque)
{
    const struct regress_options *options = opaque;
    return sweep_batch_uses(&options->batch) | (options->bless ? OPTION_USE(BLESS) : 0);
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct regress_options *options = opaque;
    (void)owner;
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
}

static int execute_line(struct command_line *line, struct err *err)
{
    return run_tests(line->options, err);
}

#define MEMBER(name) .member = offsetof(struct regress_options, name)
#define PART         OPTION_USE(PART)
#define SLURM        OPTION_USE(SLURM)
#define BLESS        OPTION_USE(BLESS)

static const struct option option_table[] = {
    {OPTION_KERNEL, .apply = add_kernel},
    {"bless", NULL, OPTION_GROUP_RESULTS, 0, "write the baseline FILE.baseline anew, and print what changes",
     option_set_flag, .without = PART, MEMBER(bless)},
    {"junit", "FILE.xml", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES, "verdicts as JUnit XML, for a CI server",
     option_set_file, .without = BLESS | PART | SLURM, MEMBER(junit_path)},
    {"tap", "FILE.tap", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES, "verdicts in the Test Anything Protocol",
     option_set_file, .without = BLESS | PART | SLURM, MEMBER(tap_path)},
    {OPTION_JSON, .apply = option_set_file, .without = BLESS | PART | SLURM, MEMBER(json_path)},
    {"markdown", "FILE.md", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "verdicts as Markdown, for a comment on a pull request", option_set_file, .without = BLESS | PART | SLURM,
     MEMBER(markdown_path)},
    {OPTION_HTML, .apply = option_set_file, .without = BLESS | PART | SLURM, MEMBER(html_path)},
    {OPTION_OUT, .apply = option_set_prefix, MEMBER(out)},
    {OPTION_TRUST_FILES, .apply = option_set_flag, MEMBER(trust)},
    {OPTION_QUIET, .apply = option_set_flag, MEMBER(quiet)},
    {.name = NULL},
};

const struct command test_command = {
    .name = "test",
    .usages = {{"test FILE.tcl... [options]",
                "do rows of miss decompositions keep their limits, against a baseline or another kernel"}},
    .page = "how-to/regression-tests.md",
    .tables = {{option_table, 0, 0}, {sweep_batch_option_table, offsetof(struct regress_options, batch), 0}},
    .size = sizeof(struct regress_options),
    .init = init,
    .operands = take_operands,
    .uses = uses,
    .add_files = add_files,
    .main = execute_line,
};
