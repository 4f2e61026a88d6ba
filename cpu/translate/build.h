/*
 * Translation of guest code to the intermediate form (ir.h). Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_BUILD_H
#define SIMOS_CPU_TRANSLATE_BUILD_H

#include "cache/placement/layout_map.h"
#include "cpu/core/interlock.h"
#include "cpu/translate/ir.h"

/* Fixed properties of the code to be translated. */
struct build_context {
    const struct core *core;             /* source of the decoder and of the hooks of all cores */
    const uint32_t *words;               /* guest code of the physical page */
    vaddr page;                          /* its virtual address */
    bool user;                           /* executes in user mode */
    bool fr;                             /* Status.FR */
    bool prefetches;                     /* pref and prefx have an effect in the memory system */
    const struct interlock_costs *costs; /* instruction costs (cpu/core/interlock.h); NULL: one cycle each */
    uint32_t line_mask;              /* line mask of the instruction cache, ~(line size - 1); 0: no cache modelled */
    const struct layout_map *layout; /* where the caches see the code; NULL: where it is, as the page's is */
    paddr frame;                     /* the physical page */
    unsigned max_insns;              /* approximate maximum length of a basic block */
    /* Exact code (exact.c): each instruction, or branch with its delay slot, is a basic block, and one in the middle of
     * a line is entered only when its line has been fetched. Blocks end at max_insns, 1, wherever that is. */
    bool exact;
    /* Does PC begin code (translated, or to be translated) at which a basic block that reaches PC should end? */
    bool (*has_code)(void *opaque, vaddr pc);
    void *opaque;
};

/* Append to TRACE the basic block that begins at PC, in the page of CONTEXT. It may consist of a single STEP. NULL: no
 * room left in TRACE. */
struct ir_block *build_block(struct ir_superblock *superblock, const struct build_context *context, vaddr pc);

/* Does the instruction at PC begin a line of the instruction cache, if control comes from the one before? False without
 * caches. */
static inline bool build_starts_line(const struct build_context *context, vaddr pc)
{
    return context->line_mask != 0 &&
           layout_starts_line(context->layout, context->frame | (pc & (PAGE_SIZE - 1)), -context->line_mask);
}

/* May control enter normal code at PC whose line has been fetched? The code at the start of a line fetches it, and with
 * no cache modelled there are no lines. */
static inline bool build_may_enter(const struct build_context *context, vaddr pc)
{
    return context->line_mask == 0 || build_starts_line(context, pc);
}

/* Does any core have a hook at PC? */
bool build_is_hooked(const struct core *core, vaddr pc);

#endif
