/*
 * Who the cycles are for: every cycle, stall, miss and instruction of every processor is charged to a service of the
 * operating system, or to the user's program, or to nobody (idle), and to a process. SOSP'95 section 2.1.1: state
 * machines for each processor and each process, and a pushdown automaton for exceptions and interrupts; tables 4.8 and
 * 5.4 are made from it.
 *
 * The automaton: an exception pushes a frame, eret pops it; a frame belongs to the process that was current (the way
 * back is on its kernel stack), and goes and comes with it. What the hardware can tell it tells: the system call by its
 * number, TLB refills, interrupts. What only the kernel can tell comes from rules, which say at which of its functions
 * a frame turns out to be something else, another begins, or another process becomes current. All of it runs here; no
 * script is asked.
 *
 * Attribution stays where it was: the buckets of the modes (cpu/core.h) hold the truth, and at every change of service
 * what they have gained since the last goes to the old one. So nothing that is measured without this changes, and the
 * sums of both agree: services_check().
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_H
#define SIMOS_ANNOTATIONS_SERVICES_H

#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/symbols/subject.h"
#include <stdio.h>

struct services;

/* Services there always are; others get numbers behind these. */
enum {
    SERVICE_USER,       /* the program itself */
    SERVICE_IDLE,       /* the idle loop, and `wait` wherever it is */
    SERVICE_END_IDLE,   /* an idle process outside its loop: SOSP'95 section 5.3 */
    SERVICE_BOOT,       /* the first process before it first idles, and whatever runs before a process is known */
    SERVICE_DAEMONS,    /* kernel threads */
    SERVICE_NEW_TASK,   /* a process before it first comes to user mode */
    SERVICE_UTLB,       /* TLB refill of a user address */
    SERVICE_KTLB,       /* TLB refill of a mapped kernel address */
    SERVICE_DBL_FAULT,  /* an exception within the TLB refill handler */
    SERVICE_PFAULT,     /* TLB exceptions that no rule makes anything else: protection, modify and reference bits */
    SERVICE_INTERRUPT,  /* an interrupt that no rule names */
    SERVICE_ADDRESS,    /* address error */
    SERVICE_BUS,        /* bus error */
    SERVICE_BREAK,      /* breakpoint, trap */
    SERVICE_RESERVED,   /* reserved instruction */
    SERVICE_CPU_FAULT,  /* coprocessor unusable: the floating-point unit is given to a process */
    SERVICE_ARITHMETIC, /* overflow, floating point */
    SERVICE_OTHER,      /* watch, machine check */
    SERVICE_FIXED_COUNT
};

enum { SERVICE_NAME = 32, SERVICES_MAX = 1024 };

/* What a frame is, for rules that say what it turns out to be. */
enum service_class { SERVICE_IS_PLAIN, SERVICE_IS_FAULT, SERVICE_IS_INTERRUPT };

/* Where the current process is known from, and offsets in the kernel's structures; those not known are negative. */
struct service_layout {
    int task_of_thread; /* thread_info.task */
    int state;          /* task_struct.__state */
    uint32_t dead;      /* bits of it that say that the process will not run again */
    int pid, tgid, comm;
    int mm;    /* task_struct.mm: 0 in a kernel thread */
    int stack; /* task_struct.stack: its thread_info */
    int cpu;   /* thread_info.cpu */
};

/* What has to hold at a rule's place: a register, or the word in memory OFFSET behind it, is LOW to HIGH (or is not).
 */
struct service_condition {
    bool memory;   /* the word at REG + OFFSET */
    bool opposite; /* is not VALUE */
    uint8_t reg;
    int32_t offset;
    uint32_t low, high;
};

enum { SERVICE_CONDITIONS = 3 };
/* Does CONDITION hold on CORE now? */
bool service_condition_holds(const struct service_condition *condition, struct core *core);

enum service_rule_kind {
    RULE_ENTER,  /* a frame of SERVICE begins, until the function returns */
    RULE_BECOME, /* the innermost frame is of SERVICE if it is of CLASS and of lower RANK so far */
    RULE_SWITCH, /* the process whose task_struct is in REG becomes current */
    RULE_BORN,   /* the process in REG is new */
    RULE_NAMED,  /* the process in REG gets the name at A1 */
    RULE_WOKEN,  /* the process in REG could run from now on */
    RULE_MOVED,  /* the process in REG is to run on the processor in A1 */
    RULE_COUNT,  /* one more of what COUNTER counts */
};

struct service_rule {
    enum service_rule_kind kind;
    vaddr address;
    unsigned service;
    enum service_class class;
    uint8_t rank;
    uint8_t reg;
    struct service_condition condition[SERVICE_CONDITIONS]; /* all hold */
    unsigned conditions;
    uint64_t *counter;
};

/* Accounting of SUBJECT begins now. All must outlive it. */
struct services *services_create(const struct subject *subject, struct events *events, struct returns *returns);
/* NULL is fine. While the machine is there. */
void services_free(struct services *services);

/* The number of the service NAME, which need not exist. SERVICES_MAX if there are too many. */
unsigned services_find(struct services *services, const char *name);
/* System call NUMBER (as in $v0) is the service called NAME. False if there are too many. */
bool services_name_call(struct services *services, uint32_t number, const char *name);
void services_set_layout(struct services *services, const struct service_layout *layout);
/* From now on RULE holds on all processors. */
void services_add_rule(struct services *services, const struct service_rule *rule);
/* A counter of events called NAME, for RULE_COUNT. Owned by SERVICES. */
uint64_t *services_counter(struct services *services, const char *name);

/* What has been charged and counted so far is forgotten: the figures begin here. Processes and what they are in the
 * middle of stay known. Between runs. */
void services_begin_again(struct services *services);

/* Bring everything up to date. Between runs. */
void services_settle(struct services *services);
/* Per processor: do services, and do processes, have exactly what the modes have got since the beginning? And have the
 * services of all processes what the services have, those of each process what it has got in the modes, and services
 * the time that processes were in run queues? Settles. */
bool services_check(struct services *services, struct err *err);

/* Results, settled. As text: event rates (tables 4.2 and 5.2), services (tables 4.8 and 5.4), processes. */
void services_print(struct services *services, FILE *out);
/* The same as members of a JSON object, indented by four, without the braces around them. */
void services_write_json(struct services *services, FILE *out);

/* For scripts: figures of service NAME or of all processors together; false if there is no such service or figure.
 * FIGURE: calls, cycles, insns, latency, ended, blocked, descheduled; of spin locks sync (cycles), acquires, contended;
 * of run queues queued (cycles), queuings; stall (cycles), misses (of the first level). With PROCESS, of the processes
 * of that name, or with that number, alone (but not sync); 0 if there are none. */
bool services_figure(struct services *services, const char *name, const char *figure, const char *process,
                     uint64_t *value);
/* Time that processes were in the run queue of CPU, up to now. Between turns. */
cycles services_queued(struct services *services, unsigned cpu);
/* The service, and the process, that CORE is charged to now. */
const char *services_current(struct services *services, struct core *core);
struct service_process {
    vaddr task; /* 0: none is known */
    unsigned pid, tgid;
    const char *name;
};
struct service_process services_current_process(struct services *services, struct core *core);
/* The process whose task_struct is at ADDRESS, as CORE sees it. */
struct service_process services_process_at(struct services *services, struct core *core, vaddr address);

#endif
