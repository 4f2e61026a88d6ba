#include "src/host/external_log.h"

#include "src/base/array.h"
#include "src/host/external_state.h"
#include "src/host/replay_state.h"
#include <stdlib.h>
#include <string.h>

struct external_log {
    struct replay_event *events; /* by array_room(); their texts and bytes are allocated one by one */
    size_t count, bytes;
};

/* An event as it is written, before the name of its source and its bytes. */
struct written {
    struct record_position position;
    uint32_t kind, reason;
    uint64_t name_length, count;
};

void external_log_begin(struct external *external)
{
    if (!external->replay && !external->log)
        external->log = checked_memory(calloc(1, sizeof *external->log));
}

void external_log_end(struct external *external)
{
    struct external_log *log = external->log;
    if (!log)
        return;
    for (size_t i = 0; i < log->count; i++)
        free((void *)(uintptr_t)log->events[i].bytes);
    free(log->events);
    free(log);
    external->log = NULL;
}

void external_log_add(struct external *external, const struct replay_event *event)
{
    struct external_log *log = external->log;
    if (!log)
        return;
    log->events = array_room(log->events, log->count, sizeof *event);
    struct replay_event *copy = &log->events[log->count++];
    *copy = *event; /* the name of a source is a constant */
    char *bytes = checked_memory(malloc(event->count + 1));
    if (event->count)
        memcpy(bytes, event->bytes, event->count);
    copy->bytes = bytes;
    log->bytes += sizeof *event + event->count;
}

size_t external_log_count(const struct external *external)
{
    return external->log ? external->log->count : 0;
}

size_t external_log_bytes(const struct external *external)
{
    return external->log ? external->log->bytes : 0;
}

void external_log_write(const struct external *external, size_t first, FILE *out)
{
    for (size_t i = first; i < external_log_count(external); i++) {
        const struct replay_event *event = &external->log->events[i];
        const char *name = event->source ? event->source : "";
        const struct written written = {.position = event->position,
                                        .kind = event->kind,
                                        .reason = event->reason,
                                        .name_length = strlen(name),
                                        .count = event->count};
        fwrite(&written, sizeof written, 1, out);
        fwrite(name, 1, written.name_length, out);
        fwrite(event->bytes, 1, event->count, out);
    }
}

/* Take the event at *AT, with its texts copied. False if it is not whole. */
static bool take(const char **at, const char *end, struct replay_event *event)
{
    struct written written;
    if ((size_t)(end - *at) < sizeof written)
        return false;
    memcpy(&written, *at, sizeof written);
    *at += sizeof written;
    const size_t left = (size_t)(end - *at);
    char *bytes;
    if (written.name_length > left || written.count > left - written.name_length)
        return false;
    bytes = checked_memory(malloc(written.count + 1));
    memcpy(bytes, *at + written.name_length, written.count);
    *event = (struct replay_event){.kind = (enum replay_kind)written.kind,
                                   .position = written.position,
                                   .source = checked_memory(strndup(*at, written.name_length)),
                                   .bytes = bytes,
                                   .count = written.count,
                                   .reason = written.reason};
    *at += written.name_length + written.count;
    return true;
}

bool external_log_replay(struct external *external, const void *bytes, size_t size)
{
    const char *at = bytes, *end = at + size;
    if (external->replay && !external->logged)
        return true;
    struct replay_machine *machine = checked_memory(calloc(1, sizeof *machine));
    while (at < end) {
        machine->events = array_room(machine->events, machine->event_count, sizeof *machine->events);
        if (!take(&at, end, &machine->events[machine->event_count++]))
            return false; /* the process, a copy that is of no use, ends */
    }
    /* the run may go on as far as it is let: there is no other input */
    machine->events = array_room(machine->events, machine->event_count, sizeof *machine->events);
    machine->events[machine->event_count++] =
        (struct replay_event){.kind = REPLAY_END, .position = {CYCLES_NEVER, UINT64_MAX, INPUT_AT_POLL}};
    external_log_end(external);
    external->record = NULL;                       /* it is the other process's */
    external->replay = external->logged = machine; /* an earlier one is of no use, and small */
    external->replay_path = "the past";
    external->next = 0;
    external->begun = true;
    return true;
}

size_t external_log_replayed(const struct external *external)
{
    return external->logged ? external->next : 0;
}
