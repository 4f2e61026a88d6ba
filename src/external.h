/*
 * What comes into a machine from outside: keys, frames from a network, bytes from another process. All of it takes this
 * one path, so that it can be recorded and handed in again at the same instant (docs/how-to/record-replay.md).
 *
 * An input is a source with a name ("console", "net.user" ...). The machine asks its sources between guest instructions
 * and only then (see struct machine_host, poll), and while all CPUs wait:
 *
 *     prepare()   a source says what it waits for: descriptors, a time
 *     one ppoll() over what all of them wait for
 *     take()      a source looks at its descriptors and calls external_deliver() with what has come
 *     deliver()   the source gives the bytes to its device; in a replay this alone is called
 *
 * Ordering rule: sources are asked in the order in which they were added. What is delivered in one take() arrives at
 * one instant of simulated time. What arrives may depend on nothing else than what was delivered: a source that keeps
 * frames for its device until later does so in simulated time, in deliver().
 *
 * Idle simulated time passes as fast as it goes unless a source says, with external_expect(), that something may come
 * by itself: then it is paced to real time, and the host sleeps meanwhile.
 */
#ifndef SIMOS_EXTERNAL_H
#define SIMOS_EXTERNAL_H

#include "src/log.h"
#include "src/types.h"

struct external;        /* of one machine: machine->external */
struct external_source; /* one of its inputs */
struct external_waits;  /* what is waited for this time */
struct machine;
struct machine_options;

struct external_ops {
    /* Give COUNT bytes, as they were delivered, to the device, at machine->now. In a replay they come from a file that
     * may be anything: nothing may be taken for granted. */
    void (*deliver)(void *opaque, const void *bytes, size_t count);
    /* Say what is waited for (external_wait_for() and so on). Not in a replay. May be NULL. */
    void (*prepare)(void *opaque, struct external_waits *waits);
    /* Take what has come and external_deliver() it. Always called after prepare(). Not in a replay. May be NULL. */
    void (*take)(void *opaque, const struct external_waits *waits);
};

/* Life: MACHINE's own, recorded or replayed as OPTIONS say. NULL with ERR if it is not the machine of the record. */
struct external *external_create(struct machine *machine, const struct machine_options *options, struct err *err);
void external_free(struct external *external);
/* MACHINE is about to be taken apart: its record is complete. NULL is allowed. */
void external_end(struct external *external);

/* Add an input. NAME (a constant, without blanks) is what it is called in a record; it is used once a machine. OPS must
 * outlive it. While the machine is made, or later between runs. */
struct external_source *external_add(struct external *external, const char *name, const struct external_ops *ops,
                                     void *opaque);
/* The input is no more. NULL is allowed. */
void external_remove(struct external_source *source);

/* Does all input come from a record? Then nothing outside is to be opened: sockets, standard input. */
bool external_replaying(const struct external *external);

/* COUNT bytes have come, as one piece: keep them for the record, and call the source's deliver(). From take(), or from
 * the exchange of external_at_barrier(), only. */
void external_deliver(struct external_source *source, const void *bytes, size_t count);

/* In prepare(). Wait for EVENTS of FD as poll(2) does; returns a number for external_came(). */
size_t external_wait_for(struct external_waits *waits, int fd, short events);
/* In prepare(). Call take() after at most DURATION of the host's time: 0, there is something already. */
void external_wait_at_most(struct external_waits *waits, nsec duration);
/* In prepare(). Something may come by itself: let idle time pass no faster than the host's. */
void external_expect(struct external_waits *waits);

/* In take(). What poll(2) says of the descriptor with NUMBER. */
short external_came(const struct external_waits *waits, size_t number);

/* The outside wants the end of the run: machine_request_stop(), recorded with REASON (a signal's number; 0: none). From
 * the host's poll() and from take(). */
void external_stop(struct external *external, unsigned reason);
/* The REASON of the last one, in a replay too; 0: none. */
unsigned external_stop_reason(const struct external *external);

/* The machine is made from the file PATH, for ROLE (the parameter that names it): its content is noted in the record;
 * in a replay it must be what it was. False with ERR if it is not or cannot be read. Nothing is read if nobody records.
 */
bool external_note_file(struct external *external, const char *role, const char *path, struct err *err);
/* The same for the first SIZE bytes of the open file FD, called PATH in messages. */
bool external_note_fd(struct external *external, const char *role, int fd, uint64_t size, const char *path,
                      struct err *err);

/* The last run of a replay is over, by a limit of its own if EARLY: has everything been played? False with ERR if the
 * recorded run went on. Without a replay always true. */
bool external_check_end(struct external *external, bool early, struct err *err);

/* Ask the sources again at the end of the present turn, not only at the next regular poll: for one that knows that its
 * outside has an answer at once. A device that calls it in the middle of an instruction ends the turn with it, and has
 * to call it in a replay too. */
void external_poll_soon(struct external *external);

/* A place where a source meets others at a simulated instant of its own, with all CPUs there: EXCHANGE is called and
 * may deliver; in a replay what was delivered there is delivered again, and EXCHANGE is not called. */
void external_at_barrier(struct external *external, void (*exchange)(void *opaque), void *opaque);

/* From the scheduler. Between instructions; and when all CPUs wait and the next event is GAP cycles away (CYCLES_NEVER:
 * there is none): returns how much of GAP has gone by, or CYCLES_NEVER if nothing will ever come. */
void external_poll(struct external *external);
cycles external_idle(struct external *external, cycles gap);

#endif
