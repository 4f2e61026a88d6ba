/*
 * The interface of a CPU model; models.def has a row for each. A model owns private state (decoded pages,
 * translated code, the instruction window) derived from struct core. All models produce the same architectural state
 * when interrupts arrive at the same instructions.
 */
#ifndef SIMOS_CPU_MODEL_H
#define SIMOS_CPU_MODEL_H

#include "cpu/core.h"
#include "src/base/params.h"
#include <stdio.h>

struct memsys;
struct page_walk_load;

/* A statistic about the model's own work, unrelated to the guest. */
struct cpu_model_figure {
    const char *name, *unit, *text; /* as in src/base/stats.h; string constants */
};

struct cpu_model_ops {
    const char *name;
    bool reorders; /* its instructions overlap and execute out of order */
    /* Optional. Define the model's parameters. */
    void (*define_params)(struct params *params);
    /* Does this host support the model? NULL: all hosts do. */
    bool (*supported)(void);
    cycles quantum_without_caches; /* default quantum of several CPUs without caches; 0: that of other machines */
    /* Attach a model to CORE, with MEMSYS for its memory timing. NULL with ERR set on failure. */
    void *(*create)(struct core *core, struct memsys *memsys, const struct params *params, struct err *err);
    void (*destroy)(void *model);
    /*
     * Run CORE from its architectural state until one of: its local time is at or past UNTIL; it executes `wait`;
     * core->stop is set; a PC hook requests a stop (core->stop is then set); the core's own actions scheduled an event
     * before UNTIL. Pending interrupts are taken at instruction boundaries. A hook that stopped the run at an
     * instruction is not called again when the next run starts at that instruction. On return the architectural state
     * is complete (s.pc, s.cycle, s.insns ...).
     */
    void (*run)(void *model, cycles until);
    /* Bring s.cycle and s.insns up to date in the middle of run(): for hooks, devices and attribution. */
    void (*sync)(void *model);
    /* Optional. The page-table walker makes LOAD for the access that the model executes: charge it, as a stall for
     * STALL_PAGE_WALK, and count its misses. */
    void (*walk_load)(void *model, const struct page_walk_load *load);
    /* Optional. ... waits for DURATION, while the access is looked up in the second-level TLB: charge it likewise. */
    void (*walk_wait)(void *model, cycles duration);
    /* Discard everything derived from code in the physical page at PAGE. */
    void (*invalidate_page)(void *model, paddr page);
    /* Optional. The element of the code tables (struct vmap) for physical page FRAME at virtual address PAGE, fetched
     * cached in user or kernel mode, if the model has it already; otherwise NULL. */
    void *(*find_code)(void *model, paddr frame, vaddr page, bool user);
    /* The architectural state was replaced: discard everything derived. */
    void (*invalidate_all)(void *model);
    /* core->access_observers changed; the flat tables are empty. NULL: invalidate_all() is called instead. */
    void (*observers_changed)(void *model);
    /* The PC hooks at ADDRESS changed. NULL: invalidate_page() or invalidate_all() is called instead. */
    void (*hook_changed)(void *model, vaddr address);
    /* Optional. Print the code that the model has, or would generate, for the instructions from PC on in the core's
     * present state. Called between runs; has no side effects. False with ERR set: nothing to print. */
    bool (*dump_code)(void *model, vaddr pc, FILE *out, struct err *err);
    /* Optional. Complete and close the output files of the model; called between runs. Nothing is written afterwards.
     * False with ERR naming a file that could not be written. */
    bool (*finish_files)(void *model, struct err *err);
    /* Optional. Statistics of the model's own work, terminated by an element without name, and the value of statistic
     * INDEX since the model was created. The models of a machine's cores share them. */
    const struct cpu_model_figure *figures;
    uint64_t (*figure)(const void *model, unsigned index);
    /* Size in bytes of the model's counts about a core's guest (0: none), and their registration. The machine keeps
     * them in core->model_counts, initially zero, independently of which model is attached. */
    size_t counts_bytes;
    void (*register_counts)(const struct core *core, struct stats *stats);
    /* Are the counts consistent with one another and with CORE's mode buckets? False with ERR set: a bug in the
     * simulator. */
    bool (*check_counts)(const struct core *core, struct err *err);
    /* Optional: the model predicts branches. The number of mispredicted conditional branches of CORE. */
    uint64_t (*mispredictions)(const struct core *core);
    /* Write the counts of CORE to a checkpoint and read them back, whatever model is attached. */
    void (*save_counts)(struct core *core, struct saved_out *out);
    bool (*load_counts)(struct core *core, struct saved_in *in, struct err *err);
    /* Optional. Save the model state that affects timing, between runs; load it into a model that has not run; and,
     * when everything has been loaded, rebuild derived state (does nothing without a previous load()). */
    void (*save)(void *model, struct saved_out *out);
    bool (*load)(void *model, struct saved_in *in, struct err *err);
    bool (*after_load)(void *model, struct err *err);
};

#define MODEL(NAME, BRIEF) extern const struct cpu_model_ops NAME##_model;
#include "cpu/models.def"
#undef MODEL

/* Row I of models.def; NULL if there are no more. */
const struct cpu_model_ops *cpu_model_at(unsigned i);
/* "|mipsy|embra...": from [1] on the choices of cpu.model; and its help. */
extern const char cpu_model_choices[], cpu_model_help[];

/* Is there a translator for this host, and may the process execute generated code? If not, embra is not available, and
 * mipsy interprets everything, with the same results. */
bool translate_supported(void);

#endif
