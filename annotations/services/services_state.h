/*
 * Internal interface of the service accounting (services.h), shared by its files:
 *
 *     services.c         creation, names, structure offsets, totals and their consistency check
 *     service_stack.c    the automata: frames, and the CPU events that push and pop them
 *     service_tasks.c    processes
 *     service_rules.c    rules at kernel functions
 *     service_watch.c    observers of changes of service or process
 *     service_shares.c   each process's share of each service
 *     service_queues.c   run queues
 *     service_calls.c    numbers of calls whose service is known only later
 *     service_displacement.c  which service took away the lines that a service misses
 *     service_misses.c   misses by service, process, routine, data structure, cache and class
 *     service_report.c   output of the results
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICES_STATE_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICES_STATE_H

#include "annotations/accounts/account.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_watch.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"
#include "src/base/json_writer.h"

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
    uint64_t exceptions[BOARD_MAX_CPUS][EXC_COUNT], refills[BOARD_MAX_CPUS]; /* of the cores at creation or reset */
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

/* service_stack.c */
extern const struct core_observer service_observer;
/* Charge what the current mode has accumulated since the last flush to its current target. */
void service_charge_mode(struct service_cpu *percpu);
/* Like service_charge_mode(), for all modes, including changes of counters without a cycle or instruction. Between
 * runs. */
void service_charge_all_modes(struct service_cpu *percpu);
/* Determine the target of further charges from the mode and the innermost frame. */
void service_select_target(struct service_cpu *percpu);
/* Push a frame of SERVICE on the current task's stack. EXCEPTION: it ends with an eret. */
void service_push(struct service_cpu *percpu, unsigned service, enum service_class class, bool exception);
/* Pop the innermost frame, which must exist, and account its latency. */
void service_pop(struct service_cpu *percpu);
/* Change the service of the innermost frame to SERVICE, with RANK. */
void service_reclassify(struct service_cpu *percpu, unsigned service, uint8_t rank);
/* Context switch of PERCPU's processor to TASK. */
void service_context_switch(struct service_cpu *percpu, struct task *task);
/* The innermost frame of TASK; NULL: none. */
struct frame *service_top(struct task *task);
/* The service of system call NUMBER (as in $v0). */
unsigned service_of_call(struct services *services, uint32_t number);
/* The service that is charged outside of any frame. */
unsigned service_outside_frames(const struct service_cpu *percpu);

/* service_watch.c */
/* Notify the observers (service_watch.h) that the service or the process of PERCPU's processor may have changed. */
void service_notify(struct service_cpu *percpu);

/* service_tasks.c */
/* The task with its task_struct at ADDRESS, created if necessary. With TASKS_MAX live tasks: CORE's unknown task. */
struct task *task_find(struct services *services, struct core *core, vaddr address);
/* End TASK, unless it is current on a CPU: close its open frames and free its address for another task. */
void task_end(struct services *services, struct core *core, struct task *task);
/* A new task at ADDRESS; a previous task with this address is ended. */
struct task *task_create(struct services *services, struct core *core, vaddr address);
/* Charge what accumulated on PERCPU's processor since its task became current to that task. */
void task_charge_modes(struct service_cpu *percpu);
/* Address of the task_struct of the process that CORE runs, from registers and kernel memory; 0: unknown. */
vaddr task_address(const struct services *services, struct core *core);
void task_free_all(struct services *services);
/* Reset the counters of TASK. */
void task_reset(struct services *services, struct task *task);

/* service_shares.c */
/* Number of 64-bit counters in a share: those of struct service_sum up to charge.all. */
unsigned service_share_words(const struct account_plan *plan);
/* Charge what PERCPU's services have accumulated since the last call to PERCPU's current task. */
void service_shares_charge(struct service_cpu *percpu);
/* Add CHARGE and CALLS to SERVICE in PERCPU, on behalf of TASK, which need not be current there. */
void service_shares_add(struct service_cpu *percpu, struct task *task, unsigned service, const struct charge *charge,
                        uint64_t calls);
/* Add all shares of FROM to those of TO. */
void service_shares_merge(const struct services *services, struct task *to, const struct task *from);
/* Totals of TASK for SHARE's service into SUM, including open frames. After services_update(). */
void service_shares_read(const struct services *services, const struct task *task, const struct service_share *share,
                         struct service_sum *sum);
/* Make sure that there is a share for the service of each open frame of TASK. */
void service_shares_add_open_frames(struct services *services, struct task *task);
/* Check that processes add up to services, and each process's services to its modes. After services_update(). */
bool service_shares_check(const struct services *services, struct err *err);
/* Free all shares of TASK. */
void service_shares_free(struct task *task);

/* service_queues.c */
/* TASK has become runnable on PROCESSOR without running. Ignored for idle tasks, the unknown task, and tasks in a
 * queue. */
void service_queue_enter(struct services *services, struct task *task, unsigned processor, cycles now);
/* TASK is dispatched: remove it from its queue. Returns the cycles in queues since it became runnable; 0 if in none. */
cycles service_queue_leave(struct services *services, struct task *task, cycles now);
/* Move TASK to the queue of PROCESSOR, if it is in another one. */
void service_queue_move(struct services *services, struct task *task, unsigned processor, cycles now);
/* The processor whose run queue TASK is in, from the kernel's thread_info.cpu, read through CORE. */
unsigned service_queue_of(const struct services *services, struct core *core, const struct task *task);
/* Account the length of QUEUE up to time NOW. */
void service_queue_update(struct run_queue *queue, cycles now);
/* Reset the counters of all queues; processes stay in their queues. */
void service_queues_reset(struct services *services);
/* Check that the waiting times of processes and services agree. */
bool service_queues_check(const struct services *services, struct err *err);
void service_queues_print(const struct services *services, FILE *out);
void service_queues_write_json(const struct services *services, struct json_writer *json);

/* services.c */
/* Misses of the first level by the processors' own counters. */
uint64_t service_first_level_misses(const struct services *services);

/* service_calls.c */
/* From now on calls that may be reclassified have numbers. */
void service_calls_wanted(struct services *services);
/* A call of SERVICE begins that may be reclassified. Returns its number; 0: it has none. */
uint32_t service_call_begin(struct services *services, unsigned service);
/* CALL (0 is ignored) turned out to be one of SERVICE; its service is final. */
void service_call_reclassify(struct services *services, uint32_t call, unsigned service);
void service_call_end(struct services *services, uint32_t call);
/* What CPU executes now: a service, or SERVICES_MAX and more: a call with a number. The service of that, as far as it
 * is known; the same as a number that no longer changes, if the service is final. */
uint32_t service_executing(const struct services *services, unsigned cpu);
unsigned service_call_service(const struct services *services, uint32_t who);
uint32_t service_call_settled(const struct services *services, uint32_t who);

/* service_misses.c; MISSES may be NULL */
struct miss_record;
void service_misses_free(struct miss_record *misses);
void service_misses_reset(struct services *services);
/* Do the misses by place add up to the counters of the caches? False with ERR. */
bool service_misses_check(const struct services *services, struct err *err);
/* Write the member `misses`. They are recorded. */
void service_misses_write_json(const struct services *services, struct json_writer *json);

/* service_displacement.c; DISPLACED may be NULL */
void service_displacement_free(struct displaced *displaced);
/* Reset the counters. */
void service_displacement_reset(struct services *services);
/* Check that the misses of the first level add up to the processors' counters. After services_update(). */
bool service_displacement_check(const struct services *services, struct err *err);
/* Write the member `displaced`. It is recorded. */
void service_displacement_write_json(const struct services *services, struct json_writer *json);

/* service_rules.c */
void service_rules_free(struct services *services);

/* services.c */
/* Totals of SERVICE over all processors into SUM, including open frames. After services_update(). */
void service_total(const struct services *services, unsigned service, struct service_sum *sum);

#endif
