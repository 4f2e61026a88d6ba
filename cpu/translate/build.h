/*
 * From guest code to the intermediate form. Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_BUILD_H
#define SIMOS_CPU_TRANSLATE_BUILD_H

#include "cpu/core.h"
#include "cpu/translate/ir.h"

/* What is fixed about the code to be translated. */
struct build_context {
    const struct core *core; /* for the decoder and the hooks of all cores */
    const uint32_t *words;   /* the physical page's code */
    vaddr page;              /* its virtual address */
    bool user;               /* executes in user mode */
    bool fr;                 /* Status.FR */
    bool prefetches;         /* pref does something */
    uint32_t line_mask;      /* of the instruction cache: ~(line size - 1); 0: none is modelled */
    unsigned max_insns;      /* of a segment, about */
    /* Is there, or will be, code for PC that a segment which comes upon it should go on with? */
    bool (*has_code)(void *opaque, vaddr pc);
    void *opaque;
};

/* Append to TRACE the segment that begins at PC, which lies in the context's page. It may consist of a STEP alone.
 * NULL: the trace has no room. */
struct ir_segment *build_segment(struct ir_trace *trace, const struct build_context *context, vaddr pc);

/* Has any core a hook before the instruction at PC? */
bool build_is_hooked(const struct core *core, vaddr pc);

#endif
