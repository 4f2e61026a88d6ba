/*
 * The state of the service accounting (services.h), which its files share. Their interfaces, lower ones first; none is
 * used by a file above it in this list:
 *
 *     numbers.h               small numbers for values
 *     service_types.h         what is told and told of: services, rules
 *     service_names.h         names of services and counters
 *     service_charge.h        charging what the counters of the modes have accumulated
 *     service_frames.h        what a processor executes, as its frames say
 *     service_totals.h        totals over all processors
 *     service_watch.h         observers of changes of service or process
 *     service_calls.h         numbers of calls whose service is known only later
 *     service_queues.h        run queues
 *     service_shares.h        each process's share of each service
 *     service_tasks.h         processes
 *     service_stack.h         the automata: frames, and the CPU events that push and pop them
 *     service_rules.h         rules at kernel functions
 *     service_locks.h         locks, with lock_table.h and lock_code.h
 *     service_displacement.h  which service took away the lines that a service misses
 *     service_misses.h        misses by service, process, routine, data structure, cache and class
 *     service_cycles.h        cycles by mode, routine, cause, data structure and class of miss
 *     services.h              creation, structure offsets, the consistency check, figures for scripts
 *     service_report.h        output of the results
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICES_STATE_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICES_STATE_H

#include "annotations/accounts/account.h"
#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/services/lock_table.h"
#include "annotations/services/service_types.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"

enum { RUN_QUEUE_LENGTHS = 9 };
/* Frames per process. A kernel stack has 8 KB, and an exception takes at least about 200 bytes of it. */
enum { FRAMES_MAX = 24 };

/* Counts charged to a service or to one call of it. */
struct charge {
    uint64_t acquires, contended; /* spin locks acquired; those of them that had to be waited for */
    uint64_t dispatches;          /* dispatches of a process from a run queue in this service ... */
    cycles queued;                /* ... and the cycles that those processes were in run queues */
    struct account all;
    struct account sync; /* the part of `all` that was spent in routines that acquire and release spin locks */
};

/* Totals of a service on one processor. All members are 64-bit counters (see service_share_words()). */
struct service_sum {
    uint64_t calls;     /* calls that began on this processor, or were identified as this service on it */
    cycles latency;     /* cycles from begin to end, of the calls that ended on this processor */
    uint64_t ended;     /* calls that ended on this processor */
    cycles nested;      /* the part of latency spent in other services nested within */
    cycles blocked;     /* the part of latency in which the process was blocked */
    cycles descheduled; /* the part of latency in which the process was runnable but not running */
    struct charge charge;
};

/* A spin-lock routine in progress. */
struct sync {
    bool on;
    bool waiting;    /* in the slow path, waiting for the lock */
    bool releasing;  /* it releases the lock */
    bool is_trylock; /* a trylock: the routine's result says whether it acquired the lock */
    bool inlined;    /* an inlined release, not a call of a routine */
    uint8_t kind;    /* enum lock_kind */
    vaddr lock, caller;
    cycles since; /* begin of the routine, or of the wait in the slow path */
};

/* A call of a service that has not ended. */
struct frame {
    uint16_t service;
    uint32_t call;  /* its number (service_calls.c); 0: none */
    uint8_t class;  /* enum service_class */
    uint8_t rank;   /* rank of the last RULE_RECLASSIFY rule that applied; 0: none */
    bool is_final;  /* the service is final, and charges go directly to its totals */
    bool exception; /* ends with an eret; otherwise with the return of the function that was entered with $sp == sp */
    vaddr sp;
    cycles begun;
    cycles nested, blocked, descheduled;
    struct sync sync;
    struct charge own;        /* unless settled: charges that are not in `elsewhere` */
    struct charge *elsewhere; /* [cpu]: charges before the last context switch, by processor; NULL: none */
};

/* Charges of a process on one processor. */
struct task_share {
    struct task_share *next;
    unsigned cpu;
    struct account mode[MODE_COUNT];
};

/* Charges of a process for SERVICE on all processors: the leading members of struct service_sum, up to charge.all. */
struct service_share {
    struct service_share *next; /* sorted by service number */
    unsigned service;
    uint64_t figure[];
};

enum task_absence { TASK_RUNS, TASK_BLOCKED, TASK_DESCHEDULED, TASK_NOT_SEEN };

/* A process or kernel thread (a task_struct). */
struct task {
    struct task *next; /* all tasks, newest first, except those merged into a pool */
    vaddr address;     /* of its task_struct; 0: unknown */
    unsigned pid, tgid;
    char name[16];
    bool idles, is_daemon, seen_user, ended;
    enum task_absence absence;
    cycles absent_since; /* time of the last switch away from it */
    bool woken;          /* TASK_BLOCKED: it has been woken since ... */
    cycles woken_at;     /* ... at this time */
    unsigned depth;      /* nesting depth; calls deeper than FRAMES_MAX are charged to the frame FRAMES_MAX */
    struct frame *frames;
    struct task_share *shares;
    struct service_share *services;
    uint64_t members;           /* number of ended processes merged into this pool; 0: not a pool */
    unsigned queue;             /* 1 + number of the CPU whose run queue it is in; 0: in none */
    cycles queued_since;        /* time of entry into the present queue */
    cycles queued_before;       /* cycles in other queues since it became runnable */
    struct sync sync;           /* spin-lock state outside of any frame */
    struct lock_wait lock_wait; /* wait for a sleeping lock */
    struct lock_held held[TASK_HELD_MAX];
    unsigned held_count;
};

/* Run queue of a processor: runnable processes that are not running. */
struct run_queue {
    unsigned length, longest;
    uint64_t entered;             /* processes that entered it */
    uint64_t moved;               /* the part of `entered` that migrated from another queue */
    cycles waited;                /* cycles in the queue, of the processes that have left it */
    cycles last;                  /* time up to which at[] and integral are accounted */
    cycles at[RUN_QUEUE_LENGTHS]; /* cycles with this queue length; the last element: this length or more */
    cycles integral;              /* sum of length times cycles */
};

/* Accounting state of a processor. */
struct service_cpu {
    struct core *core;
    struct services *services;
    struct task *task;                                /* never NULL */
    struct charge *target;                            /* target of the charges of the current mode */
    struct sync *sync;                                /* spin-lock state of the current frame or task */
    struct account charged[MODE_COUNT];               /* the modes' counters up to which they have been charged */
    struct account task_from[MODE_COUNT];             /* the modes' counters when the task became current */
    struct account begin[MODE_COUNT];                 /* the modes' counters at creation or at the last reset */
    const uint64_t *source[MODE_COUNT][ACCOUNT_ROWS]; /* counters of the modes' misses by class */
    struct service_sum *sums;                         /* [service] */
    struct service_sum *shared;          /* [service]: the part of sums that has been charged to processes */
    uint64_t touched[SERVICES_MAX / 64]; /* bitmap of services: their sums may have changed since the last switch */
    struct run_queue queue;
    bool has_idled;
    struct lock_held held[CPU_HELD_MAX]; /* spin locks */
    unsigned held_count;
    struct task unknown_task; /* stands in for the current process while it is unknown */
};

struct counter {
    char name[SERVICE_NAME];
    uint64_t value;
};

/* TASKS_MAX limits the live tasks; a guest that claims more is not Linux, and its further tasks are accounted as the
 * unknown task. Of the ended tasks, the ENDED_MAX with most cycles are kept; the others are merged into one task for
 * each name (a pool). */
enum { ENDED_MAX = 1 << 10, POOLS_MAX = 64 };
enum { SYSCALL_BASE = 4000, SYSCALLS_MAX = 512, TASKS_MAX = 1 << 16, COUNTERS_MAX = 64 };

struct installed_rule {
    struct services *services;
    struct service_rule rule;
    struct installed_rule *next;
};

enum { SERVICE_WATCHERS = 4 };
struct service_watcher {
    service_watch_fn *call;
    void *opaque;
};

struct services {
    const struct machine_view *machine;
    struct events *events;
    struct returns *returns;
    struct service_layout layout;
    struct account_plan plan;
    struct locks *locks;         /* NULL: there are no lock rules */
    struct displaced *displaced; /* NULL: displacement is not recorded */
    struct miss_record *misses;  /* NULL: misses are not recorded by place */
    struct cycle_record *cycles; /* NULL: cycles are not recorded by place */
    bool numbers_calls;          /* calls have numbers */
    uint16_t *service_of_call;   /* [number]; service_calls.c */
    uint32_t calls, calls_room;
    vaddr kernel_stacks; /* address of the kernel's array kernelsp; 0: unknown */
    char name[SERVICES_MAX][SERVICE_NAME];
    unsigned count;
    uint16_t call[SYSCALLS_MAX]; /* service of system call SYSCALL_BASE + n; 0: not assigned yet */
    struct service_cpu percpu[BOARD_MAX_CPUS];
    struct task *tasks;
    struct hash_map living; /* tasks that have not ended, by address */
    unsigned ended, pools;
    struct installed_rule *rules;
    struct counter *counters; /* [COUNTERS_MAX] */
    unsigned counter_count;
    uint64_t exceptions[BOARD_MAX_CPUS][EXCEPTION_CODES],
        refills[BOARD_MAX_CPUS]; /* of the cores at creation or reset */
    uint64_t created, switches, preempted, woken, migrated;
    cycles begun;
    uint64_t too_deep; /* calls deeper than FRAMES_MAX */
    struct service_watcher watcher[SERVICE_WATCHERS];
    unsigned watcher_count;
};

static inline void charge_add(const struct account_plan *plan, struct charge *to, const struct charge *part)
{
    account_add(plan, &to->all, &part->all);
    account_add(plan, &to->sync, &part->sync);
    to->acquires += part->acquires;
    to->contended += part->contended;
    to->dispatches += part->dispatches;
    to->queued += part->queued;
}

static inline void service_mark_changed(struct service_cpu *percpu, unsigned service)
{
    percpu->touched[service / 64] |= UINT64_C(1) << service % 64;
}

#endif
