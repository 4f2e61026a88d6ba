/* Counts of executions in machine code (cpu/observe/executions.h). */
#include "cpu/translate/x86/x86_emitter.h"

static bool are_counted(const struct host_emitter *e)
{
    return e->context->core->executions != NULL && !e->cache->is_listing;
}

bool executions_have_room(const struct code_cache *cache)
{
    return cache->block_limit - cache->block_count > 2 * IR_MAX_BLOCKS;
}

static int32_t *number_of(struct host_emitter *e)
{
    return &e->executed[e->lines_untested][e->block - e->cache->superblock.blocks];
}

/* Add 1 to counter NUMBER, and put it on the list if it becomes 0. */
static void emit_increment(struct host_emitter *e, uint32_t number)
{
    x86_alu64_imm(&e->x, X86_ADD, x86_at(CORE_COUNTERS_OFFSET + number * sizeof(uint64_t)), 1);
    struct cold *cold = emitter_cold(e, COLD_COUNTER, NULL);
    cold->from[0] = x86_jcc(&e->x, X86_E);
    cold->back = e->x.at;
    cold->counter = number;
}

void emit_cold_counter(struct host_emitter *e, const struct cold *cold)
{
    x86_mov_imm(&e->x, RCX, cold->counter);
    const bool profiled = e->context->core->executions->profile != NULL;
    x86_call_to(&e->x, emitter_stub(e, profiled ? STUB_LIST_PROFILED : STUB_LIST_COUNTER));
    x86_jump_to(&e->x, cold->back);
}

void emit_count_block(struct host_emitter *e)
{
    const struct ir_block *block = e->block;
    const struct core *core = e->context->core;
    if (!are_counted(e) || block->insns == 0)
        return;
    const uint32_t number = e->cache->block_count++;
    executed_block_init(&e->cache->blocks[number], core->decoder, block->pc, e->context->user,
                        e->context->words + (block->pc >> 2 & (PAGE_INSNS - 1)), block->insns, block->ends_in_branch);
    for (unsigned i = 0; i < core->cpus; i++)
        executions_new_block(core->peers[i], e->cache->blocks, number);
    *number_of(e) = (int32_t)number;
    emit_increment(e, 2 * number);
}

bool counts_taken_branch(struct host_emitter *e, const struct ir_op *op)
{
    const int32_t number = *number_of(e);
    return number >= 0 && e->cache->blocks[number].end == BLOCK_BRANCH &&
           op->target != e->block->pc + e->block->insns * 4;
}

void emit_count_side(struct host_emitter *e)
{
    const int32_t number = *number_of(e);
    if (number >= 0)
        emit_increment(e, 2 * (uint32_t)number + 1);
}

void emit_count_known_call(struct host_emitter *e, vaddr target)
{
    const int32_t number = *number_of(e);
    if (number < 0 || e->cache->blocks[number].end != BLOCK_INDIRECT_CALL)
        return;
    x86_mov_imm(&e->x, RAX, target);
    emit_count_indirect_call(e);
}

void emit_count_indirect_call(struct host_emitter *e)
{
    if (*number_of(e) < 0 || e->context->core->executions->profile == NULL)
        return;
    x86_mov_imm(&e->x, RCX, (uint32_t)*number_of(e));
    x86_call_to(&e->x, emitter_stub(e, STUB_INDIRECT_CALL));
}
