/* Recording and replaying external input. */
#include "src/host/external_state.h"
#include "src/base/event.h"
#include "src/base/host_time.h"

#include <inttypes.h>
#include <string.h>

/* Interval of progress lines: bounds the part of a killed run without input that cannot be replayed. */
#define NOTE_EVERY 1000000000u /* ns of host time */

static struct record_position present(const struct external *external, enum input_point place)
{
    return (struct record_position){external_now(external), external_insns(external), place};
}

/* Recording */

void external_record_begin(struct external *external)
{
    external->begun = true;
    if (external->record)
        record_begin(external->record);
}

void external_note_progress(struct external *external)
{
    if (!external->record || !external->begun)
        return;
    const struct record_position moment = present(external, INPUT_AT_POLL);
    record_time(external->record, &moment);
}

void external_record_progress(struct external *external)
{
    struct err err = {""};
    if (!external->record)
        return;
    nsec now = host_time();
    if (now - external->noted_at >= NOTE_EVERY) {
        external_note_progress(external);
        external->noted_at = now;
    }
    if (record_failed(external->record, &err))
        external->owner.fail(external->owner.opaque, &err);
}

void external_record_end(struct external *external)
{
    if (!external->record || !external->begun)
        return;
    const struct record_position moment = present(external, INPUT_AT_POLL);
    record_end(external->record, &moment);
}

void external_record_input(struct external *external, const char *source, const void *bytes, size_t count)
{
    const struct record_position moment = present(external, external->place);
    external_log_add(external, &(struct replay_event){.kind = REPLAY_INPUT,
                                                      .position = moment,
                                                      .source = source,
                                                      .bytes = (void *)(uintptr_t)bytes,
                                                      .count = count});
    if (external->record)
        record_input(external->record, &moment, source, bytes, count);
}

void external_record_stop(struct external *external, unsigned reason)
{
    const struct record_position moment = present(external, external->open ? external->place : INPUT_AT_POLL);
    external_log_add(external, &(struct replay_event){.kind = REPLAY_STOP, .position = moment, .reason = reason});
    if (external->record)
        record_stop(external->record, &moment, reason);
}

/* Record the IDENTITY of the file for ROLE, or compare it with the recorded one. */
static bool note(struct external *external, const char *role, const char *path, const struct file_identity *identity,
                 struct err *err)
{
    if (external->replay) {
        external->files++;
        return replay_check_file(external->replay, role, path, identity, err);
    }
    record_file(external->record, role, identity, path);
    return true;
}

void external_note_saved(struct external *external, const char *path, const uint64_t *cpu_insns, unsigned cpus)
{
    struct record_checkpoint checkpoint = {.path = path, .cpu_insns = cpu_insns, .cpus = cpus};
    struct err err = {""};
    if (!external->record)
        return;
    if (!external->begun)
        external_record_begin(external);
    const struct record_position moment = present(external, INPUT_AT_POLL);
    /* what cannot be read again, such as a device, is nothing to begin at */
    if (file_identity_read(&checkpoint.identity, INPUT_CHECKPOINT, path, &err))
        record_saved(external->record, &moment, &checkpoint);
}

void external_enter(struct external *external, const struct replay_checkpoint *checkpoint)
{
    external->entered = true;
    external->next = checkpoint->next;
}

bool external_has_entered(const struct external *external)
{
    return external->entered;
}

bool external_note_file(struct external *external, enum input_kind kind, const char *role, const char *path,
                        struct err *err)
{
    struct file_identity identity;
    if (!external->replay && !external->record)
        return true;
    return file_identity_read(&identity, kind, path, err) && note(external, role, path, &identity, err);
}

bool external_note_fd(struct external *external, const char *role, int fd, uint64_t size, const char *path,
                      struct err *err)
{
    struct file_identity identity;
    if (!external->replay && !external->record)
        return true;
    return file_identity_read_fd(&identity, fd, size, path, err) && note(external, role, path, &identity, err);
}

/* Replaying */

static double seconds(const struct external *external, cycles time)
{
    return (double)time / (double)external->owner.queue(external->owner.opaque)->clock_hz;
}

static void fail(struct external *external, const char *reason)
{
    struct err err = {""};
    err_set(&err, "%.300s: %s, at %.9f s, after %" PRIu64 " instructions", external->replay_path, reason,
            seconds(external, external_now(external)), external_insns(external));
    external->owner.fail(external->owner.opaque, &err);
}

static const char diverged[] = "the run diverges from the record (recorded by another version of simos?)";

static void deliver(struct external *external, const struct replay_event *event)
{
    for (struct external_source *source = external->sources; source; source = source->next)
        if (strcmp(source->name, event->source) == 0) {
            external->delivered++;
            source->ops->deliver(source->opaque, event->bytes, event->count);
            return;
        }
    fail(external, "the record has input from a source that this machine does not have");
}

static void replay_one(struct external *external, const struct replay_event *event)
{
    if (event->kind == REPLAY_INPUT)
        deliver(external, event);
    else if (event->kind == REPLAY_STOP) {
        external->stop_reason = event->reason;
        external->owner.request_stop(external->owner.opaque);
    }
}

/* Order of EVENT relative to MOMENT: below 0 earlier, 0 equal, above 0 later. */
static int compare(const struct replay_event *event, const struct record_position *moment)
{
    const struct record_position *then = &event->position;
    if (then->time < moment->time || then->insns < moment->insns)
        return -1;
    return then->time > moment->time || then->insns > moment->insns;
}

/* Start of the run: has this machine noted all files of the recorded one? */
static void begin(struct external *external)
{
    external->begun = true;
    if (!external->entered && external->files < replay_files(external->replay))
        fail(external, "the recorded run used more files than this one");
}

void external_replay_events(struct external *external, enum input_point place)
{
    const struct record_position now = present(external, place);
    if (!external->begun)
        begin(external);
    for (;; external->next++) {
        const struct replay_event *event = replay_event(external->replay, external->next);
        if (!event) {
            fail(external, "the record is truncated here: the recorded run was killed");
            return;
        }
        int where = compare(event, &now);
        if (event->kind == REPLAY_TIME && event->position.time <= now.time)
            continue;
        if (where < 0)
            fail(external, event->kind == REPLAY_END ? "the recorded run has ended" : diverged);
        if (where != 0 || event->kind == REPLAY_END || event->position.place != place)
            return;
        replay_one(external, event);
        if (place == INPUT_AT_BARRIER) {
            external->next++; /* one exchange: the next barrier may be at the same time */
            return;
        }
    }
}

cycles external_replay_gap(struct external *external)
{
    const struct replay_event *event = replay_event(external->replay, external->next);
    cycles now = external_now(external);
    if (!event || event->kind == REPLAY_END)
        return CYCLES_NEVER;
    if (event->position.time > now)
        return event->position.time - now;
    fail(external, diverged);
    return 0;
}

uint64_t external_replay_insns(const struct external *external)
{
    const bool exact = external->logged || external->entered;
    const struct replay_event *event = exact ? replay_event(external->replay, external->next) : NULL;
    return event ? event->position.insns : UINT64_MAX;
}

bool external_check_end(struct external *external, bool early, struct err *err)
{
    const struct replay_event *event;
    if (external->record && !external->begun)
        external_record_begin(external); /* the run was shorter than the time to its first poll */
    if (!external->replay)
        return true;
    while ((event = replay_event(external->replay, external->next)) && event->kind == REPLAY_TIME)
        external->next++;
    const struct record_position now = present(external, INPUT_AT_POLL);
    if (early || !event || (event->kind == REPLAY_END && compare(event, &now) == 0))
        return true;
    return err_set(err,
                   "%.300s: the run has ended at %.9f s, after %" PRIu64
                   " instructions; the recorded one went on until "
                   "%.9f s, %" PRIu64,
                   external->replay_path, seconds(external, now.time), now.insns,
                   seconds(external, event->position.time), event->position.insns);
}
