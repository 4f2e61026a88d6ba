#include "src/sweep/sweep_record.h"

#include "src/base/json_file.h"
#include "src/base/file_identity.h"
#include "src/base/json_writer.h"
#include "src/base/save_file.h"
#include "src/base/printable.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 400 };

bool sweep_record_path(char path[PATH_MAX], const char *work, const char *name, const char *suffix, struct err *err)
{
    return snprintf(path, PATH_MAX, "%s/%s%s", work, name, suffix) < PATH_MAX ||
           err_set(err, "%.64s...: the path is too long", work);
}

bool sweep_record_remove(char path[PATH_MAX], const char *work, const char *name, const char *suffix, struct err *err)
{
    return sweep_record_path(path, work, name, suffix, err) &&
           (unlink(path) == 0 || errno == ENOENT || err_set(err, "%.256s: %s", path, strerror(errno)));
}

static void digest_of(const char *text, char digest[DIGEST_DIGITS + 1])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    sha256_update(&hash, strlen(text), (const uint8_t *)text);
    digest_take(&hash, digest);
}

/* Read the statistics of NAME, as text (to be freed) and, unless ROOT is NULL, parsed (a new reference). NULL if there
 * are none. */
static char *read_statistics(const char *work, const char *name, json_t **root)
{
    char path[PATH_MAX], *text = NULL;
    if (!sweep_record_path(path, work, name, ".stats.json", NULL))
        return NULL;
    json_t *read = json_file_read(INPUT_JOB, path, &text, NULL);
    if (root)
        *root = read;
    else
        json_decref(read);
    return text;
}

static bool is_text(const json_t *root, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(root, name));
    return value && strcmp(value, text) == 0;
}

/* Fill in RESULT from the record ROOT and the statistics of NAME, and STATISTICS as read_statistics() does. False if
 * they are invalid or do not match. */
static bool take_record(struct sweep_result *result, const json_t *root, const char *work, const char *name,
                        json_t **statistics)
{
    char digest[DIGEST_DIGITS + 1];
    const json_t *status = json_object_get(root, "status");
    const char *message = json_string_value(json_object_get(root, "message"));
    bool finished = is_text(root, "state", sweep_state_name(SWEEP_FINISHED));
    if (!json_is_integer(status) || (!finished && !is_text(root, "state", sweep_state_name(SWEEP_FAILED))))
        return false;
    result->status = (int)json_integer_value(status);
    if (message)
        result->last_line = checked_memory(strdup(message));
    result->state = finished ? SWEEP_FINISHED : SWEEP_FAILED;
    if (!finished)
        return true;
    result->statistics = read_statistics(work, name, statistics);
    if (!result->statistics)
        return false;
    digest_of(result->statistics, digest);
    return is_text(root, "statistics", digest);
}

void sweep_record_read(struct sweep_result *result, const char *work, const char *name, const char *identity,
                       json_t **statistics)
{
    char path[PATH_MAX];
    *result = (struct sweep_result){.state = SWEEP_MISSING};
    if (statistics)
        *statistics = NULL;
    if (!sweep_record_path(path, work, name, ".job.json", NULL))
        return;
    json_t *root = json_file_read(INPUT_JOB, path, NULL, NULL);
    if (!root || !is_text(root, "identity", identity) || !take_record(result, root, work, name, statistics)) {
        sweep_results_release(result, 1);
        if (statistics) {
            json_decref(*statistics);
            *statistics = NULL;
        }
    }
    json_decref(root);
}

struct record {
    const struct sweep_result *result;
    const char *name, *identity;
};

static void put_member(struct json_writer *json, const char *key, const char *text)
{
    json_line(json, 2);
    json_member_text(json, key, text);
}

static void put_record(const void *opaque, FILE *out)
{
    const struct record *record = opaque;
    const struct sweep_result *result = record->result;
    struct json_writer json = json_writer_to(out);
    char digest[DIGEST_DIGITS + 1];
    if (result->statistics)
        digest_of(result->statistics, digest);
    json_begin_object(&json);
    put_member(&json, "job", record->name);
    put_member(&json, "identity", record->identity);
    put_member(&json, "state", sweep_state_name(result->state));
    json_line(&json, 2);
    json_key(&json, "status");
    json_put_integer(&json, result->status);
    put_member(&json, "message", result->last_line);
    put_member(&json, "statistics", result->statistics ? digest : NULL);
    json_line(&json, 0);
    json_end_object(&json);
    putc('\n', out);
}

bool sweep_record_write(const struct sweep_result *result, const char *work, const char *name, const char *identity,
                        struct err *err)
{
    const struct record record = {result, name, identity};
    char path[PATH_MAX];
    return sweep_record_path(path, work, name, ".job.json", err) && save_file("record", path, put_record, &record, err);
}

/* The last non-empty line of NAME.err, in ASCII; the caller frees it. NULL if there is none. */
static char *last_line(const char *work, const char *name)
{
    char path[PATH_MAX], tail[4096];
    FILE *in = sweep_record_path(path, work, name, ".err", NULL) ? input_file_stream(INPUT_JOB, path, NULL) : NULL;
    if (!in)
        return NULL;
    if (fseek(in, -(long)(sizeof tail - 1), SEEK_END) != 0)
        rewind(in);
    size_t end = fread(tail, 1, sizeof tail - 1, in);
    fclose(in);
    while (end > 0 && strchr(" \t\r\n", tail[end - 1]))
        end--;
    tail[end] = '\0';
    size_t start = end;
    while (start > 0 && tail[start - 1] != '\n' && end - start < LINE_MAX_BYTES)
        start--;
    printable_replace(tail + start, '?');
    return tail[start] ? checked_memory(strdup(tail + start)) : NULL;
}

/* Did the simulation end by itself, by the guest or by a limit? After a signal there are statistics, but the run is
 * incomplete. */
static bool is_end(const json_t *statistics, int status)
{
    const json_t *machine = json_object_get(statistics, "machine");
    const json_t *guest = json_object_get(machine, "exit_status");
    return status == EXIT_LIMIT || (json_is_integer(guest) && json_integer_value(guest) == status);
}

/* The reason of a failure: the signal, if any, and the last line of stderr. The caller frees it. */
static char *failure_message(const char *work, const char *name, int signal)
{
    char *line = last_line(work, name), text[LINE_MAX_BYTES + 64];
    if (signal == 0)
        return line ? line : checked_memory(strdup("it printed no message"));
    snprintf(text, sizeof text, "ended by signal %d%s%s", signal, line ? ": " : "", line ? line : "");
    free(line);
    return checked_memory(strdup(text));
}

void sweep_record_evaluate(struct sweep_result *result, const char *work, const char *name, int status, int signal)
{
    json_t *root = NULL;
    *result = (struct sweep_result){.state = SWEEP_FAILED, .status = status};
    result->statistics = signal ? NULL : read_statistics(work, name, &root);
    if (root && is_end(root, status))
        result->state = SWEEP_FINISHED;
    else {
        free(result->statistics);
        result->statistics = NULL;
    }
    json_decref(root);
    if (result->state == SWEEP_FAILED || status == EXIT_LIMIT)
        result->last_line = failure_message(work, name, signal);
}
