#include "src/check/check.h"

#include "src/base/error_lines.h"
#include "src/base/json_file.h"
#include "src/base/printable.h"
#include "src/check/check_findings.h"
#include "src/command/command_line.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 512, LINES_MAX = 20 };

/* Write PLACE as "annotations.processes[3].user"; returns the length, at most PLACE_SIZE - 1. */
static size_t place_text(const struct check_place *place, char text[PLACE_SIZE])
{
    size_t used = 0;
    if (!place)
        return 0;
    used = place_text(place->outer, text);
    if (place->name)
        used += (size_t)snprintf(text + used, PLACE_SIZE - used, "%s%.100s", used ? "." : "", place->name);
    else
        used += (size_t)snprintf(text + used, PLACE_SIZE - used, "[%zu]", place->index);
    return used < PLACE_SIZE ? used : PLACE_SIZE - 1;
}

void check_complain(struct check_findings *findings, const struct check_place *place, const char *format, ...)
{
    char where[PLACE_SIZE] = "the file";
    va_list arguments;
    if (findings->broken++ >= LINES_MAX)
        return;
    place_text(place, where);
    printable_replace(where, '?');
    fprintf(findings->out, "%s: %s: ", PRINTABLE(findings->file), where);
    va_start(arguments, format);
    vfprintf(findings->out, format, arguments);
    va_end(arguments);
    putc('\n', findings->out);
}

/* What the JSON file DOCUMENT is, by its members: the name of its schema without version; NULL: none of ours. */
static const char *kind_of(const json_t *document)
{
    const json_t *format = json_object_get(document, "format");
    const char *text = json_string_value(format);
    if (text && strncmp(text, "simos sweep", strlen("simos sweep")) == 0)
        return "sweep";
    if (text && strncmp(text, "simos explanation", strlen("simos explanation")) == 0)
        return "explanation";
    if (format && json_object_get(document, "tests"))
        return "verdicts";
    if (json_object_get(document, "routines") && json_object_get(document, "data"))
        return "profile";
    if (json_object_get(document, "traceEvents"))
        return "timeline";
    if (json_object_get(document, "machine") && json_object_get(document, "parameters"))
        return "statistics";
    return NULL;
}

/* The embedded schema of KIND: a new reference. */
static json_t *schema_of(const char *kind)
{
    struct err err = {""};
    const size_t length = strlen(kind);
    for (const struct check_schema *schema = check_schemas; schema->name; schema++)
        if (strncmp(schema->name, kind, length) == 0 && strcmp(schema->name + length, "-1.schema") == 0) {
            json_t *parsed = json_file_parse("schema", schema->name, schema->text, strlen(schema->text), &err);
            if (!parsed)
                log_bug("%s", err.text);
            return parsed;
        }
    log_bug("no schema of %s", kind);
}

/* The statistics of the jobs of the sweep DOCUMENT. */
static void check_jobs(struct check_findings *findings, const json_t *document)
{
    const json_t *jobs = json_object_get(document, "jobs");
    json_t *schema = schema_of("statistics");
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        const json_t *statistics = json_object_get(json_array_get(jobs, i), "statistics");
        const struct check_place list = {.name = "jobs"}, job = {.outer = &list, .index = i};
        const struct check_place place = {.outer = &job, .name = "statistics"};
        if (!statistics || json_is_null(statistics))
            continue;
        check_shape(findings, statistics, schema, schema, &place);
        check_sums(findings, statistics, json_object_get(schema, "sums"), &place);
    }
    json_decref(schema);
}

static bool check_file(const char *path, bool *broken, FILE *out, struct err *err)
{
    struct check_findings findings = {.file = path, .out = out};
    json_t *document = json_file_read(INPUT_STATISTICS, path, NULL, err);
    if (!document)
        return false;
    const char *kind = kind_of(document);
    if (kind) {
        json_t *schema = schema_of(kind);
        check_shape(&findings, document, schema, schema, NULL);
        check_sums(&findings, document, json_object_get(schema, "sums"), NULL);
        if (strcmp(kind, "sweep") == 0 && findings.broken == 0)
            check_jobs(&findings, document);
        json_decref(schema);
        if (findings.broken > LINES_MAX)
            fprintf(out, "%s: and %zu more\n", PRINTABLE(path), findings.broken - LINES_MAX);
        if (findings.broken == 0)
            fprintf(out, "%s: %s, %zu sums hold\n", PRINTABLE(path), kind, findings.sums);
        *broken |= findings.broken > 0;
    } else
        err_set(err, "%s: JSON, but no file that has a schema", path);
    json_decref(document);
    return kind != NULL;
}

int check_main(const char *const *files, int count, FILE *out, struct err *err)
{
    bool broken = false, failed = false;
    for (int i = 0; i < count; i++) {
        struct err reason = {""};
        if (check_file(files[i], &broken, out, &reason))
            continue;
        if (failed) {
            fflush(out);
            error_lines_print("%s", err->text); /* the caller reports the last one */
        }
        failed = true;
        *err = reason;
    }
    return failed ? EXIT_SIMOS_FAILED : broken ? CHECK_BROKEN : 0;
}

/* The command */

struct check_options {
    int file_count;
    const char *const *files;
};

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct check_options *options = line->options;
    options->file_count = count;
    options->files = words;
    return count > 0 || err_set(err, "`check` needs a JSON file that simos has written");
}

static int execute(struct command_line *line, struct err *err)
{
    const struct check_options *options = line->options;
    return check_main(options->files, options->file_count, stdout, err);
}

const struct command check_command = {
    .name = "check",
    .usages = {{"check FILE.json...", "are JSON files of simos as their schemas say, and do their sums add up"}},
    .page = "reference/schema.md",
    .size = sizeof(struct check_options),
    .operands = take_operands,
    .main = execute,
};
