/*
 * What the service accounting (services.h) is told and tells in: services, classes of frames, the layout of the
 * kernel's structures, rules.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_TYPES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_TYPES_H

#include "annotations/symbols/machine_view.h"

/* services_state.h has the members. */
struct services;
struct service_cpu;
struct service_share;
struct service_sum;
struct charge;
struct frame;
struct run_queue;
struct task;

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

/* Called when CORE's current service or process may have changed; everything up to now has been charged to the
 * previous one. Must not change the service accounting. */
typedef void service_watch_fn(void *opaque, struct core *core);

#endif
