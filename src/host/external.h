/*
 * External input of a machine: keys, network frames, bytes from another process. All of it passes through this
 * interface, so that it can be recorded and replayed at the same instants of simulated time
 * (docs/how-to/record-replay.md).
 *
 * An input is a source with a name ("console", "net.user" ...). The machine polls its sources between guest
 * instructions only (see struct machine_host, poll), and while all CPUs wait:
 *
 *     prepare()   each source names what it waits for: descriptors, a time
 *     one ppoll() for all sources
 *     take()      each source reads its ready descriptors and passes the data to external_deliver()
 *     deliver()   the source gives the bytes to its device; a replay calls only this function
 *
 * Ordering rule: sources are polled in the order in which they were added. Everything delivered in one take() arrives
 * at one instant of simulated time. A device may see only delivered data: a source that delays frames for its device
 * does so in simulated time, in deliver().
 *
 * Idle simulated time is skipped without delay, unless a source calls external_expect_input() because input may arrive
 * at any time: then simulated time is paced to real time, and the host sleeps.
 */
#ifndef SIMOS_HOST_EXTERNAL_H
#define SIMOS_HOST_EXTERNAL_H

#include "src/base/input_file.h"
#include "src/base/log.h"
#include "src/base/types.h"

struct event_queue;
struct external;        /* all external input of one machine: machine->external */
struct external_source; /* one input */
struct external_waits;  /* wait set of one poll */
struct record;
struct replay_machine;
struct replay_checkpoint;

/* The machine that the input is for, as far as this room knows it. All functions get OPAQUE. */
struct external_owner {
    void *opaque;
    const struct event_queue *(*queue)(const void *opaque); /* converts between cycles and nanoseconds */
    cycles (*now)(const void *opaque);
    uint64_t (*insns)(const void *opaque); /* executed so far, by all CPUs */
    bool (*is_stopping)(const void *opaque);
    void (*request_stop)(void *opaque);
    void (*fail)(void *opaque, const struct err *reason);
    void (*poll_soon)(void *opaque);      /* call external_poll() at the end of the present turn */
    void (*about_to_sleep)(void *opaque); /* the host is about to sleep until input comes */
};

struct external_ops {
    /* Give COUNT bytes, as passed to external_deliver(), to the device, at machine->now. In a replay they come from an
     * untrusted file: all input must be checked. */
    void (*deliver)(void *opaque, const void *bytes, size_t count);
    /* Add to the wait set (external_wait_for() and so on). Not called in a replay. May be NULL. */
    void (*prepare)(void *opaque, struct external_waits *waits);
    /* Read available data and external_deliver() it. Always called after prepare(). Not called in a replay. May be
     * NULL. */
    void (*take)(void *opaque, const struct external_waits *waits);
};

/* Create the external input of the machine that OWNER (copied) describes: recorded in RECORD, or replayed from REPLAY;
 * both NULL: neither. RECORD and REPLAY must outlive it. */
struct external *external_create(const struct external_owner *owner, struct record *record,
                                 const struct replay_machine *replay);
void external_free(struct external *external);
/* Complete the record before the machine is freed. NULL is allowed. */
void external_end(struct external *external);

/* Add an input. NAME (a constant, without blanks, unique in the machine) identifies it in a record. OPS must outlive
 * it. Called while the machine is created, or between runs. */
struct external_source *external_add(struct external *external, const char *name, const struct external_ops *ops,
                                     void *opaque);
/* Remove an input. NULL is allowed. */
void external_remove(struct external_source *source);

/* Is all input replayed from a record? Then no host resource may be opened: sockets, standard input. */
bool external_replaying(const struct external *external);

/* Deliver COUNT bytes as one unit: write them to the record, and call the source's deliver(). Called only from take(),
 * or from the exchange function of external_at_barrier(). */
void external_deliver(struct external_source *source, const void *bytes, size_t count);

/* In prepare(): wait for EVENTS of FD as poll(2) does. Returns an index for external_revents(). */
size_t external_wait_for(struct external_waits *waits, int fd, short events);
/* In prepare(): call take() after at most DURATION of host time; 0: data is available now. */
void external_set_timeout(struct external_waits *waits, nsec duration);
/* In prepare(): input may arrive at any time; idle simulated time is paced to host time. */
void external_expect_input(struct external_waits *waits);

/* In take(): the result of poll(2) for the descriptor with index NUMBER. */
short external_revents(const struct external_waits *waits, size_t number);

/* Request the end of the run from outside: machine_request_stop(), recorded with REASON (signal number; 0: none).
 * Called from the host's poll() and from take(). */
void external_stop(struct external *external, unsigned reason);
/* REASON of the last stop, in a replay too; 0: none. */
unsigned external_stop_reason(const struct external *external);

/* Note the identity of the file PATH, configured by parameter ROLE, in the record; in a replay it must equal the
 * recorded one. False with ERR if it differs or cannot be read. Without record or replay the file is not read. */
bool external_note_file(struct external *external, enum input_kind kind, const char *role, const char *path,
                        struct err *err);
/* As external_note_file(), for the first SIZE bytes of the open file FD, called PATH in messages. */
bool external_note_fd(struct external *external, const char *role, int fd, uint64_t size, const char *path,
                      struct err *err);

/* Note in the record that the checkpoint PATH has been saved here, where each of CPUS has executed so many
 * instructions: a replay can begin there. No effect without a record. */
void external_note_saved(struct external *external, const char *path, const uint64_t *cpu_insns, unsigned cpus);

/* Begin the replay at CHECKPOINT of its record, which has been restored, and not where the recorded run began. */
void external_enter(struct external *external, const struct replay_checkpoint *checkpoint);
/* Does the replay begin at such a checkpoint? */
bool external_has_entered(const struct external *external);

/* The last run of a replay has ended, by its own limit if EARLY. False with ERR if the recorded run continued. Always
 * true without a replay. */
bool external_check_end(struct external *external, bool early, struct err *err);

/* Poll the sources at the end of the present quantum instead of at the next regular poll; for a source whose answer is
 * available at once. A device that calls it inside an instruction also ends the quantum, and must call it in a replay
 * too. */
void external_poll_soon(struct external *external);

/* Synchronise a source with its peers at a simulated time that all CPUs have reached: calls EXCHANGE, which may deliver
 * input. A replay delivers the recorded input instead and does not call EXCHANGE. */
void external_at_barrier(struct external *external, void (*exchange)(void *opaque), void *opaque);

/* Note in the record how far the machine has come: a replay of a record without an end goes so far. No effect without a
 * record, or before the machine has started to run. */
void external_note_progress(struct external *external);

/* For the scheduler. external_poll(): between instructions. external_idle(): all CPUs wait, and the next event is GAP
 * cycles away (CYCLES_NEVER: none); returns the cycles of GAP that have passed, or CYCLES_NEVER if no input can
 * arrive. */
void external_poll(struct external *external);
cycles external_idle(struct external *external, cycles gap);

/* In a replay of a log (src/host/external_log.h), or of a record from one of its checkpoints on: how many instructions
 * all CPUs have executed when the next input comes; UINT64_MAX: none, or no such replay. A run must look for it there,
 * since a run may have ended and begun there.
 */
uint64_t external_replay_insns(const struct external *external);

/* Can input still come? */
bool external_is_expecting(struct external *external);

#endif
