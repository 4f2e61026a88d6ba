#include "src/results/trend.h"

#include "src/base/json_file.h"
#include "src/base/printable.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char format[] = "simos trend 1";

char *trend_path(const char *folder)
{
    const size_t size = strlen(folder) + sizeof "/trend.jsonl";
    char *path = checked_memory(malloc(size));
    snprintf(path, size, "%s/trend.jsonl", folder);
    return path;
}

/* Lines */

struct reading {
    const char *path;
    unsigned line;
    struct err *err;
};

static bool refuse(const struct reading *reading, const char *why)
{
    return err_set(reading->err, "trend %.200s, line %u: %s", reading->path, reading->line, why);
}

/* A name: 1 to TREND_NAME_MAX bytes that are all printable. NULL: it is none. */
static const char *name_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (!text || !*text || json_string_length(value) != strlen(text) || strlen(text) > TREND_NAME_MAX)
        return NULL;
    for (int length; *text; text += length)
        if ((length = printable_utf8_length(text)) == 0 || printable_is_control(text, length))
            return NULL;
    return json_string_value(value);
}

static bool count_in(const json_t *object, const char *key, uint64_t *count)
{
    const json_t *value = json_object_get(object, key);
    *count = json_is_integer(value) && json_integer_value(value) >= 0 ? (uint64_t)json_integer_value(value) : 0;
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

/* A member that may be missing: *HAS. False if it is there and no count. */
static bool optional_count_in(const json_t *object, const char *key, bool *has, uint64_t *count)
{
    *has = json_object_get(object, key) != NULL;
    return !*has || count_in(object, key, count);
}

static bool read_values(const json_t *array, struct trend_row *row)
{
    const size_t count = json_array_size(array);
    if (!json_is_array(array) || count > TREND_VALUES_MAX)
        return false;
    row->values = checked_memory(calloc(count + 1, sizeof *row->values));
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return false;
        row->values[row->count++] = (uint64_t)json_integer_value(value);
    }
    return true;
}

static bool read_row(const json_t *object, struct trend_row *row)
{
    const json_t *within = json_object_get(object, "within");
    *row = (struct trend_row){.file = name_in(object, "file"),
                              .machine = name_in(object, "machine"),
                              .row = name_in(object, "row"),
                              .unit = name_in(object, "unit"),
                              .identity = name_in(object, "identity"),
                              .verdict = name_in(object, "verdict"),
                              .has_within = within != NULL,
                              .within = json_number_value(within)};
    return row->file && row->machine && row->row && row->unit && row->identity && row->verdict &&
           (!within || (json_is_number(within) && row->within >= 0 && row->within <= 1000)) &&
           count_in(object, "seed", &row->seed) && optional_count_in(object, "at_most", &row->has_most, &row->most) &&
           optional_count_in(object, "plain", &row->has_plain, &row->plain) &&
           read_values(json_object_get(object, "values"), row) && (row->count > 0 || row->has_plain);
}

static bool read_rows(const struct reading *reading, struct trend_commit *commit)
{
    const json_t *rows = json_object_get(commit->document, "rows");
    const size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > TREND_ROWS_MAX)
        return refuse(reading, "it has no rows, or too many");
    commit->rows = checked_memory(calloc(count + 1, sizeof *commit->rows));
    for (size_t i = 0; i < count; i++) {
        char why[64];
        snprintf(why, sizeof why, "row %zu is not one", i + 1);
        commit->row_count++;
        if (!read_row(json_array_get(rows, i), &commit->rows[i]))
            return refuse(reading, why);
    }
    return true;
}

static bool read_commit(const struct reading *reading, struct trend_commit *commit)
{
    struct err reason = {""};
    commit->document = json_file_parse("trend", reading->path, commit->line, strlen(commit->line), &reason);
    if (!commit->document)
        return refuse(reading, "not JSON, or not as it is written here");
    const char *text = json_string_value(json_object_get(commit->document, "format"));
    if (!text || strcmp(text, format) != 0)
        return refuse(reading, "not a line of a trend of simos");
    commit->name = name_in(commit->document, "commit");
    commit->simos = name_in(commit->document, "simos");
    return (commit->name && commit->simos) ? read_rows(reading, commit) : refuse(reading, "it names no commit");
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct trend_commit *const *)a)->name, (*(const struct trend_commit *const *)b)->name);
}

/* No two lines are of one commit. */
static bool check_names(const struct trend *trend, struct err *err)
{
    const struct trend_commit **sorted = checked_memory(calloc(trend->count + 1u, sizeof *sorted));
    bool done = true;
    for (unsigned i = 0; i < trend->count; i++)
        sorted[i] = &trend->commits[i];
    qsort(sorted, trend->count, sizeof *sorted, by_name);
    for (unsigned i = 1; i < trend->count && done; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            done = err_set(err, "trend %.200s: two lines are of the commit %.64s", trend->path, sorted[i]->name);
    free(sorted);
    return done;
}

bool trend_parse(struct trend *trend, const char *path, char *text, struct err *err)
{
    struct reading reading = {.path = path, .err = err};
    *trend = (struct trend){.path = checked_memory(strdup(path))};
    for (char *line; (line = strsep(&text, "\n"));) {
        reading.line++;
        if (!*line && !text)
            break;
        if (trend->count == TREND_COMMITS_MAX)
            return refuse(&reading, "more commits than a trend has");
        if (trend->count == trend->room) {
            trend->room = trend->room ? 2 * trend->room : 64;
            trend->commits = checked_memory(realloc(trend->commits, trend->room * sizeof *trend->commits));
        }
        struct trend_commit *commit = &trend->commits[trend->count++];
        *commit = (struct trend_commit){.line = checked_memory(strdup(line))};
        if (!read_commit(&reading, commit))
            return false;
    }
    return check_names(trend, err);
}

bool trend_read(struct trend *trend, const char *folder, bool may_be_new, struct err *err)
{
    char *path = trend_path(folder), *text;
    bool done;
    *trend = (struct trend){.path = NULL};
    struct stat status; /* a link that leads nowhere is no new file */
    if (may_be_new && lstat(path, &status) != 0 && errno == ENOENT) {
        trend->path = path;
        return true;
    }
    text = input_file_text(INPUT_TREND, path, err);
    done = text && trend_parse(trend, path, text, err);
    free(text);
    free(path);
    return done;
}

void trend_release(struct trend *trend)
{
    for (unsigned i = 0; i < trend->count; i++) {
        for (unsigned row = 0; row < trend->commits[i].row_count; row++)
            free(trend->commits[i].rows[row].values);
        free(trend->commits[i].rows);
        free(trend->commits[i].line);
        json_decref(trend->commits[i].document);
    }
    free(trend->commits);
    free(trend->path);
    *trend = (struct trend){.path = NULL};
}
