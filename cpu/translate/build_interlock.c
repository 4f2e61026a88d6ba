/*
 * Interlocks of the intermediate form (cpu/core/interlock.h). An instruction waits only for what may not be ready: each
 * instruction takes at least a cycle, so the distance to the instruction that makes a resource ready shows where no
 * test is needed.
 */
#include "cpu/translate/builder.h"

/* May RESOURCE not be ready when the current instruction issues? */
static bool may_be_pending(const struct builder *b, unsigned resource)
{
    if (b->resource[resource].known)
        return b->index - b->resource[resource].at < b->resource[resource].cost;
    /* at the latest, the last instruction before the block used it */
    return b->index + 1u < b->context->costs->longest[resource];
}

static void record(struct builder *b, unsigned resource, unsigned cost)
{
    b->resource[resource].known = true;
    b->resource[resource].at = (uint8_t)b->index;
    b->resource[resource].cost = (uint8_t)cost;
}

void build_interlocks(struct builder *b)
{
    struct interlock_uses uses;
    if (b->context->costs == NULL)
        return;
    /* before the first interlock: an instruction that finds the FPU off is interpreted from its beginning */
    if (isa_table[b->id].flags & INSN_FPU)
        build_need_fpu(b);
    interlock_find(b->context->costs, b->id, b->insn, b->context->fr, &uses);
    for (unsigned i = 0; i < uses.waits; i++) {
        if (may_be_pending(b, uses.wait[i]))
            build_add_op(b, IR_AWAIT)->target = uses.wait[i];
        record(b, uses.wait[i], 0);
    }
    for (unsigned i = 0; i < uses.sets; i++) {
        struct ir_op *op = build_add_op(b, IR_ISSUE);
        op->target = uses.set[i].resource;
        op->displacement = uses.set[i].cost;
        record(b, uses.set[i].resource, uses.set[i].cost);
    }
}
