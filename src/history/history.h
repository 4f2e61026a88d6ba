/*
 * The past of a running machine: snapshots of the process, by fork(2), which wait until they are asked to run again.
 *
 * The process of the present takes a snapshot now and then. To go back, a snapshot makes a copy of itself; this copy, a
 * process of the past, runs the machine forward to the instant wanted, with the input that the present has received
 * since (src/host/external_log.h). It is the same program in the same state, so that everything comes again: registers,
 * memory, caches, statistics, annotations. The present waits meanwhile, and passes on what is asked. A process of the
 * past has neither terminal, network nor files that are written (src/history/cut_off.h).
 *
 * Who uses it is a front end: the shell, or the stub for gdb. It gives functions that run the machine and answer
 * questions; they are called in processes of the past.
 *
 *     history = history_begin(machine, &options, &front, &err);
 *     ... machine_run(), as ever: snapshots are taken meanwhile ...
 *     history_go(history, &target, &err);
 *     history_ask(history, question, size, &answer, &err);
 *     history_return(history);
 *     history_end(history);
 *
 * If the machine repeats a recorded run, the checkpoints that this run saved are snapshots too, asleep in their files:
 * the process that is forked for one loads it first, and goes on with the record (history_add_file()).
 *
 * A change of the machine by hand, such as of a register, is not among the input: whoever makes it calls
 * history_changed(), and no run of the past goes across.
 */
#ifndef SIMOS_HISTORY_HISTORY_H
#define SIMOS_HISTORY_HISTORY_H

#include "src/history/find.h"
#include "src/machine/machine.h"
#include <stdio.h>

struct history;

struct history_options {
    uint64_t every;  /* instructions between snapshots; 0: so that they take a twentieth of the host's time at most */
    uint64_t memory; /* bytes that the snapshots may hold together */
};
#define HISTORY_DEFAULTS ((struct history_options){.every = 0, .memory = UINT64_C(1) << 30})

struct history_position {
    cycles time; /* machine_now() */
    uint64_t insns;
};

/* Parse "every=N,memory=SIZE,series=FOLDER", any of them, in any order. *SERIES, to be freed by the caller, is NULL
 * without one. False with ERR. */
bool history_options_parse(struct history_options *options, char **series, const char *text, struct err *err);

enum { HISTORY_FILES_MAX = 100 };

/* A checkpoint of the run that MACHINE repeats: a snapshot that is loaded when it is needed. */
struct history_file {
    const char *path;
    struct history_position at;
    const uint64_t *cpu_insns; /* of each CPU of the machine */
};

/* A front end. All functions get OPAQUE. */
struct history_front {
    void *opaque;
    /* In a new process of the past: forget signals, breakpoints, and whatever belongs to the process of the present. */
    void (*enter)(void *opaque);
    /* In a new process of the past: the machine of the checkpoint PATH, in the place of the one that there is, with the
     * input that came to it; NULL with ERR. NULL if there are no files. */
    struct machine *(*load)(void *opaque, const char *path, struct err *err);
    /* In a process of the past: machine_run(), with everything else that happens in a run of this front end. */
    enum machine_stop (*run)(void *opaque, const struct machine_limits *limits);
    /* In a process of the past: answer the QUESTION of history_ask(), SIZE bytes and a NUL. */
    void (*answer)(void *opaque, const char *question, size_t size, FILE *answer);
    /* In the present: shall waiting for an answer end? The descriptor
     * that is readable then; -1: none. */
    bool (*is_ending)(void *opaque);
    int (*interrupt_fd)(void *opaque);
};

/* Keep a past of MACHINE from now on. OPTIONS and FRONT are copied. NULL with ERR: of this machine none can be kept, or
 * the memory is too small for one snapshot. */
struct history *history_begin(struct machine *machine, const struct history_options *options,
                              const struct history_front *front, struct err *err);
/* Add FILE to the past, before the first run; its path must outlive HISTORY. In the order of time. */
void history_add_file(struct history *history, const struct history_file *file);
/* End all processes, and forget the past. Before machine_free(). NULL is allowed. */
void history_end(struct history *history);

/* The machine has been changed by hand, between runs. NULL is allowed. */
void history_changed(struct history *history);

/* Is the place that one looks at in the past? NULL is allowed. */
bool history_is_past(const struct history *history);
/* The place that one looks at; the present; the earliest one that can be reached. */
struct history_position history_place(const struct history *history);
struct history_position history_present(const struct history *history);
struct history_position history_first(const struct history *history);

enum history_unit { HISTORY_INSNS, HISTORY_CPU_INSNS, HISTORY_TIME };

/* The guest has come to the mark NAME. From host callbacks. NULL is allowed. */
void history_note_mark(struct history *history, const char *name);
/* The instructions executed when the guest last came to the mark NAME before the place that one looks at. False: it has
 * not. */
bool history_mark(const struct history *history, const char *name, uint64_t *insns);

/* An instant: the first at which all CPUs have executed VALUE instructions, or CPU has, or at which VALUE cycles have
 * passed since power-on. */
struct history_target {
    enum history_unit unit;
    unsigned cpu;
    uint64_t value;
};

/* Go to TARGET, from wherever one is. False with ERR: the place is the same as before. */
bool history_go(struct history *history, const struct history_target *target, struct err *err);
/* Return to the present, at once. */
void history_return(struct history *history);

/* How many instructions CPU had executed at the place that one looks at, and at the earliest one. */
uint64_t history_cpu_insns(const struct history *history, unsigned cpu);
uint64_t history_first_cpu_insns(const struct history *history, unsigned cpu);

/* What an answer of a process of the past ended with. */
enum history_outcome {
    HISTORY_FAILED,  /* there is no answer */
    HISTORY_STAYED,  /* it is still the past */
    HISTORY_PRESENT, /* the run of the past has come to the present, and that is the place now */
    HISTORY_CHANGE,  /* it has come to a change by hand: the place is behind it */
};

/* Let the process of the past answer QUESTION. *ANSWER, to be freed, gets a NUL behind its *SIZE bytes. ERR with
 * HISTORY_FAILED; if the process has ended, the place is the present then. */
enum history_outcome history_ask(struct history *history, const char *question, size_t question_size, char **answer,
                                 size_t *size, struct err *err);

/* The same at another instant, TARGET, without going there. False with ERR. */
bool history_peek(struct history *history, const struct history_target *target, const char *question,
                  size_t question_size, char **answer, size_t *size, struct err *err);

/* Find the last event of REQUEST before UNTIL, such as the place that one looks at. *FOUND says whether there is one,
 * and EVENT which. The place stays. False with ERR. */
bool history_find(struct history *history, const struct find_request *request, struct history_position until,
                  bool *found, struct find_event *event, struct err *err);
/* Find all events of REQUEST between FROM and TO (instructions; not behind the present): COUNT of them in EVENTS, to be
 * freed. False with ERR. */
bool history_find_all(struct history *history, const struct find_request *request, uint64_t from, uint64_t to,
                      struct find_event **events, size_t *count, struct err *err);

struct history_counts {
    unsigned snapshots;
    uint64_t bytes; /* they hold at most, together */
    uint64_t limit;
    unsigned refused; /* snapshots that the host refused */
    unsigned lost;    /* snapshots that ended by themselves */
};
struct history_counts history_counts(const struct history *history);

#endif
