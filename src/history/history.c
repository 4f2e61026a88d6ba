#include "src/history/history_state.h"

#include "src/base/array.h"
#include "src/base/host_time.h"
#include "src/host/external_log.h"
#include "src/machine/board_disks.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Snapshots by time: the share of the host's time that they may take, the time that a page fault costs, how close they
 * may be, and how long none is tried after the host has refused one. */
#define SHARE        20
#define FAULT_NSEC   4000
#define CLOSEST_NSEC 20000000
#define REFUSED_NSEC 2000000000

/* Positions */

static struct history_position position_of(const struct machine *machine)
{
    return (struct history_position){machine_now(machine), machine_insns(machine)};
}

struct history_position history_present(const struct history *history)
{
    return position_of(history->machine);
}

struct history_position history_first(const struct history *history)
{
    return history->snapshots.count ? history->snapshots.list[0].at : history_present(history);
}

bool history_is_past(const struct history *history)
{
    return history && history->past.fd >= 0;
}

struct history_position history_place(const struct history *history)
{
    return history_is_past(history) ? history->past.last.position : history_present(history);
}

uint64_t history_cpu_insns(const struct history *history, unsigned cpu)
{
    return history_is_past(history) ? history->past.last.cpu_insns[cpu] : history->machine->cores[cpu]->s.insns;
}

uint64_t history_first_cpu_insns(const struct history *history, unsigned cpu)
{
    return history->snapshots.count ? history->snapshots.list[0].cpu_insns[cpu] : history_cpu_insns(history, cpu);
}

/* Taking snapshots */

/* What the copies of snapshots hold that there are. */
uint64_t history_held_by_copies(const struct history *history)
{
    uint64_t held = history_is_past(history) ? snapshot_alone(history->past.last.pid) : 0;
    for (unsigned i = 0; i < history->near_count; i++)
        held += snapshot_alone(history->near[i].pid);
    return held;
}

static void note_refusal(struct history *history, const char *reason)
{
    if (history->counts.refused++ == 0)
        fprintf(stderr, "simos: --history: a snapshot is left out: %s\n", reason);
    history->refused_at = host_time();
}

static void take(struct history *history, bool changed)
{
    const struct machine *machine = history->machine;
    unsigned none = UINT32_MAX;
    struct err err = {""};
    int ends[2];
    const nsec start = host_time();
    history->taken_at = start;
    if (!snapshots_make_room(&history->snapshots, snapshots_own_memory() + history_held_by_copies(history), &none)) {
        note_refusal(history, "memory= is less than the machine holds");
        return;
    }
    if (!channel_create(ends, &err)) {
        note_refusal(history, err.text);
        return;
    }
    struct snapshot snapshot = {.fd = ends[0],
                                .at = position_of(machine),
                                .log = external_log_count(machine->external),
                                .taken = start,
                                .is_changed = changed};
    for (unsigned i = 0; i < machine->cpus; i++)
        snapshot.cpu_insns[i] = machine->cores[i]->s.insns;
    const pid_t self = getpid();
    snapshots_measure_last(&history->snapshots);
    snapshot.pid = fork();
    if (snapshot.pid == 0)
        past_wait(history->machine, &history->front, ends[1], self);
    const int error = errno;
    close(ends[1]);
    if (snapshot.pid < 0) {
        close(ends[0]);
        note_refusal(history, strerror(error));
        return;
    }
    snapshots_add(&history->snapshots, &snapshot);
    history->taken_for = host_time() - start;
    history->changed = false;
}

static void begin_run(void *opaque)
{
    struct history *history = opaque;
    const struct snapshots *snapshots = &history->snapshots;
    if (snapshots->count == 0 || snapshots->list[snapshots->count - 1].file || history->changed)
        take(history, history->changed);
}

static bool is_due(void *opaque)
{
    struct history *history = opaque;
    const nsec now = host_time(), passed = now - history->taken_at;
    history->polled = history_present(history);
    history->polled_at = now;
    if (history->refused_at && now - history->refused_at < REFUSED_NSEC)
        return false;
    if (history->options.every) {
        const struct snapshots *snapshots = &history->snapshots;
        return snapshots->count == 0 || machine_insns(history->machine) >=
                                            snapshots->list[snapshots->count - 1].at.insns + history->options.every;
    }
    if (passed < CLOSEST_NSEC || passed < SHARE * history->taken_for)
        return false;
    return passed >= SHARE * (history->taken_for + snapshots_faults(&history->snapshots) * FAULT_NSEC);
}

static void keep(void *opaque)
{
    take(opaque, false);
}

void history_changed(struct history *history)
{
    if (history)
        history->changed = true;
}

/* Marks */

void history_note_mark(struct history *history, const char *name)
{
    if (!history)
        return;
    for (unsigned i = 0; i < history->machine->cpus; i++)
        core_sync(history->machine->cores[i]);
    history->marks = array_room(history->marks, history->mark_count, sizeof *history->marks);
    struct mark *mark = &history->marks[history->mark_count++];
    snprintf(mark->name, sizeof mark->name, "%s", name);
    mark->insns = machine_insns(history->machine);
}

bool history_mark(const struct history *history, const char *name, uint64_t *insns)
{
    const uint64_t place = history_place(history).insns;
    for (size_t i = history->mark_count; i > 0; i--)
        if (history->marks[i - 1].insns <= place && strcmp(history->marks[i - 1].name, name) == 0) {
            *insns = history->marks[i - 1].insns;
            return true;
        }
    return false;
}

/* Begin and end */

/* Take "series=FOLDER" from *TEXT; false: it is something else. */
static bool take_series(char **series, const char **text)
{
    static const char name[] = "series=";
    const size_t length = strlen(name);
    if (*series || strncmp(*text, name, length) != 0 || (*text)[length] == 0 || (*text)[length] == ',')
        return false;
    const char *folder = *text + length, *end = strchrnul(folder, ',');
    *series = checked_memory(strndup(folder, (size_t)(end - folder)));
    *text = *end ? end + 1 : end;
    return true;
}

bool history_options_parse(struct history_options *options, char **series, const char *text, struct err *err)
{
    *options = HISTORY_DEFAULTS;
    *series = NULL;
    while (*text) {
        char *end = NULL;
        if (take_series(series, &text))
            continue;
        const bool every = strncmp(text, "every=", 6) == 0, memory = strncmp(text, "memory=", 7) == 0;
        const char *number = text + (every ? 6 : 7);
        const unsigned long long value = every || memory ? strtoull(number, &end, 10) : 0;
        const unsigned shift = !memory || !end ? 0 : *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        if (end && shift)
            end++;
        if (!end || *number < '0' || *number > '9' || (*end && *end != ',') || value == 0 ||
            value > UINT64_MAX >> 1 >> shift)
            return err_set(err, "--history \"%.100s\": expected every=INSTRUCTIONS, memory=SIZE or series=FOLDER",
                           text);
        *(every ? &options->every : &options->memory) = (uint64_t)value << shift;
        text = *end ? end + 1 : end;
    }
    return true;
}

/* Does the guest change no file of the host that it reads again? */
static bool check_disks(const struct machine *machine, struct err *err)
{
    struct disk_text *disk = checked_memory(calloc(1, sizeof *disk));
    bool good = true;
    for (unsigned i = 0; i < BOARD_DISKS && good; i++) {
        char name[32];
        snprintf(name, sizeof name, "machine.disk%u", i);
        board_disk_parse(disk, params_string(machine->params, name));
        if (disk->overlay || disk->mode == DISK_WRITE_THROUGH)
            good = err_set(err, "--history: %s %.200s is written to a file, which has no past; use it read-only", name,
                           disk->path);
    }
    free(disk);
    return good;
}

struct history *history_begin(struct machine *machine, const struct history_options *options,
                              const struct history_front *front, struct err *err)
{
    if (!check_disks(machine, err))
        return NULL;
    const uint64_t own = snapshots_own_memory();
    if (2 * own > options->memory) {
        err_set(err, "--history: memory=%" PRIu64 "M is too little: this machine needs %" PRIu64 "M at least",
                options->memory >> 20, (2 * own >> 20) + 1);
        return NULL;
    }
    struct history *history = checked_memory(calloc(1, sizeof *history));
    history->machine = machine;
    history->options = *options;
    history->front = *front;
    history->snapshots.limit = options->memory;
    history->past.fd = -1;
    history->keeper = (struct machine_keeper){begin_run, is_due, keep, history};
    machine->keeper = &history->keeper;
    external_log_begin(machine->external);
    return history;
}

void history_add_file(struct history *history, const struct history_file *file)
{
    struct snapshots *snapshots = &history->snapshots;
    if (snapshots->count == HISTORY_FILES_MAX)
        log_bug("more than %d files of the past", HISTORY_FILES_MAX);
    struct snapshot *snapshot = &snapshots->list[snapshots->count++];
    *snapshot = (struct snapshot){.file = file->path, .fd = -1, .at = file->at};
    memcpy(snapshot->cpu_insns, file->cpu_insns, history->machine->cpus * sizeof *file->cpu_insns);
}

void history_end(struct history *history)
{
    if (!history)
        return;
    history_return(history);
    while (history->near_count)
        history_drop_near(history, history->near_count - 1);
    while (history->snapshots.count)
        snapshots_drop(&history->snapshots, history->snapshots.count - 1);
    external_log_end(history->machine->external);
    history->machine->keeper = NULL;
    free(history->marks);
    free(history);
}

struct history_counts history_counts(const struct history *history)
{
    struct history_counts counts = history->counts;
    counts.snapshots = history->snapshots.count + history->near_count;
    counts.bytes = snapshots_held(&history->snapshots) + history_held_by_copies(history);
    counts.limit = history->options.memory;
    return counts;
}
