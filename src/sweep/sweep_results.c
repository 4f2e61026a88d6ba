#include "src/sweep/sweep_results.h"

#include "src/base/json_file.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/results/result_files.h"
#include "src/base/save_file.h"
#include "src/sweep/sweep_record.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *sweep_state_name(enum sweep_state state)
{
    static const char *const names[] = {
        [SWEEP_MISSING] = "missing", [SWEEP_FINISHED] = "finished", [SWEEP_FAILED] = "failed"};
    return names[state];
}

bool sweep_results_read(const struct sweep_jobs *jobs, const char *work, struct sweep_result *results, struct err *err)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    bool done = true;
    memset(results, 0, jobs->count * sizeof *results);
    for (unsigned i = 0; i < jobs->count && done; i++) {
        struct err reason = {""};
        char *identity = sweep_job_identity(&jobs->jobs[i], inputs, &reason);
        if (identity)
            sweep_record_read(&results[i], work, jobs->jobs[i].name, identity, NULL);
        else
            done = err_set(err, "job %s: %s", jobs->jobs[i].name, reason.text);
        free(identity);
    }
    sweep_inputs_free(inputs);
    return done;
}

void sweep_results_release(struct sweep_result *results, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        free(results[i].reason);
        free(results[i].statistics);
        results[i] = (struct sweep_result){.state = SWEEP_MISSING};
    }
}

/* The file */

/* Write TEXT, a JSON value and a newline, as the value of a member; INDENT: its indentation in spaces. */
static void put_indented(FILE *out, const char *text, int indent)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    for (size_t i = 0; i < length; i++) {
        fputc(text[i], out);
        if (text[i] == '\n')
            fprintf(out, "%*s", indent, "");
    }
}

static void put_options(struct json_writer *json, const struct sweep_job *job)
{
    json_line(json, 6);
    json_member_object(json, "options");
    for (unsigned i = 0; i < job->label_count; i++) {
        json_line(json, 8);
        json_member_text(json, job->labels[i].name, job->labels[i].value);
    }
    if (job->label_count)
        json_line(json, 6);
    json_end_object(json);
}

static void put_job(struct json_writer *json, const struct sweep_job *job, const struct sweep_result *result)
{
    json_line(json, 4);
    json_begin_object(json);
    json_line(json, 6);
    json_member_text(json, "name", job->name);
    put_options(json, job);
    json_line(json, 6);
    json_member_text(json, "state", sweep_state_name(result->state));
    json_line(json, 6);
    json_key(json, "status");
    if (result->state == SWEEP_MISSING)
        json_put_null(json);
    else
        json_put_integer(json, result->status);
    json_line(json, 6);
    json_member_text(json, "message", result->reason);
    json_line(json, 6);
    json_key(json, "statistics");
    put_indented(json_put_raw(json), result->statistics ? result->statistics : "null", 6);
    json_line(json, 4);
    json_end_object(json);
}

void sweep_results_print(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    json_begin_object(&json);
    json_line(&json, 2);
    json_member_text(&json, "format", SWEEP_RESULTS_FORMAT);
    json_line(&json, 2);
    json_member_array(&json, "jobs");
    for (unsigned i = 0; i < jobs->count; i++)
        put_job(&json, &jobs->jobs[i], &results[i]);
    json_line(&json, 2);
    json_end_array(&json);
    json_line(&json, 0);
    json_end_object(&json);
    putc('\n', out);
}

struct saving {
    const struct sweep_jobs *jobs;
    const struct sweep_result *results;
};

static void put_results(const void *opaque, FILE *out)
{
    const struct saving *saving = opaque;
    sweep_results_print(saving->jobs, saving->results, out);
}

bool sweep_results_save(const struct sweep_jobs *jobs, const struct sweep_result *results, const char *path,
                        struct err *err)
{
    const struct saving saving = {jobs, results};
    return save_file("results", path, put_results, &saving, err);
}

/* The table */

static void put_figures(FILE *out, const struct sweep_job *job, const struct sweep_result *result,
                        struct results *column)
{
    json_t *root = json_file_parse("job", job->name, result->statistics, strlen(result->statistics), NULL);
    bool known = root && results_read(column, job->name, root, NULL);
    json_decref(root);
    if (root)
        results_release(column);
    if (!known) {
        fprintf(out, " %6d no accounts\n", result->status);
        return;
    }
    fprintf(out, " %6d %12.6f %15" PRIu64 " %15" PRIu64 " %8.4f %8.4f %8.4f %6.2f %%\n", result->status,
            results_seconds(column), results_sum(column, "insns", MODES_BUSY),
            results_sum(column, "cycles", MODES_BUSY), results_figure(column, FORMULA_CPI, MODES_BUSY),
            results_figure(column, FORMULA_I_MCPI, MODES_BUSY), results_figure(column, FORMULA_D_MCPI, MODES_BUSY),
            results_figure(column, FORMULA_SHARE, MODES_IDLE));
}

void sweep_results_table(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out)
{
    struct results *column = checked_memory(malloc(sizeof *column));
    int width = 4;
    for (unsigned i = 0; i < jobs->count; i++)
        if ((int)strlen(jobs->jobs[i].name) > width)
            width = (int)strlen(jobs->jobs[i].name);
    fprintf(out, "%-*s %6s %12s %15s %15s %8s %8s %8s %8s\n", width, "job", "status", "seconds", "instructions",
            "cycles", "CPI", "i-MCPI", "d-MCPI", "idle");
    for (unsigned i = 0; i < jobs->count; i++) {
        fprintf(out, "%-*s", width, PRINTABLE(jobs->jobs[i].name));
        if (results[i].state == SWEEP_FINISHED)
            put_figures(out, &jobs->jobs[i], &results[i], column);
        else
            fprintf(out, " %s%s%s\n", sweep_state_name(results[i].state), results[i].reason ? ": " : "",
                    results[i].reason ? results[i].reason : "");
    }
    free(column);
}
