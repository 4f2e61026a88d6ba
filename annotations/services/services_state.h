/*
 * Inside the accounting of services: what its files share.
 *
 *     services.c         life, names, layout, sums and their check
 *     service_stack.c    the automata: frames, and what changes them
 *     service_tasks.c    processes
 *     service_rules.c    rules at the kernel's functions
 *     service_watch.c    who hears of changes
 *     service_shares.c   what each process has got of each service
 *     service_queues.c   run queues
 *     service_report.c   results
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_STATE_H
#define SIMOS_ANNOTATIONS_SERVICES_STATE_H

#include "annotations/accounts/account.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_watch.h"
#include "src/base/board.h"

enum { RUN_QUEUE_LENGTHS = 9 };
enum { FRAMES_MAX = 24 }; /* a process' kernel stack has 8 KB: an exception takes some 200 bytes of it at least */

/* What a service, or a call of it, has got. */
struct charge {
    uint64_t acquires, contended; /* spin locks that it took; for how many of them it had to wait */
    uint64_t queuings;            /* how often a process got the processor in it that had been in a run queue ... */
    cycles queued;                /* ... and for how long it had been there */
    struct account all;
    struct account sync; /* of that, in routines that take spin locks and give them back */
};

/* What a service has got on one processor. All are numbers of 64 bits: see service_share_words(). */
struct service_sum {
    uint64_t calls; /* that began there, or turned out there to be it */
    cycles latency; /* of those that ended there, from begin to end */
    uint64_t ended;
    cycles nested;      /* of the latency: other services on top of it */
    cycles blocked;     /* ... the process waited for something */
    cycles descheduled; /* ... the process could have run, and others did */
    struct charge charge;
};

/* A spin lock that is being taken or given back. */
struct sync {
    bool on;
    bool waits;   /* in the slow path */
    bool gives;   /* back */
    bool tries;   /* the routine's result says whether it has it */
    bool inlined; /* no routine: in the middle of something else */
    uint8_t kind; /* enum lock_kind */
    vaddr lock, caller;
    cycles since; /* ... it waits */
};

/* A call of a service that has not ended. */
struct frame {
    uint16_t service;
    uint8_t class;  /* enum service_class */
    uint8_t rank;   /* of what it turned out to be so far */
    bool settled;   /* it will not turn out to be anything else: charged to its service directly */
    bool exception; /* ends with an eret; else with the return of a function that was entered with $sp ... */
    vaddr sp;
    cycles begun;
    cycles nested, blocked, descheduled;
    struct sync sync;
    struct charge own;        /* what it has got, unless settled, since it is on the present processor */
    struct charge *elsewhere; /* ... and on the others before: [cpu]; NULL: nothing */
};

/* What a process has got on one processor. */
struct task_share {
    struct task_share *next;
    unsigned cpu;
    struct account mode[MODE_COUNT];
};

/* What a process has got of SERVICE on all processors: the beginning of a struct service_sum, without the sync part. */
struct service_share {
    struct service_share *next; /* by number of the service */
    unsigned service;
    uint64_t figure[];
};

enum task_absence { TASK_RUNS, TASK_BLOCKED, TASK_DESCHEDULED, TASK_NOT_SEEN };

/* A process, or kernel thread: what has a kernel stack. */
struct task {
    struct task *next;         /* all there have been, the newest first, but for those in pools */
    struct task *next_in_slot; /* of those that live, by address */
    vaddr address;             /* of its task_struct; 0: not known */
    unsigned pid, tgid;
    char name[16];
    bool idles, is_daemon, seen_user, gone;
    enum task_absence absence;
    cycles absent_since; /* ... and, of one that was blocked and has been woken: */
    bool woken;
    cycles woken_at;
    unsigned depth; /* frames there should be; those above FRAMES_MAX are charged to the last that there is */
    struct frame *frames;
    struct task_share *shares;
    struct service_share *services;
    uint64_t members;    /* of a pool: how many processes of that name, which have ended, it is; else 0 */
    unsigned queue;      /* it is in the run queue of processor QUEUE - 1; 0: in none */
    cycles queued_since; /* ... since then; before that, since it could run: */
    cycles queued_before;
    struct sync sync;           /* outside of any frame */
    struct lock_wait lock_wait; /* for a lock that lets others run meanwhile */
    struct lock_held held[TASK_HELD_MAX];
    unsigned held_count;
};

/* Processes that could run and do not, by the processor that they wait for. */
struct run_queue {
    unsigned length, longest;
    uint64_t entered;             /* processes that came to it ... */
    uint64_t moved;               /* ... of these, from another queue */
    cycles waited;                /* time that those were in it that have left it */
    cycles last;                  /* until then it is known ... */
    cycles at[RUN_QUEUE_LENGTHS]; /* ... how long there were so many; the last: that many or more */
    cycles integral;              /* sum of length times time */
};

/* What is current on a processor. */
struct place {
    struct core *core;
    struct services *services;
    struct task *task;                                /* never NULL */
    struct charge *to;                                /* where what comes next will be charged */
    struct sync *sync;                                /* what it is doing with spin locks */
    struct account charged[MODE_COUNT];               /* of the modes' figures, up to where it has been */
    struct account task_from[MODE_COUNT];             /* the modes' figures when the task became current */
    struct account begin[MODE_COUNT];                 /* ... when all began */
    const uint64_t *source[MODE_COUNT][ACCOUNT_ROWS]; /* of the modes' misses by class */
    struct service_sum *sums;                         /* [service] */
    struct service_sum *shared;                       /* [service]: what of them has been given to processes */
    uint64_t touched[SERVICES_MAX / 64];              /* bit: that service may have got something since */
    struct run_queue queue;
    bool has_idled;
    struct lock_held held[PLACE_HELD_MAX]; /* spin locks */
    unsigned held_count;
    struct task nobody; /* while no process is known */
};

struct counter {
    char name[SERVICE_NAME];
    uint64_t value;
};

/* TASKS_MAX: what lives at once; a guest that claims more is not Linux, and the last ones are not told apart. */
/* Of processes that have ended, those with most time are kept; the others become one for each name (a pool). */
enum { ENDED_MAX = 1 << 10, POOLS_MAX = 64 };
enum { SYSCALL_BASE = 4000, SYSCALLS_MAX = 512, TASK_SLOTS = 1 << 10, TASKS_MAX = 1 << 16, COUNTERS_MAX = 64 };

struct installed_rule {
    struct services *services;
    struct service_rule rule;
    struct installed_rule *next;
};

struct service_watcher {
    service_watch_fn *call;
    void *opaque;
};

struct services {
    const struct subject *subject;
    struct events *events;
    struct returns *returns;
    struct service_layout layout;
    struct account_plan plan;
    struct locks *locks; /* NULL: no rule has spoken of them */
    vaddr kernel_stacks; /* the kernel's array kernelsp; 0: not known */
    char name[SERVICES_MAX][SERVICE_NAME];
    unsigned count;
    uint16_t call[SYSCALLS_MAX]; /* service of system call SYSCALL_BASE + n; 0: not seen yet */
    struct place place[BOARD_MAX_CPUS];
    struct task *tasks;
    struct task *slot[TASK_SLOTS];
    unsigned living, ended, pools;
    struct installed_rule *rules;
    struct counter *counters; /* [COUNTERS_MAX] */
    unsigned counter_count;
    uint64_t exceptions[BOARD_MAX_CPUS][EXC_COUNT], refills[BOARD_MAX_CPUS]; /* of the cores when all began */
    uint64_t created, switches, preempted, woken, migrated;
    cycles begun;
    uint64_t too_deep; /* frames that there was no room for */
    struct service_watcher watcher[SERVICE_WATCHERS];
    unsigned watcher_count;
};

static inline void charge_add(const struct account_plan *plan, struct charge *to, const struct charge *part)
{
    account_add(plan, &to->all, &part->all);
    account_add(plan, &to->sync, &part->sync);
    to->acquires += part->acquires;
    to->contended += part->contended;
    to->queuings += part->queuings;
    to->queued += part->queued;
}

static inline void service_touch(struct place *place, unsigned service)
{
    place->touched[service / 64] |= UINT64_C(1) << service % 64;
}

/* service_stack.c */
extern const struct core_observer service_observer;
/* Charge what the present mode has got to where it belongs. */
void service_flush(struct place *place);
/* The same between runs: everything, also what no cycle went with. */
void service_flush_all(struct place *place);
/* Find out where what comes next belongs. */
void service_choose(struct place *place);
void service_push(struct place *place, unsigned service, enum service_class class, bool exception);
/* End the innermost frame. There is one. */
void service_pop(struct place *place);
/* The innermost frame is of SERVICE, of RANK. */
void service_become(struct place *place, unsigned service, uint8_t rank);
/* The task at PLACE goes away, TASK comes. */
void service_switch(struct place *place, struct task *task);
struct frame *service_top(struct task *task);
unsigned service_of_call(struct services *services, uint32_t number);
/* What there is outside of any call. */
unsigned service_base(const struct place *place);

/* service_watch.c */
/* What PLACE is charged to may have changed. */
void service_tell(struct place *place);

/* service_tasks.c */
/* The process with its task_struct at ADDRESS; made if it is new, or CORE's unknown one if there are too many. */
struct task *task_find(struct services *services, struct core *core, vaddr address);
/* It is gone: what it was doing ends; another may have its address. */
void task_end(struct services *services, struct core *core, struct task *task);
/* ADDRESS is a new process', whatever was there. */
struct task *task_born(struct services *services, struct core *core, vaddr address);
/* What the place's task has got since it became current is the task's. */
void task_take_share(struct place *place);
/* The process that CORE is running, from its registers and the kernel's memory; 0 if it cannot be known. */
vaddr task_address(const struct services *services, struct core *core);
void task_free_all(struct services *services);
/* What TASK has got so far is forgotten. */
void task_begin_again(struct services *services, struct task *task);

/* service_shares.c */
/* How many figures a share has: those of struct service_sum up to charge.all. */
unsigned service_share_words(const struct account_plan *plan);
/* What the place's services have got since the last time is the place's task's. */
void service_shares_take(struct place *place);
/* CHARGE, and CALLS, go to SERVICE at PLACE, for TASK, whoever is current there. */
void service_shares_give(struct place *place, struct task *task, unsigned service, const struct charge *charge,
                         uint64_t calls);
/* TO gets what FROM has. */
void service_shares_merge(const struct services *services, struct task *to, const struct task *from);
/* All that TASK has got of SHARE's service, with what lies in frames. Settled. */
void service_shares_read(const struct services *services, const struct task *task, const struct service_share *share,
                         struct service_sum *sum);
/* There is a share for all that TASK is in the middle of. */
void service_shares_settle(struct services *services, struct task *task);
/* Do processes have what services have, and each process what it has in the modes? Settled. */
bool service_shares_check(const struct services *services, struct err *err);
/* What TASK has got is forgotten. */
void service_shares_free(struct task *task);

/* service_queues.c */
/* TASK, that does not run, could from now on: on PROCESSOR. */
void service_queue_enter(struct services *services, struct task *task, unsigned processor, cycles now);
/* It runs: how long it has been in queues. Nothing if it is in none. */
cycles service_queue_leave(struct services *services, struct task *task, cycles now);
/* It waits for PROCESSOR now, if it does. */
void service_queue_move(struct services *services, struct task *task, unsigned processor, cycles now);
/* The processor that the kernel has given TASK to, as CORE reads it. */
unsigned service_queue_of(const struct services *services, struct core *core, const struct task *task);
/* Bring the queue of PLACE up to NOW. */
void service_queue_advance(struct run_queue *queue, cycles now);
/* Figures begin anew. */
void service_queues_begin_again(struct services *services);
/* Have services what processes waited? */
bool service_queues_check(const struct services *services, struct err *err);
void service_queues_print(const struct services *services, FILE *out);
void service_queues_write_json(const struct services *services, FILE *out);

/* service_rules.c */
void service_rules_free(struct services *services);

/* services.c */
/* All places' sums of SERVICE, with what lies in frames that have not ended. Settled. */
void service_total(const struct services *services, unsigned service, struct service_sum *sum);

#endif
