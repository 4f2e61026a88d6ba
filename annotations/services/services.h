/*
 * Accounting of operating-system services: charges every cycle, stall, miss and instruction of every processor to a
 * service of the operating system, to user code or to idle, and to a process. SOSP'95 section 2.1.1: a state machine
 * for each processor and each process, and a pushdown automaton for exceptions and interrupts; tables 4.8 and 5.4 are
 * made from it.
 *
 * The automaton: an exception pushes a frame, an eret pops it. A frame belongs to the process that was current (its
 * return state is on that process's kernel stack) and follows the process through context switches. The hardware
 * identifies system calls (by number), TLB refills and interrupts. Rules at addresses of kernel functions supply what
 * only the kernel knows: that a frame is of another service, that a nested service begins, or that another process
 * becomes current. All of it runs in C; no script is evaluated.
 *
 * The counters of the modes (cpu/core.h, struct bucket) are authoritative: at every change of service their increase
 * since the last change is charged to the old service. So the accounting changes no other statistic, and its sums must
 * equal the modes': services_check().
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICES_H

#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/symbols/machine_view.h"
#include "src/base/json_writer.h"
#include <stdio.h>

struct services;

/* Predefined services; others are numbered from SERVICE_FIXED_COUNT. */
enum {
    SERVICE_USER,       /* user mode */
    SERVICE_IDLE,       /* the idle loop, and `wait` anywhere */
    SERVICE_END_IDLE,   /* an idle task outside its loop: SOSP'95 section 5.3 */
    SERVICE_BOOT,       /* the first process before it first idles, and execution before the process is known */
    SERVICE_DAEMONS,    /* kernel threads */
    SERVICE_NEW_TASK,   /* a process before it first enters user mode */
    SERVICE_UTLB,       /* TLB refill of a user address */
    SERVICE_KTLB,       /* TLB refill of a mapped kernel address */
    SERVICE_DBL_FAULT,  /* an exception within the TLB refill handler */
    SERVICE_PFAULT,     /* TLB exceptions that no rule reclassifies: protection, modify and reference bits */
    SERVICE_INTERRUPT,  /* an interrupt that no rule classifies */
    SERVICE_ADDRESS,    /* address error */
    SERVICE_BUS,        /* bus error */
    SERVICE_BREAK,      /* breakpoint, trap */
    SERVICE_RESERVED,   /* reserved instruction */
    SERVICE_CPU_FAULT,  /* coprocessor unusable: lazy assignment of the floating-point unit */
    SERVICE_ARITHMETIC, /* overflow, floating point */
    SERVICE_OTHER,      /* watch, machine check */
    SERVICE_FIXED_COUNT
};

enum { SERVICE_NAME = 32, SERVICES_MAX = 1024 };

/* Class of a frame, tested by RULE_RECLASSIFY. */
enum service_class { SERVICE_IS_PLAIN, SERVICE_IS_FAULT, SERVICE_IS_INTERRUPT };

/* Offsets in the kernel's structures, from which processes are identified; negative: unknown. */
struct service_layout {
    int task_of_thread; /* thread_info.task */
    int state;          /* task_struct.__state */
    uint32_t dead;      /* mask of the bits of `state` that mean that the process will not run again */
    int pid, tgid, comm;
    int mm;    /* task_struct.mm: NULL in a kernel thread */
    int stack; /* task_struct.stack: its thread_info */
    int cpu;   /* thread_info.cpu */
};

/* Condition of a rule: a register, or the word in memory at register + OFFSET, is in LOW..HIGH (or is not). */
struct service_condition {
    bool memory;  /* test the word at REG + OFFSET, not REG */
    bool negated; /* holds if the value is outside LOW..HIGH */
    uint8_t reg;
    int32_t offset;
    uint32_t low, high;
};

enum { SERVICE_CONDITIONS = 3 };
/* True if CONDITION holds on CORE now. */
bool service_condition_holds(const struct service_condition *condition, struct core *core);

enum service_rule_kind {
    RULE_ENTER,      /* push a frame of SERVICE, until the function returns */
    RULE_RECLASSIFY, /* change the innermost frame to SERVICE, if it is of CLASS and its rank is below RANK */
    RULE_SWITCH,     /* context switch to the process whose task_struct is in REG */
    RULE_CREATED,    /* the process in REG has been created */
    RULE_NAMED,      /* the process in REG takes the name that A1 points at */
    RULE_WOKEN,      /* the process in REG has been woken */
    RULE_MOVED,      /* the process in REG migrates to the processor in A1 */
    RULE_COUNT,      /* increment COUNTER */
};

struct service_rule {
    enum service_rule_kind kind;
    vaddr address;
    unsigned service;
    enum service_class class;
    uint8_t rank;
    uint8_t reg;
    struct service_condition condition[SERVICE_CONDITIONS]; /* the rule applies if all hold */
    unsigned conditions;
    uint64_t *counter;
};

/* Begin accounting of the machine MACHINE. All arguments must outlive it. */
struct services *services_create(const struct machine_view *machine, struct events *events, struct returns *returns);
/* Must be called before the cores are freed. NULL is ignored. */
void services_free(struct services *services);

/* Number of the service NAME, created if necessary. SERVICES_MAX if there are too many. */
unsigned services_find(struct services *services, const char *name);
/* Assign system call NUMBER (as in $v0) to the service NAME. False if NUMBER is out of range or there are too many
 * services. */
bool services_name_call(struct services *services, uint32_t number, const char *name);
void services_set_layout(struct services *services, const struct service_layout *layout);
/* Apply RULE on all processors from now on. */
void services_add_rule(struct services *services, const struct service_rule *rule);
/* The counter NAME for RULE_COUNT, created if necessary; NULL if there are too many. Owned by SERVICES. */
uint64_t *services_counter(struct services *services, const char *name);

/* Reset all charges and counters. Processes and their open frames are kept. Between runs. */
void services_reset(struct services *services);

/* Charge everything accumulated so far. Between runs. */
void services_update(struct services *services);
/* Consistency check; settles first. On each processor, services and processes must each add up to the modes'
 * counters since the beginning; over all processors, the services of all processes must add up to the services,
 * those of each process to its modes, and the queued cycles of services to those of the run queues. False with ERR. */
bool services_check(struct services *services, struct err *err);

/* Print event rates (tables 4.2 and 5.2), services (tables 4.8 and 5.4) and processes; settles first. */
void services_print(struct services *services, FILE *out);
/* The same as members of a JSON object, indented by four, without the enclosing braces. */
void services_write_json(struct services *services, struct json_writer *json);

/* A figure of service NAME over all processors, for scripts. False if there is no such service or figure. FIGURE:
 * calls, cycles, insns, latency, ended, blocked, descheduled; of spin locks sync (cycles), acquires, contended; of
 * run queues queued (cycles), dispatches; stall (cycles), misses (of the first level). With PROCESS, only of the
 * processes with that name or pid, where sync is not available; 0 if there are none. */
bool services_figure(struct services *services, const char *name, const char *figure, const char *process,
                     uint64_t *value);
/* From now on record, for each miss, which service took the line away; anew, if that is recorded already. False if the
 * machine has no caches. */
bool services_record_displacement(struct services *services);
bool services_displacement_recorded(const struct services *services);
/* While that is recorded: call REPORT for each service that missed in CACHE ("l1d") and each cause, with the misses. A
 * cause is a service's name, or in parentheses what is none. False if there is no such cache. */
typedef void service_displaced_fn(void *opaque, const char *service, const char *cause, uint64_t misses);
bool services_displaced(struct services *services, const char *cache, service_displaced_fn *report, void *opaque);
/* From now on count the misses by service, process, routine and data structure, cache and class; anew, if they are
 * counted already. ROUTINE and DATA give numbers to the routine of the instruction at PC and to the data at ADDRESS at
 * that moment, of which the texts are wanted at the end; OPAQUE is their argument. NAMES must outlive SERVICES. False
 * if the machine has no caches. */
struct miss_names {
    uint64_t (*routine)(void *opaque, struct core *core, vaddr pc);
    uint64_t (*data)(void *opaque, struct core *core, vaddr address, paddr physical);
    void (*routine_text)(void *opaque, uint64_t routine, char *text, size_t size);
    void (*data_text)(void *opaque, uint64_t data, char *text, size_t size);
};
bool services_record_misses(struct services *services, const struct miss_names *names, void *opaque);
/* Sum of the waiting times (cycles) in the run queue of CPU, up to now. Between turns. */
cycles services_queued(struct services *services, unsigned cpu);
/* Name of the service that CORE is currently charged to. */
const char *services_current(struct services *services, struct core *core);
/* A process as reported to callers. */
struct service_process {
    vaddr task; /* 0: unknown */
    unsigned pid, tgid;
    const char *name;
};
/* The process that is current on CORE. */
struct service_process services_current_process(struct services *services, struct core *core);
/* The process whose task_struct is at ADDRESS, read through CORE. */
struct service_process services_process_at(struct services *services, struct core *core, vaddr address);

#endif
