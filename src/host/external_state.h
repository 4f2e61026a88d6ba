/*
 * Inside external input: external.c asks the sources, external_tape.c keeps what they give, or plays it.
 */
#ifndef SIMOS_EXTERNAL_STATE_H
#define SIMOS_EXTERNAL_STATE_H

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
    bool open; /* in a place where input is taken: */
    enum record_place place;
    unsigned delivered; /* pieces, at the present place */
    unsigned stop_reason;

    bool begun;                          /* the machine has run */
    struct record *record;               /* NULL: nobody records */
    nsec noted_at;                       /* host's time of the last line that says how far the run is */
    const char *tape;                    /* path of the record that is played */
    const struct replay_machine *replay; /* NULL: nothing is played */
    size_t files;                        /* that this machine was made from, of the recorded ones */
    size_t next;                         /* what happens next */
};

static inline cycles external_now(const struct external *external)
{
    return external->owner.now(external->owner.opaque);
}

static inline uint64_t external_insns(const struct external *external)
{
    return external->owner.insns(external->owner.opaque);
}

/* Recording: the machine is about to run; how far it is, now and then; its end. Nothing if nobody records. */
void external_tape_begin(struct external *external);
void external_tape_progress(struct external *external);
void external_tape_end(struct external *external);
void external_tape_input(struct external *external, const char *source, const void *bytes, size_t count);
void external_tape_stop(struct external *external, unsigned reason);

/* Playing: do what happened at this moment in PLACE. Afterwards the first of these is still to come. */
void external_tape_play(struct external *external, enum record_place place);
/* How long from now to what happens next; CYCLES_NEVER: nothing. */
cycles external_tape_gap(struct external *external);

#endif
