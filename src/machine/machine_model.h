/*
 * Which CPU model runs a machine, and its replacement by another at instruction boundaries. Private to src/machine*.c,
 * src/machine/board_devices.c and tests.
 *
 * What goes with a model: everything it derived from the state (decoded or translated code), and with that the flat
 * tables that point to it. What stays: the cores and where their runs were interrupted (struct core_resume), caches,
 * attribution, PC hooks, events.
 */
#ifndef SIMOS_MACHINE_MODEL_H
#define SIMOS_MACHINE_MODEL_H

#include "src/machine/machine.h"

/* A model of the simulator. */
struct machine_model {
    const struct cpu_model_ops *ops;
    bool (*supported)(void);       /* on this host? NULL: on any */
    cycles quantum_without_caches; /* of several CPUs, where machine.quantum leaves it open; 0: MACHINE_QUANTUM */
};

/* How far CPU has come under a model that does not run any more. */
struct machine_model_use {
    const struct machine *machine;
    const struct core *core;
    const struct cpu_model_ops *model;
    uint64_t insns;
};

/* One of the figures that a model keeps of its own work (cpu_model_figure). */
struct machine_model_figure {
    const struct machine *machine;
    const struct cpu_model_ops *model;
    unsigned index;
    uint64_t past; /* of the lives of the model that have ended */
};

struct machine_models {
    const struct cpu_model_ops *present;   /* of all CPUs */
    const struct machine_model *asked;     /* what was asked for when it took over: it, or a model that this host does
                                            * not support; NULL: it is none of the simulator's */
    const struct cpu_model_ops *wanted;    /* at the next boundary; NULL: no change */
    const struct machine_model *wanted_as; /* ... because this was asked for, or NULL as in `asked` */
    const struct cpu_model_ops *told;      /* the one that this host does not support, as has been said already */
    struct machine_model_use *uses;        /* of every model, of every CPU */
    uint64_t since[BOARD_MAX_CPUS];        /* each CPU's instructions when `present` took over */
    struct machine_model_figure *figures;  /* of every model */
    unsigned figure_count;
    const struct cpu_model_ops *counting; /* the model that keeps counts (one does); NULL: it has not run yet */
    void *counts[BOARD_MAX_CPUS];         /* ... these */
    bool counts_registered;
    struct machine_switch *switches; /* copied from the options */
    unsigned switch_count;
    /* The next of the switches that are due at a time or number of instructions; CYCLES_NEVER, UINT64_MAX: none. */
    cycles next_time;
    uint64_t next_insns;
    struct err unwritten; /* machine_finish_files() */
};

/* The quantum of several CPUs where machine.quantum leaves it open and time between CPUs is modelled, cycles. */
enum { MACHINE_QUANTUM = 200 };

/* The model called NAME; NULL if there is none. */
const struct machine_model *machine_model_find(const char *name);

/* What runs when MODEL is asked for: it, or mipsy, with a line on stderr for the first time, if the host does not
 * support it. */
const struct cpu_model_ops *machine_model_choose(struct machine *machine, const struct machine_model *model);

/* The name of the model that was asked for. It is that of the present one unless this host does not support it; a
 * checkpoint names it, so that the machine that is restored is the same on every host. */
const char *machine_model_asked(const struct machine *machine);

/* The model that counts: it does so from now on, if it has not yet. */
const struct cpu_model_ops *machine_model_count(struct machine *machine);

/* machine_set_cpu_model() of a model that need not be one of the simulator's. */
bool machine_model_set(struct machine *machine, const struct cpu_model_ops *ops, struct err *err);

/* The model of the parameter cpu.model on every core of MACHINE, and the switches of OPTIONS. */
bool machine_models_create(struct machine *machine, const struct machine_options *options, struct err *err);
/* Nothing runs after this. */
void machine_models_free(struct machine *machine);
void machine_models_register_stats(struct machine *machine);
/* The statistic parameters.machine.quantum, which is there, becomes the present quantum. */
void machine_models_show_quantum(struct machine *machine);

/* Userland is up; the guest is at the position NAME: switches that are due then are asked for. */
void machine_models_at_boot(struct machine *machine);
void machine_models_at_mark(struct machine *machine, const char *name);

/* Do what is asked for and due. No core is in the middle of its run. */
void machine_models_update(struct machine *machine);

#endif
