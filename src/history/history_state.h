/*
 * Internal to the room: the past of a machine, for history.c (taking snapshots), processes.c (processes of the past),
 * going.c and searching.c, which use them.
 */
#ifndef SIMOS_HISTORY_HISTORY_STATE_H
#define SIMOS_HISTORY_HISTORY_STATE_H

#include "src/history/channel.h"
#include "src/history/history.h"
#include "src/history/past.h"
#include "src/history/snapshots.h"

enum { NEAR_MAX = 2 };

/* A process of the past. */
struct past_process {
    int fd; /* -1: none */
    struct past_answer last;
    struct snapshot base; /* what it is a copy of */
    bool to_change;       /* its horizon is a change by hand, not the present */
};

struct mark {
    char name[CONTROL_NAME_MAX + 1];
    uint64_t insns;
};

struct history {
    struct machine *machine;
    struct history_options options;
    struct history_front front;
    struct machine_keeper keeper;
    struct snapshots snapshots;
    bool changed;    /* by hand, since the last snapshot or run */
    nsec taken_at;   /* the last snapshot, ... */
    nsec taken_for;  /* ... and how long that took */
    nsec refused_at; /* 0: never */
    nsec polled_at;  /* when the machine was last seen to run; it was at: */
    struct history_position polled;
    struct history_counts counts;
    struct past_process past;       /* where one is */
    struct snapshot near[NEAR_MAX]; /* the latest first */
    unsigned near_count;
    struct mark *marks; /* by array_room(), in order */
    size_t mark_count;
};

enum reply { REPLY_DONE, REPLY_FAILED, REPLY_NONE /* it has ended, or does not answer */ };

/* Does whoever waits for an answer not want to any more? */
bool history_is_ending(const struct history *history);
/* What the copies of snapshots hold that there are, in bytes. */
uint64_t history_held_by_copies(const struct history *history);

/* The latest snapshot at or before TARGET: its number, or UINT32_MAX. */
unsigned history_latest_before(const struct history *history, const struct history_target *target);
/* How far a process may run that is a copy of snapshot NUMBER: to a change by hand, or to the present. */
struct machine_limits history_horizon_of(const struct history *history, unsigned number, bool *to_change);
/* Let snapshot *NUMBER have a process, which loads its file if it has none. Returns with *NUMBER changed if others had
 * to go. */
enum reply history_wake(struct history *history, unsigned *number, struct err *err);
/* Snapshot NUMBER has ended by itself: it is no more, and ERR is of no interest. */
void history_lose(struct history *history, unsigned number, struct err *err);
void history_drop_near(struct history *history, unsigned number);

/* Let BASE make a copy of itself. */
enum reply past_process_open(const struct history *history, const struct snapshot *base, struct past_process *process,
                             struct err *err);
/* Open a process at TARGET, from the snapshot that is best. A snapshot that has ended by itself is no more. */
bool history_open_best(struct history *history, const struct history_target *target, struct past_process *process,
                       struct err *err);
/* Send a request to PROCESS and receive its answer; what follows its head is *REST, to be freed, unless NULL. */
enum reply past_process_request(const struct history *history, struct past_process *process, enum channel_kind kind,
                                const void *bytes, size_t size, char **rest, size_t *rest_size, struct err *err);
void past_process_close(struct past_process *process);

#endif
