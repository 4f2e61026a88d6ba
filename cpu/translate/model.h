/*
 * The translator, for the models that execute one instruction after the other (cpu/translate/models.c). A model that
 * translates is a struct inorder whose `translated` is true; without a translator for the host there is none of it.
 */
#ifndef SIMOS_CPU_TRANSLATE_MODEL_H
#define SIMOS_CPU_TRANSLATE_MODEL_H

#include "cpu/inorder/inorder.h"
#include "cpu/model.h"

struct translate_options {
    const struct cpu_model_ops *model;
    uint64_t code_bytes; /* memory for translated code, which the cores of a machine share */
    uint64_t after; /* instructions that are interpreted from a place on before its code is translated; 0 or 1: none */
};
/* A model for CORE, with MEMSYS for its timing (NULL or flat: every access hits). NULL with ERR: the host refuses, or
 * has no translator. */
struct inorder *translate_create(struct core *core, struct memsys *memsys, const struct translate_options *options,
                                 struct err *err);
void translate_destroy(struct inorder *in);
/* For inorder_run(): execute until the budget is used up, or the core wants to leave. MODEL is a struct inorder. */
void translate_execute(void *model);
/* In a run: s.cycle and s.insns become those of the instruction at work. */
void translate_sync(struct inorder *in);
/* Drop the code of a physical page, of all pages. */
void translate_forget_page(struct inorder *in, paddr page);
void translate_forget_all(struct inorder *in);
/* Print the trace that begins at PC as the core executes it: guest instructions, operations, code of the host; made
 * anew, without any effect. Kernel addresses in kernel mode, others in the core's. False with ERR: there is none. */
bool translate_dump(const struct inorder *in, vaddr pc, FILE *out, struct err *err);
/* What has been translated, by index in embra_figures (cpu/model.h). */
uint64_t translate_figure(const struct inorder *in, unsigned index);

#endif
