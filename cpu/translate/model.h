/*
 * Interface of the translator for the in-order models (cpu/translate/models.c). A model that translates is a struct
 * inorder whose `translated` is true; on a host without translator there is none.
 */
#ifndef SIMOS_CPU_TRANSLATE_MODEL_H
#define SIMOS_CPU_TRANSLATE_MODEL_H

#include "cpu/inorder/inorder.h"
#include "cpu/model.h"

struct translate_options {
    const struct cpu_model_ops *model;
    const struct params *params; /* for the instruction costs */
    uint64_t code_bytes;         /* memory for translated code, shared by the cores of a machine */
    /* Instructions interpreted from an address before the code there is translated; 0 or 1: translate at once. */
    uint64_t after;
};
/* Create a model for CORE, with MEMSYS for its memory timing (NULL or flat: every access hits). NULL with ERR set: the
 * host has no translator or refuses memory. */
struct inorder *translate_create(struct core *core, struct memsys *memsys, const struct translate_options *options,
                                 struct err *err);
void translate_destroy(struct inorder *in);
/* For inorder_run(): execute until the budget is used up or the core requests attention. MODEL is a struct inorder. */
void translate_execute(void *model);
/* During a run: bring s.cycle and s.insns up to date, to the current instruction. */
void translate_sync(struct inorder *in);
/* The code page of physical FRAME at virtual PAGE, fetched cached in user or kernel mode; NULL if there is none yet. */
void *translate_find_code(struct inorder *in, paddr frame, vaddr page, bool user);
/* Discard the code of one physical page, or of all pages. */
void translate_discard_page(struct inorder *in, paddr page);
void translate_discard_all(struct inorder *in);
/* Print the superblock that begins at PC as the core would execute it: guest instructions, operations, host code. It is
 * translated anew, without side effects. Kernel addresses are taken in kernel mode, others in the core's mode. False
 * with ERR set: there is no code at PC. */
bool translate_dump(const struct inorder *in, vaddr pc, FILE *out, struct err *err);
enum { EMBRA_FIGURES = 5 };
extern const struct cpu_model_figure embra_figures[EMBRA_FIGURES + 1]; /* terminated by an element without name */
/* Statistics of the translator, by index in embra_figures. */
uint64_t translate_figure(const struct inorder *in, unsigned index);

#endif
