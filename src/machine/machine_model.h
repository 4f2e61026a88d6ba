/*
 * The CPU model that runs a machine, and its replacement by another at instruction boundaries. Private to
 * src/machine*.c, src/machine/board_devices.c and tests.
 *
 * A replacement discards what the model derived from the state (decoded or translated code), and the flat tables that
 * point to it. It keeps the cores and the positions at which their runs were interrupted (struct core_resume), caches,
 * attribution, PC hooks, events.
 */
#ifndef SIMOS_MACHINE_MACHINE_MODEL_H
#define SIMOS_MACHINE_MACHINE_MODEL_H

#include "src/machine/machine.h"

/* Instructions of CORE under MODEL, without the current period of the present model. */
struct machine_model_use {
    const struct machine *machine;
    const struct core *core;
    const struct cpu_model_ops *model;
    uint64_t insns;
};

/* A statistic that a model keeps about its own work (cpu_model_figure). */
struct machine_model_statistic {
    const struct machine *machine;
    const struct cpu_model_ops *model;
    unsigned index;
    uint64_t past; /* sum over earlier instances of the model */
};

struct machine_models {
    const struct cpu_model_ops *present;   /* of all CPUs */
    const struct cpu_model_ops *requested; /* the model requested by the user: `present`, or one that the host does
                                            * not support; NULL: `present` is not a model of the simulator */
    const struct cpu_model_ops *pending;   /* to be activated at the next boundary; NULL: no change */
    const struct cpu_model_ops *pending_requested; /* ... because this one was requested; NULL as in `requested` */
    const struct cpu_model_ops *reported;          /* an unsupported model that was already reported */
    struct machine_model_use *uses;                /* of every model, for every CPU */
    uint64_t since[BOARD_MAX_CPUS];                /* each CPU's instructions at the start of `present` */
    struct machine_model_statistic *figures;       /* of every model */
    unsigned figure_count;
    const struct cpu_model_ops *counting; /* the model that keeps counts (only one does); NULL: it has not run yet */
    void *counts[BOARD_MAX_CPUS];         /* ... its counts */
    bool counts_registered;
    struct machine_switch *switches; /* a copy of the options */
    unsigned switch_count;
    /* The next switch due at a time or number of instructions; CYCLES_NEVER, UINT64_MAX: none. */
    cycles next_time;
    uint64_t next_insns;
    struct err unwritten; /* failure of machine_finish_files() */
};

/* Default quantum of several CPUs if the time between CPUs is modelled, cycles. */
enum { MACHINE_QUANTUM = 200 };

/* The model called NAME; NULL if unknown. */
const struct cpu_model_ops *machine_model_find(const char *name);

/* The model to run if MODEL is requested: MODEL, or mipsy (reported once on stderr) if the host does not support it. */
const struct cpu_model_ops *machine_model_choose(struct machine *machine, const struct cpu_model_ops *model);

/* Name of the requested model: the present one's, unless the host does not support the requested one. Saved in a
 * checkpoint, so that the restored machine is the same on every host. */
const char *machine_model_requested(const struct machine *machine);

/* The counting model; starts to count if it has not yet. */
const struct cpu_model_ops *machine_model_count(struct machine *machine);

/* Does the present model, or that of a switch, execute out of order? */
bool machine_models_reorder(const struct machine *machine);

/* As machine_set_cpu_model(), for a model that need not belong to the simulator. */
bool machine_model_set(struct machine *machine, const struct cpu_model_ops *ops, struct err *err);

/* Create the model of parameter cpu.model on every core of MACHINE, and take the switches of OPTIONS. */
bool machine_models_create(struct machine *machine, const struct machine_options *options, struct err *err);
/* Free all models; nothing can run afterwards. */
void machine_models_free(struct machine *machine);
void machine_models_register_stats(struct machine *machine);
/* Set the statistic parameters.machine.quantum, already registered, to the present quantum. */
void machine_models_show_quantum(struct machine *machine);

/* The next switch from *INDEX on, 0 at first, whose event has not come: its MODEL and EVENT. False if there is none. */
bool machine_models_next_missed(const struct machine *machine, unsigned *index, const char **model,
                                const struct machine_event **event);

/* User space is up; the guest has reached the mark NAME: request the switches due then. */
void machine_models_at_boot(struct machine *machine);
void machine_models_at_mark(struct machine *machine, const char *name);

/* Perform the requested and due switches. No core may be in its run(). */
void machine_models_update(struct machine *machine);

#endif
