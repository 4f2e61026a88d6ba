/*
 * The interface of a CPU model: mipsy, embra and mxs implement it. A model owns private state (decoded pages,
 * translation cache, reorder buffer) derived from struct core; all models, given the same interrupts at the same
 * instruction, produce the same architectural state.
 */
#ifndef SIMOS_CPU_MODEL_H
#define SIMOS_CPU_MODEL_H

#include "cpu/core.h"
#include "src/base/params.h"
#include <stdio.h>

struct memsys;

/* A figure that a model keeps of its own work, which says nothing about the guest. */
struct cpu_model_figure {
    const char *name, *unit, *text; /* as in src/base/stats.h; constants */
};

struct cpu_model_ops {
    const char *name;
    const char *brief;
    /* Attach to CORE, which has MEMSYS for its timing. NULL with ERR on failure. */
    void *(*create)(struct core *core, struct memsys *memsys, const struct params *params, struct err *err);
    void (*destroy)(void *model);
    /*
     * Run CORE from its architectural state until its local time is at or past UNTIL, or it waits, or core->stop is
     * set, or a PC hook asks to stop (core->stop is set then), or an event was scheduled before UNTIL by what the core
     * did. Takes pending interrupts at instruction boundaries. A hook that stopped the run at an instruction is not run
     * again when the next run starts at that instruction. On return the architectural state is complete (s.pc, s.cycle,
     * s.insns ...).
     */
    void (*run)(void *model, cycles until);
    /* Bring s.cycle and s.insns up to date in the middle of run(): for hooks, devices and attribution. */
    void (*sync)(void *model);
    /* Drop what was derived from the code in the physical page at PAGE. */
    void (*forget_page)(void *model, paddr page);
    /* The state was replaced: drop everything derived. */
    void (*forget_all)(void *model);
    /* Somebody wants to hear of accesses from now on (core->access_viewers), or does no longer; the flat tables are
     * empty. NULL: forget_all() is called. */
    void (*viewers_changed)(void *model);
    /* The PC hooks at ADDRESS have changed. NULL: forget_page() or forget_all() is called. */
    void (*hook_changed)(void *model, vaddr address);
    /* NULL, or: print the code that the model has or would make for the instructions from PC on, as the core would
     * execute them now. Between runs; changes nothing. False with ERR: nothing to print. */
    bool (*dump_code)(void *model, vaddr pc, FILE *out, struct err *err);
    /* NULL, or: complete the files that the model writes, between runs; nothing comes into them afterwards. False with
     * ERR naming one that could not be written. */
    bool (*finish_files)(void *model, struct err *err);
    /* NULL, or the model's own figures, up to one without name, and the value of the one at INDEX since the model was
     * created. The models of a machine's cores share them. */
    const struct cpu_model_figure *figures;
    uint64_t (*figure)(const void *model, unsigned index);
    /* 0, or the bytes of what the model counts of each core's guest, kept by the machine in core->model_counts, zero at
     * first, while models come and go; and its registration. */
    size_t counts_bytes;
    void (*register_counts)(const struct core *core, struct stats *stats);
    /* Do the counts agree with one another, and with what CORE's modes have? False with ERR: a bug. */
    bool (*check_counts)(const struct core *core, struct err *err);
    /* Write what it counts of CORE, whatever its model is now, and read it. */
    void (*save_counts)(const struct core *core, struct saved_out *out);
    bool (*load_counts)(struct core *core, struct saved_in *in, struct err *err);
    /* NULL, or: write what of the model's state decides when things happen, between runs; read it into a model that has
     * not run; and, when everything has been loaded, make the rest from it (without load() before: nothing). */
    void (*save)(void *model, struct saved_out *out);
    bool (*load)(void *model, struct saved_in *in, struct err *err);
    bool (*after_load)(void *model, struct err *err);
};

extern const struct cpu_model_ops mipsy_model;
extern const struct cpu_model_ops embra_model;
extern const struct cpu_model_ops mxs_model;

/* Is there a translator for this host, and does it let us write code and execute it? Otherwise there is no embra, and
 * mipsy interprets everything, with the same results. */
bool translate_supported(void);

extern const struct param_def embra_param_defs[];
extern const size_t embra_param_count;
enum { EMBRA_FIGURES = 5 };
extern const struct cpu_model_figure embra_figures[EMBRA_FIGURES + 1]; /* the last has no name */
extern const struct param_def mipsy_param_defs[];
extern const size_t mipsy_param_count;
extern const struct param_def mxs_param_defs[];
extern const size_t mxs_param_count;

#endif
