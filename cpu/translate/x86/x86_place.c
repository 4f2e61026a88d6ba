/*
 * Locations of values. Guest registers have fixed locations; a temporary is allocated to rcx or rdx if no operation
 * during its lifetime needs that register, otherwise to a slot of the frame.
 */
#include "cpu/translate/x86/x86_emitter.h"
#include "src/base/log.h"

enum { USES_RCX = 1, USES_RDX = 2, USES_BOTH = 3 };

/* Scratch registers that OP may change, other than rax and the register of its result. */
static unsigned registers_used(const struct ir_op *op)
{
    switch (op->opcode) {
    case IR_SHL:
    case IR_SHR:
    case IR_SAR:
    case IR_ROTR: return op->b.kind == IR_CONST ? 0 : USES_RCX;
    case IR_CLZ:
    case IR_MUL_S64:
    case IR_MUL_U64:
    case IR_JOIN64: return USES_RCX;
    case IR_DIV_S:
    case IR_REM_S:
    case IR_DIV_U:
    case IR_REM_U:
    case IR_LOAD:
    case IR_LOAD64:
    case IR_LOAD_UNALIGNED:
    case IR_LOAD_LINKED:
    case IR_STORE:
    case IR_STORE64:
    case IR_STORE_MERGED:
    case IR_STORE_CONDITIONAL:
    case IR_FETCH_LINE:
    case IR_FP:
    case IR_CALL: return USES_BOTH;
    default: return 0;
    }
}

static void use(struct host_emitter *e, struct ir_value v, unsigned index)
{
    if (v.kind == IR_TEMP)
        e->last_use[v.number] = (uint16_t)index;
}

void place_prepare(struct host_emitter *e)
{
    const struct ir_block *block = e->block;
    for (unsigned i = block->first_temp; i < block->temps; i++)
        e->last_use[i] = 0;
    for (unsigned i = 0; i < block->count; i++) {
        const struct ir_op *op = &block->ops[i];
        use(e, op->a, i);
        use(e, op->b, i);
        use(e, op->c, i);
        use(e, op->d, i);
    }
    find_groups(e);
    e->register_busy[RCX] = e->register_busy[RDX] = 0;
    for (unsigned i = 0; i < COLD_SLOTS; i++)
        e->slot_busy[i] = 0;
}

/* Is REG free from operation DEFINED, which computes the temporary, to LAST, its last use? */
static bool is_free(const struct host_emitter *e, int reg, unsigned defined, unsigned last)
{
    unsigned bit = reg == RCX ? USES_RCX : USES_RDX;
    if (e->register_busy[reg] > defined)
        return false;
    for (unsigned i = defined + 1; i <= last; i++)
        if (registers_used(&e->block->ops[i]) & bit || e->group_of[i])
            return false;
    return true;
}

void place_define(struct host_emitter *e, unsigned index)
{
    struct ir_value dst = e->block->ops[index].dst;
    if (dst.kind != IR_TEMP)
        return;
    unsigned last = e->last_use[dst.number];
    struct place *place = &e->temps[dst.number];
    if (last <= index) { /* the result is unused */
        *place = (struct place){.kind = PLACE_REG, .reg = RAX};
        return;
    }
    for (int reg = RCX; reg <= RDX; reg++) {
        if (is_free(e, reg, index, last)) {
            e->register_busy[reg] = last;
            *place = (struct place){.kind = PLACE_REG, .reg = reg};
            return;
        }
    }
    for (unsigned i = 0; i < COLD_SLOTS; i++) {
        if (e->slot_busy[i] <= index) {
            e->slot_busy[i] = last;
            struct x86_operand mem = AT_FRAME(slots);
            mem.displacement += (int32_t)(i * sizeof(uint64_t));
            *place = (struct place){.kind = PLACE_MEM, .mem = mem};
            return;
        }
    }
    log_bug("translator: too many temporaries at 0x%08x", e->block->pc);
}

struct place place_of(const struct host_emitter *e, struct ir_value v)
{
    switch (v.kind) {
    case IR_CONST: return (struct place){.kind = PLACE_CONST, .constant = v.constant};
    case IR_TEMP: return e->temps[v.number];
    default: break;
    }
    int reg = v.number < LOOP_REGISTERS ? e->host_register[v.number] : X86_NONE;
    if (reg != X86_NONE)
        return (struct place){.kind = PLACE_REG, .reg = reg};
    return (struct place){.kind = PLACE_MEM, .mem = x86_state(v.number)};
}

struct x86_operand place_operand(struct place p)
{
    return p.kind == PLACE_REG ? x86_reg(p.reg) : p.mem;
}

void place_load(struct host_emitter *e, int reg, struct place p)
{
    if (p.kind == PLACE_CONST)
        x86_mov_imm(&e->x, reg, p.constant);
    else if (!place_is_reg(p, reg))
        x86_mov(&e->x, reg, place_operand(p));
}

void place_load64(struct host_emitter *e, int reg, struct place p)
{
    if (!place_is_reg(p, reg))
        x86_mov64(&e->x, reg, place_operand(p));
}

void place_store(struct host_emitter *e, struct place p, int reg)
{
    if (p.kind == PLACE_MEM)
        x86_store(&e->x, p.mem, reg);
    else if (p.reg != reg)
        x86_mov(&e->x, p.reg, x86_reg(reg));
}

void place_store64(struct host_emitter *e, struct place p, int reg)
{
    if (p.kind == PLACE_MEM)
        x86_store64(&e->x, p.mem, reg);
    else if (p.reg != reg)
        x86_mov64(&e->x, p.reg, x86_reg(reg));
}
