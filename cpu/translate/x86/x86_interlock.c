/* Interlocks in machine code (cpu/core/interlock.h). */
#include "cpu/translate/x86/x86_emitter.h"

static struct x86_operand ready_time(const struct ir_op *op)
{
    return x86_at(offsetof(struct core, ready) + op->target * sizeof(cycles));
}

static struct x86_operand counter_of(enum interlock cause)
{
    struct x86_operand counter = AT_FRAME(interlock);
    counter.displacement += (int32_t)(cause * sizeof(uint64_t));
    return counter;
}

/* Number of cycles from the issue of OP's instruction, without stalls, to the end of its block. */
static int32_t cycles_left(const struct host_emitter *e, const struct ir_op *op)
{
    return (int32_t)(e->block->insns - op->index);
}

void emit_await(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct cold *cold = emitter_cold(e, COLD_INTERLOCK, op);
    x86_mov64(x, RAX, ready_time(op));
    x86_alu64(x, X86_ADD, RAX, x86_reg(BUDGET));
    x86_alu64(x, X86_SUB, RAX, AT_FRAME(end));
    x86_alu64_imm(x, X86_CMP, x86_reg(RAX), -cycles_left(e, op));
    cold->from[0] = x86_jcc(x, X86_G);
    cold->back = x->at;
}

/* If the rest of the block does not fit into the budget after the wait, the instruction is interpreted instead. */
void emit_cold_interlock(struct host_emitter *e, const struct cold *cold)
{
    struct x86 *x = &e->x;
    const int32_t left = cycles_left(e, cold->op);
    uint8_t *leave = NULL;
    x86_alu64_imm(x, X86_ADD, x86_reg(RAX), left);
    if (left > 1) {
        x86_alu64(x, X86_CMP, BUDGET, x86_reg(RAX));
        leave = x86_jcc_short(x, X86_L);
    }
    x86_alu64(x, X86_SUB, BUDGET, x86_reg(RAX));
    x86_alu64_store(x, X86_ADD, counter_of(interlock_of(cold->op->target)), RAX);
    x86_jump_to(x, cold->back);
    if (leave == NULL)
        return;
    x86_patch_short(leave, x->at);
    emit_position(e, cold);
    emit_leave_loop(e);
    x86_jump_to(x, emitter_stub(e, STUB_BEGUN));
}

void emit_issue(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    const int32_t distance = op->displacement - cycles_left(e, op);
    x86_mov64(x, RAX, AT_FRAME(end));
    x86_alu64(x, X86_SUB, RAX, x86_reg(BUDGET));
    if (distance != 0)
        x86_alu64_imm(x, X86_ADD, x86_reg(RAX), distance);
    x86_store64(x, ready_time(op), RAX);
}

/* The address behind the delay slot of e->block. */
static vaddr behind(const struct host_emitter *e)
{
    return e->block->pc + e->block->insns * 4;
}

static bool has_delay(const struct host_emitter *e)
{
    return e->context->costs != NULL && e->context->costs->taken_delay > 0 && e->block->ends_in_branch;
}

bool delays_branch_to(const struct host_emitter *e, vaddr target)
{
    return has_delay(e) && target != behind(e);
}

void emit_taken_delay(struct host_emitter *e)
{
    const int32_t delay = e->context->costs->taken_delay;
    x86_alu64_imm(&e->x, X86_SUB, x86_reg(BUDGET), delay);
    x86_alu64_imm(&e->x, X86_ADD, counter_of(INTERLOCK_BRANCH), delay);
}

void emit_indirect_delay(struct host_emitter *e, struct ir_value target)
{
    struct x86 *x = &e->x;
    if (!has_delay(e))
        return;
    place_load(e, RAX, place_of(e, target));
    x86_alu_imm(x, X86_CMP, x86_reg(RAX), behind(e));
    uint8_t *over = x86_jcc_short(x, X86_E);
    emit_taken_delay(e);
    x86_patch_short(over, x->at);
}
