/*
 * Private to external.c, which polls the sources, and external_record.c, which records or replays their input.
 */
#ifndef SIMOS_HOST_EXTERNAL_STATE_H
#define SIMOS_HOST_EXTERNAL_STATE_H

#include "src/host/external.h"
#include "src/host/record.h"
#include "src/host/replay.h"
#include <poll.h>

struct external_waits {
    struct pollfd *fds;
    size_t count, room;
    nsec at_most;
    bool expecting;
};

struct external_source {
    struct external *external;
    struct external_source *next;
    const char *name;
    const struct external_ops *ops;
    void *opaque;
};

struct external {
    struct external_owner owner;
    struct external_source *sources; /* in the order in which they were added */
    struct external_waits waits;
    bool open; /* input is accepted now: */
    enum input_point place;
    unsigned delivered; /* inputs delivered in the present poll */
    unsigned stop_reason;

    struct external_log *log;            /* src/host/external_log.h; NULL: none */
    bool begun;                          /* the machine has started to run */
    struct record *record;               /* NULL: no recording */
    nsec noted_at;                       /* host time of the last progress line in the record */
    const char *replay_path;             /* path of the replayed record */
    const struct replay_machine *replay; /* NULL: no replay */
    struct replay_machine *logged;       /* REPLAY is this one, from a log; NULL: it is not */
    bool entered;                        /* REPLAY began at a checkpoint that the recorded run saved */
    size_t files;                        /* number of recorded files already noted */
    size_t next;                         /* index of the next recorded event */
};

static inline cycles external_now(const struct external *external)
{
    return external->owner.now(external->owner.opaque);
}

static inline uint64_t external_insns(const struct external *external)
{
    return external->owner.insns(external->owner.opaque);
}

/* Recording: start of the run, periodic progress lines, end of the machine, input and stop requests. No effect without
 * a record. */
void external_record_begin(struct external *external);
void external_record_progress(struct external *external);
void external_record_end(struct external *external);
void external_record_input(struct external *external, const char *source, const void *bytes, size_t count);
void external_record_stop(struct external *external, unsigned reason);

/* Keep EVENT in the log, if there is one. */
void external_log_add(struct external *external, const struct replay_event *event);

/* Replay all events recorded for the present position in PLACE. Afterwards `next` is the first later event. */
void external_replay_events(struct external *external, enum input_point place);
/* Cycles from now to the next recorded event; CYCLES_NEVER: none. */
cycles external_replay_gap(struct external *external);

#endif
