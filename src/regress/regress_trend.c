#include "src/regress/regress_trend.h"

#include "src/base/digest.h"
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/base/save_file.h"
#include "src/base/version.h"
#include "src/regress/regress_lines.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { IDENTITY_DIGITS = 16 };

struct writing {
    const struct trend *trend;
    const char *commit;
    const struct regress_reports *reports;
};

bool regress_trend_is_commit(const char *commit)
{
    if (!*commit || strlen(commit) > TREND_NAME_MAX)
        return false;
    for (int length; *commit; commit += length)
        if ((length = printable_utf8_length(commit)) == 0 || printable_is_control(commit, length))
            return false;
    return true;
}

/* What values must have in common to be compared: workload, machine, and what the row counts. */
static void identify(const struct regress_report *report, const struct regress_result *result,
                     char text[DIGEST_DIGITS + 1])
{
    struct sha256_ctx hash;
    char *definition = regress_run_define(report->run, regress_row_of(report, result));
    sha256_init(&hash);
    digest_add_text(&hash, report->run->workload_digest);
    digest_add_text(&hash, report->run->machine_digest[result->machine]);
    digest_add_text(&hash, definition);
    digest_take(&hash, text);
    text[IDENTITY_DIGITS] = 0;
    free(definition);
}

/* TEXT as a name of the trend, which holds what is printable only. */
static void put_name(struct json_writer *json, const char *key, const char *text)
{
    char *copy = checked_memory(strndup(text, TREND_NAME_MAX));
    printable_replace(copy, '?');
    json_member_text(json, key, *copy ? copy : "?");
    free(copy);
}

static void put_row(const struct regress_report *report, const struct regress_result *result, struct json_writer *json)
{
    const struct regress_row *row = regress_row_of(report, result);
    const unsigned cell = result->machine * report->run->file->row_count + result->row;
    char identity[DIGEST_DIGITS + 1];
    identify(report, result, identity);
    json_begin_object(json);
    put_name(json, "file", report->run->file->path);
    put_name(json, "machine", regress_machine_of(report, result));
    put_name(json, "row", row->name);
    json_member_text(json, "unit", regress_figure_unit(row->figure));
    json_member_text(json, "identity", identity);
    json_member_text(json, "verdict", regress_verdict_of(result));
    if (row->has_within) {
        json_key(json, "within");
        json_put_double(json, row->within);
    }
    if (row->has_most)
        json_member_count(json, "at_most", row->most);
    json_member_count(json, "seed", report->run->file->seed);
    if (report->new->has_plain)
        json_member_count(json, "plain", report->new->plain[cell]);
    json_member_array(json, "values");
    for (unsigned i = 0; row->has_within && i < report->new->repetitions; i++)
        json_put_count(json, report->new->value[cell][i]);
    json_end_array(json);
    json_end_object(json);
}

static bool has_values(const struct regress_result *result)
{
    return result->finding.verdict != REGRESS_MISSING;
}

static void put_line(const struct writing *writing, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    const struct version *version = version_of_program();
    char simos[TREND_NAME_MAX];
    snprintf(simos, sizeof simos, "%s %s", version->number, version->commit);
    json_begin_object(&json);
    json_member_text(&json, "format", "simos trend 1");
    json_member_text(&json, "commit", writing->commit);
    put_name(&json, "simos", simos);
    json_member_array(&json, "rows");
    for (unsigned i = 0; i < writing->reports->count; i++) {
        const struct regress_report *report = writing->reports->reports[i];
        const unsigned rows = report->run->file->row_count;
        for (unsigned cell = 0; cell < report->count; cell++) /* in the order of machines and rows */
            for (unsigned at = 0; at < report->count; at++)
                if (report->results[at].machine * rows + report->results[at].row == cell &&
                    has_values(&report->results[at]))
                    put_row(report, &report->results[at], &json);
    }
    json_end_array(&json);
    json_end_object(&json);
    putc('\n', out);
}

static void put_trend(const void *opaque, FILE *out)
{
    const struct writing *writing = opaque;
    bool is_there = false;
    for (unsigned i = 0; i < writing->trend->count; i++) {
        const struct trend_commit *commit = &writing->trend->commits[i];
        if (strcmp(commit->name, writing->commit) == 0) {
            put_line(writing, out);
            is_there = true;
        } else {
            fprintf(out, "%s\n", commit->line);
        }
    }
    if (!is_there)
        put_line(writing, out);
}

bool regress_trend_save(const struct trend *trend, const char *folder, const char *commit,
                        const struct regress_reports *reports, struct err *err)
{
    const struct writing writing = {trend, commit, reports};
    bool measured = false;
    for (unsigned i = 0; i < reports->count; i++)
        for (unsigned at = 0; at < reports->reports[i]->count; at++)
            measured = measured || has_values(&reports->reports[i]->results[at]);
    if (!measured)
        return true;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return err_set(err, "--trend %.200s: %s", folder, strerror(errno));
    return save_file("trend", trend->path, put_trend, &writing, err);
}
