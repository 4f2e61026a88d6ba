#include "src/run/series.h"

#include "src/machine/machine_saved.h"
#include "src/run/series_needs.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct series {
    const struct series_plan *plan;
    bool made_folder, begun, waiting; /* waiting: the start event has not occurred yet */
    uint64_t next;                    /* instruction count since power-on at which the next checkpoint is due */
    uint32_t count;                   /* checkpoints written */
    struct file_identity *files;      /* their identities (size and digest) */
};

/* The plan */

static bool parse_every(struct series_plan *plan, const char *text, const char **rest, struct err *err)
{
    char *end;
    errno = 0;
    plan->interval = strtoull(text, &end, 10);
    *rest = end;
    return (isdigit((unsigned char)*text) && errno == 0 && plan->interval > 0 && (*end == 0 || *end == ',')) ||
           err_set(err, "every=%.64s is not a number of instructions from 1 up", text);
}

bool series_plan_parse(struct series_plan *plan, const char *text, struct err *err)
{
    static const char every[] = ",every=", from[] = ",from=";
    const char *at = strstr(text, every), *rest;
    *plan = (struct series_plan){0};
    if (!at || at == text)
        return err_set(err, "not FOLDER,every=N[,from=EVENT]");
    plan->folder = checked_memory(strndup(text, (size_t)(at - text)));
    if (!parse_every(plan, at + strlen(every), &rest, err))
        return false;
    if (*rest == 0)
        return true;
    if (strncmp(rest, from, strlen(from)) != 0)
        return err_set(err, "\"%.64s\" is not ,from=EVENT", rest);
    plan->from = rest + strlen(from);
    return machine_event_parse(&plan->event, plan->from, err);
}

/* The folder */

#define RECORD_NAME "record"

char *series_record_path(const char *folder)
{
    char *path = checked_memory(malloc(strlen(folder) + sizeof "/" RECORD_NAME));
    sprintf(path, "%s/%s", folder, RECORD_NAME);
    return path;
}

static bool check_empty(const char *folder, struct err *err)
{
    const struct dirent *entry;
    DIR *there = opendir(folder);
    bool done = there || err_set(err, "--series %s: %s", folder, strerror(errno));
    while (done && (entry = readdir(there)))
        if (series_is_member_name(entry->d_name) || strcmp(entry->d_name, RECORD_NAME) == 0)
            done = err_set(err, "--series %s: the folder already contains a series: %s", folder, entry->d_name);
    if (there)
        closedir(there);
    return done;
}

struct series *series_create(const struct series_plan *plan, struct err *err)
{
    struct series *series = checked_memory(calloc(1, sizeof *series));
    series->plan = plan;
    series->made_folder = mkdir(plan->folder, 0777) == 0;
    if (!series->made_folder && errno != EEXIST)
        err_set(err, "--series %s: %s", plan->folder, strerror(errno));
    else if (series->made_folder || check_empty(plan->folder, err))
        return series;
    series_free(series);
    return NULL;
}

void series_free(struct series *series)
{
    if (!series)
        return;
    if (series->plan->recorded && series->count == 0) {
        char *record = series_record_path(series->plan->folder);
        unlink(record);
        free(record);
    }
    if (series->made_folder && series->count == 0)
        rmdir(series->plan->folder);
    free(series->files);
    free(series);
}

static bool write_file(struct series *series, struct machine *machine, struct err *err)
{
    struct series_member member = {
        .number = series->count, .every = series->plan->interval, .insns = machine_insns(machine)};
    struct saved *saved = machine_saved_list(machine, err);
    if (!saved)
        return false;
    series_choose_dependencies(saved, series->files, &member);
    saved_free(saved);

    char event[40], *text = series_member_text(&member), *path = series_path(series->plan->folder, member.number);
    struct file_identity identity;
    snprintf(event, sizeof event, "insns:%" PRIu64, member.insns);
    const char *at = member.number == 0 && series->plan->from ? series->plan->from : event;
    bool done = access(path, F_OK) != 0 || err_set(err, "--series: %.300s has been made by another run", path);
    done = done && machine_save_part(machine, at, text, path, err) &&
           file_identity_read(&identity, INPUT_CHECKPOINT, path, err);
    if (done) {
        series->files = checked_memory(realloc(series->files, (series->count + 1u) * sizeof *series->files));
        series->files[series->count++] = identity;
    }
    free(path);
    free(text);
    return done;
}

/* The run */

static bool take_next(struct series *series, struct machine *machine, struct err *err)
{
    if (series->count == SERIES_FILES_MAX)
        return err_set(err, "--series %s: more than %d checkpoints", series->plan->folder, SERIES_FILES_MAX);
    if (!write_file(series, machine, err))
        return false;
    series->next = machine_insns(machine) + series->plan->interval;
    if (series->next < series->plan->interval)
        series->next = UINT64_MAX;
    return true;
}

static bool begin(struct series *series, struct machine *machine, struct err *err)
{
    series->begun = true;
    series->next = UINT64_MAX;
    series->waiting = series->plan->from;
    if (!series->waiting)
        return take_next(series, machine, err);
    machine_pause_when(machine, &series->plan->event);
    return true;
}

bool series_run(struct series *series, struct instrument *instrument, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err)
{
    if (!series->begun && !begin(series, machine, err))
        return false;
    for (;;) {
        struct machine_limits until = *limits;
        if (series->next < until.insns)
            until.insns = series->next;
        *reason = instrument_run(instrument, machine, &until);
        bool began = *reason == MACHINE_STOP_PAUSE && series->waiting;
        bool due = *reason == MACHINE_STOP_INSNS && until.insns < limits->insns;
        if (!began && !due)
            return true;
        if (!take_next(series, machine, err))
            return false;
        series->waiting = false;
    }
}
