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

enum { LINE_MAX_BYTES = 400 }; /* of simos's error in a record */

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
        result->reason = checked_memory(strdup(message));
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
    put_member(&json, "message", result->reason);
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

/* Copy the text of the last line of SAID that begins with KIND ("error "), and return TEXT; NULL if there is none. */
static const char *last_of(const char *said, const char *kind, char text[LINE_MAX_BYTES])
{
    const char *last = NULL;
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, kind, strlen(kind)) == 0)
            last = line + strlen(kind);
    if (!last)
        return NULL;
    snprintf(text, LINE_MAX_BYTES, "%.*s", (int)strcspn(last, "\n"), last);
    printable_replace(text, '?');
    return text;
}

/* Did the simulation end by itself, by the guest or by a limit? After a signal there are statistics, but the run is
 * incomplete. */
static bool is_end(const json_t *statistics, int status)
{
    const json_t *machine = json_object_get(statistics, "machine");
    const json_t *guest = json_object_get(machine, "exit_status");
    return status == EXIT_LIMIT || (json_is_integer(guest) && json_integer_value(guest) == status);
}

/* Why a job ended: by SIGNAL, or one that it caught, and what simos SAID last; NULL if neither. The caller frees it. */
static char *reason_of(int signal, const char *said)
{
    char number[LINE_MAX_BYTES], text[LINE_MAX_BYTES], line[LINE_MAX_BYTES + 64], ended[64] = "";
    const char *bug = last_of(said, "bug ", text), *why = bug ? bug : last_of(said, "error ", text);
    if (signal == 0 && last_of(said, "signal ", number))
        signal = atoi(number);
    if (signal == 0 && !why)
        return NULL;
    if (signal)
        snprintf(ended, sizeof ended, "ended by signal %d%s", signal, why ? ": " : "");
    snprintf(line, sizeof line, "%s%s%s", ended, bug ? "bug: " : "", why ? why : "");
    return checked_memory(strdup(line));
}

void sweep_record_evaluate(struct sweep_result *result, const char *work, const char *name, int status, int signal,
                           const char *said)
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
        result->reason = reason_of(signal, said);
    if (result->state == SWEEP_FAILED && !result->reason)
        result->reason = checked_memory(strdup("simos printed no error"));
}
