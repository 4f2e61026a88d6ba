/* Counts of executions in machine code (cpu/executions.h). */
#include "cpu/translate/x86_emitter.h"

static bool are_counted(const struct host_emitter *e)
{
    return e->context->core->executions != NULL;
}

bool executions_have_room(const struct code_cache *cache)
{
    return cache->block_limit - cache->block_count > 2 * IR_MAX_BLOCKS;
}

static struct executed_block **block_of(struct host_emitter *e)
{
    return &e->executed[e->lines_untested][e->segment - e->cache->trace.blocks];
}

/* Increment COUNT of BLOCK, and put the block on the list if it becomes 0. */
static void emit_increment(struct host_emitter *e, const struct executed_block *block, const uint64_t *count)
{
    struct x86 *x = &e->x;
    x86_alu64_imm(x, X86_ADD, x86_mem(X86_NONE, (int32_t)(uintptr_t)count), 1);
    uint8_t *listed = x86_jcc_short(x, X86_NE);
    x86_mov_imm(x, RCX, (uint32_t)(uintptr_t)block);
    x86_call_to(x, emitter_stub(e, STUB_LIST_BLOCK));
    x86_patch_short(listed, x->at);
}

void emit_count_block(struct host_emitter *e)
{
    const struct ir_block *segment = e->segment;
    if (!are_counted(e) || segment->insns == 0)
        return;
    struct executed_block *block = &e->cache->blocks[e->cache->block_count++];
    executed_block_init(block, e->context->core->decoder, segment->pc,
                        e->context->words + (segment->pc >> 2 & (PAGE_INSNS - 1)), segment->insns,
                        segment->ends_in_branch);
    *block_of(e) = block;
    emit_increment(e, block, &block->count);
}

bool counts_taken_branch(struct host_emitter *e, const struct ir_op *op)
{
    const struct executed_block *block = *block_of(e);
    return block != NULL && block->end == BLOCK_BRANCH && op->target != e->segment->pc + e->segment->insns * 4;
}

void emit_count_side(struct host_emitter *e)
{
    const struct executed_block *block = *block_of(e);
    if (block != NULL)
        emit_increment(e, block, &block->side);
}

void emit_count_indirect_call(struct host_emitter *e)
{
    if (!are_counted(e) || e->context->core->executions->profile == NULL)
        return;
    x86_mov_imm(&e->x, RCX, e->segment->pc + (e->segment->insns - 2) * 4);
    x86_call_to(&e->x, emitter_stub(e, STUB_INDIRECT_CALL));
}
