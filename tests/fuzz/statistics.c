/*
 * Files of statistics, and results of sweeps: `simos report` with one file, `--compare`, `--services`, `simos check`,
 * what `simos windows` merges, and `simos explain`. An input is the file.
 */
#include "src/check/check.h"
#include "src/explain/explain_output.h"
#include "src/explain/explain.h"
#include "src/report/report.h"
#include "src/report/report_compare.h"
#include "src/report/report_figures.h"
#include "src/report/report_over_time.h"
#include "src/report/report_service_tables.h"
#include "src/sweep/window_merge.h"
#include "tests/fuzz/fuzz.h"

/* What every file is compared with. */
static const char other_text[] =
    "{\"machine\": {\"name\": \"1994\", \"cpus\": 1, \"clock_hz\": 200000000, \"cycles\": 10, \"insns\": 5},\n"
    " \"cpu0\": {\"user\": {\"cycles\": 4, \"insns\": 2}, \"kernel\": {\"cycles\": 6, \"insns\": 3}}}\n";

static struct fuzz_file file, other;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    other = fuzz_file_create();
    fuzz_file_fill(&other, other_text, sizeof other_text - 1);
    return 0;
}

static void report(const char *first, const char *second)
{
    struct result_files report;
    struct err err = {""};
    const char *const paths[] = {first, second};
    bool done = result_files_read(&report, paths, 2, &err);
    fuzz_check(done, &err);
    if (done) {
        report_print(&report, fuzz_sink());
        report_hidden_print(&report, fuzz_sink());
        report_over_time_print(&report, fuzz_sink());
    }
    result_files_release(&report);
}

static void compare(const char *first, const char *second)
{
    struct err err = {""};
    bool differs = false;
    fuzz_check(report_compare(first, second, &differs, fuzz_sink(), &err), &err);
}

static void explain(const char *first, const char *second)
{
    struct err err = {""};
    const char *const paths[] = {first, second};
    json_t *roots[] = {json_file_read(INPUT_STATISTICS, first, NULL, &err), NULL};
    roots[1] = roots[0] ? json_file_read(INPUT_STATISTICS, second, NULL, &err) : NULL;
    struct explanation *explanation = roots[1] ? explanation_create(paths, roots, &err) : NULL;
    fuzz_check(explanation, &err);
    if (explanation) {
        struct json_writer json = json_writer_to(fuzz_sink());
        explanation_print(explanation, fuzz_sink());
        explanation_write_json(explanation, NULL, &json);
    }
    explanation_free(explanation);
    json_decref(roots[0]);
    json_decref(roots[1]);
}

static void services(const char *path)
{
    struct service_tables tables;
    struct err err = {""};
    const char *const paths[] = {path, path};
    bool done = service_tables_read(&tables, paths, 2, &err);
    fuzz_check(done, &err);
    if (done) {
        service_tables_print(&tables, fuzz_sink());
        service_tables_write_json(&tables, fuzz_sink());
    }
    service_tables_release(&tables);
}

static void merge(const char *path)
{
    struct err err = {""};
    const char *const names[] = {"a", "b"};
    json_t *window = json_file_read(INPUT_STATISTICS, path, NULL, &err);
    fuzz_check(window, &err);
    if (!window)
        return;
    json_t *const windows[] = {window, window};
    json_t *merged = window_merge(windows, names, 2, &err);
    json_t *sample = merged ? window_sample(windows, 2, NULL, NULL, 0.95, &err) : NULL;
    fuzz_check(sample, &err);
    if (sample) {
        window_write_json(merged, fuzz_sink());
        window_print_sample(merged, sample, fuzz_sink());
    }
    json_decref(sample);
    json_decref(merged);
    json_decref(window);
}

static void check(const char *path)
{
    struct err err = {""};
    fuzz_check(check_main(&path, 1, fuzz_sink(), &err) != EXIT_SIMOS_FAILED, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    fuzz_file_fill(&file, input, size);
    report(file.path, other.path);
    check(file.path);
    compare(file.path, other.path);
    compare(other.path, file.path);
    explain(file.path, file.path);
    explain(file.path, other.path);
    services(file.path);
    merge(file.path);
    return 0;
}
