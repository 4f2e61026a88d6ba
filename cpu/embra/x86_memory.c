/*
 * Loads and stores: the flat table's entry of the page, if there is one and the address is aligned, plus the address is
 * where the data are. With caches, the physical address (the low half of that: physmem.h) is then looked up in the
 * first level, as l1_read_hit() and l1_write_hit() do for the line used last.
 */
#include "cpu/embra/x86_emitter.h"

static unsigned size_of(const struct ir_op *op)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4};
    if (op->opcode == IR_LOAD64 || op->opcode == IR_STORE64)
        return 8;
    return op->opcode == IR_LOAD_UNALIGNED || op->opcode == IR_STORE_MERGED ? 1 : sizes[op->type];
}

static bool is_store(const struct ir_op *op)
{
    return op->opcode == IR_STORE || op->opcode == IR_STORE64 || op->opcode == IR_STORE_MERGED;
}

/* The guest's address in a register: that of the base if there is nothing to add, otherwise ecx. */
static int emit_address(struct host_emitter *e, const struct ir_op *op)
{
    struct place a = place_of(e, op->a);
    if (a.kind == PLACE_REG && op->displacement == 0)
        return a.reg;
    if (a.kind == PLACE_REG) {
        x86_lea(&e->x, RCX, x86_mem(a.reg, op->displacement));
        return RCX;
    }
    place_load(e, RCX, a);
    if (op->displacement != 0)
        x86_alu_imm(&e->x, X86_ADD, x86_reg(RCX), (uint32_t)op->displacement);
    return RCX;
}

/* The flat table's entry into rax. Jumps to COLD if it is empty or the address in register ADDRESS not aligned. */
static void emit_lookup(struct host_emitter *e, const struct ir_op *op, int address, struct cold *cold)
{
    struct x86 *x = &e->x;
    unsigned size = size_of(op), kind = is_store(op) ? VMAP_STORE : VMAP_LOAD;
    bool aligned = size == 1 || (op->aligned && size <= 4);
    if (op->a.kind == IR_CONST) {
        struct x86_operand entry = x86_at(vmap_offset(emitter_mode(e), kind));
        entry.displacement += (int32_t)(op->a.constant >> PAGE_SHIFT) * 8;
        x86_mov64(x, RAX, entry);
        aligned = aligned || op->a.constant % size == 0;
    } else {
        x86_mov(x, RAX, x86_reg(address));
        x86_shift_imm(x, X86_SHR, x86_reg(RAX), PAGE_SHIFT);
        x86_mov64(x, RAX, x86_table(emitter_mode(e), kind, RAX));
    }
    x86_test64(x, RAX, RAX);
    cold->from[0] = x86_jcc(x, X86_E);
    if (!aligned) {
        x86_test8_imm(x, x86_reg(address), (uint8_t)(size - 1));
        cold->from[1] = x86_jcc(x, X86_NE);
    }
}

/* The access itself, to host memory at HOST. Changes rdx. */
static void emit_transfer(struct host_emitter *e, const struct ir_op *op, struct x86_operand host)
{
    struct x86 *x = &e->x;
    if (op->opcode == IR_LOAD64) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        x86_mov64(x, to, host);
        place_store64(e, dst, to);
        return;
    }
    if (op->opcode == IR_LOAD) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        switch (op->type) {
        case IR_U8: x86_movzx8(x, to, host); break;
        case IR_S8: x86_movsx8(x, to, host); break;
        case IR_U16: x86_movzx16(x, to, host); break;
        case IR_S16: x86_movsx16(x, to, host); break;
        default: x86_mov(x, to, host);
        }
        place_store(e, dst, to);
        return;
    }
    struct place value = place_of(e, op->b);
    if (op->opcode == IR_STORE64) {
        place_load64(e, RDX, value);
        x86_store64(x, host, RDX);
        return;
    }
    if (value.kind == PLACE_CONST) {
        if (op->type == IR_U8)
            x86_store8_imm(x, host, (uint8_t)value.constant);
        else if (op->type == IR_U16)
            x86_store16_imm(x, host, (uint16_t)value.constant);
        else
            x86_store_imm(x, host, value.constant);
        return;
    }
    int from = value.kind == PLACE_REG ? value.reg : RDX;
    place_load(e, from, value);
    if (op->type == IR_U8)
        x86_store8(x, host, from);
    else if (op->type == IR_U16)
        x86_store16(x, host, from);
    else
        x86_store(x, host, from);
}

/* lwl, lwr, swl, swr: the aligned word at host address rax + ADDRESS; rax becomes that. */
static void emit_transfer_word(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct x86_operand host = x86_mem(RAX, 0);
    x86_alu64_imm(x, X86_AND, x86_reg(RAX), -4);
    if (op->opcode == IR_LOAD_UNALIGNED) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        x86_mov(x, to, host);
        place_store(e, dst, to);
        return;
    }
    struct place value = place_of(e, op->b);
    place_load(e, RCX, place_of(e, op->c));
    x86_not(x, x86_reg(RCX));
    x86_alu(x, X86_AND, RCX, host);
    if (value.kind == PLACE_CONST)
        x86_alu_imm(x, X86_OR, x86_reg(RCX), value.constant);
    else
        x86_alu(x, X86_OR, RCX, place_operand(value));
    x86_store(x, host, RCX);
}

/* The first level, with the host address in rax. Changes rcx and rdx. */
static void emit_check_cache(struct host_emitter *e, const struct ir_op *op, struct cold *cold)
{
    struct x86 *x = &e->x;
    const struct l1_cache *l1 = e->cache->l1d;
    x86_mov(x, RDX, x86_reg(RAX));
    /* entries of 4 bytes: two bits less to shift away */
    int shift = (int)l1->first_shift - 2;
    if (shift > 0)
        x86_shift_imm(x, X86_SHR, x86_reg(RDX), (unsigned)shift);
    else if (shift < 0)
        x86_shift_imm(x, X86_SHL, x86_reg(RDX), (unsigned)-shift);
    x86_alu_imm(x, X86_AND, x86_reg(RDX), l1->first_mask << 2);
    x86_alu64(x, X86_ADD, RDX, is_store(op) ? AT_FRAME(l1d_write_tag) : AT_FRAME(l1d_tag));
    x86_mov(x, RCX, x86_reg(RAX));
    x86_alu_imm(x, X86_AND, x86_reg(RCX), l1->line_mask);
    x86_op(x, 0x39, RCX, x86_mem(RDX, 0)); /* cmp [rdx], ecx */
    cold->from[0] = x86_jcc(x, X86_NE);
}

static bool is_word_access(const struct ir_op *op)
{
    return op->opcode == IR_LOAD_UNALIGNED || op->opcode == IR_STORE_MERGED;
}

static void emit_access(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct cold *cold = emitter_cold(e, COLD_ACCESS, op);
    int address = emit_address(e, op);
    emit_lookup(e, op, address, cold);
    if (emitter_cached(e)) {
        struct cold *miss = emitter_cold(e, COLD_MISS, op);
        x86_alu64(x, X86_ADD, RAX, x86_reg(address));
        emit_check_cache(e, op, miss);
        miss->back = x->at;
        if (is_word_access(op))
            emit_transfer_word(e, op);
        else
            emit_transfer(e, op, x86_mem(RAX, 0));
        miss->target = (vaddr)(uintptr_t)x->at;
    } else if (is_word_access(op)) {
        x86_alu64(x, X86_ADD, RAX, x86_reg(address));
        emit_transfer_word(e, op);
    } else {
        emit_transfer(e, op, x86_indexed(RAX, address, 0, 0));
    }
    cold->back = x->at;
}

static enum embra_thunk thunk_of(const struct ir_op *op)
{
    switch (op->opcode) {
    case IR_LOAD: return (enum embra_thunk)(THUNK_LOAD + op->type);
    case IR_LOAD64: return THUNK_LOAD64;
    case IR_LOAD_UNALIGNED: return THUNK_LOAD_UNALIGNED;
    case IR_LOAD_LINKED: return THUNK_LOAD_LINKED;
    case IR_STORE: return (enum embra_thunk)(THUNK_STORE + op->type);
    case IR_STORE64: return THUNK_STORE64;
    case IR_STORE_MERGED: return THUNK_STORE_MERGED;
    default: return THUNK_STORE_CONDITIONAL;
    }
}

static void jump_if_leaving(struct host_emitter *e, const struct cold *cold)
{
    if (cold->in_delay_slot) /* C code has parked the budget */
        return;
    x86_cmp8_imm(&e->x, AT_FRAME(leave), 0);
    uint8_t *stays = x86_jcc_short(&e->x, X86_E);
    emit_leave(e, cold);
    x86_patch_short(stays, e->x.at);
}

/* By calling C. */
static void emit_access_call(struct host_emitter *e, const struct cold *cold)
{
    struct x86 *x = &e->x;
    const struct ir_op *op = &cold->op;
    int address = emit_address(e, op);
    if (op->opcode == IR_STORE_MERGED) {
        place_load(e, RAX, cold->c);
        x86_store64(x, AT_FRAME(value), RAX);
    }
    if (op->b.kind != IR_NONE) {
        if (op->opcode == IR_STORE64)
            place_load64(e, RDX, cold->b);
        else
            place_load(e, RDX, cold->b);
    }
    if (address != RCX)
        x86_mov(x, RCX, x86_reg(address));
    emit_site(e, cold);
    x86_call_to(x, emitter_thunk(e, thunk_of(op)));
    if (op->dst.kind != IR_NONE) {
        if (op->opcode == IR_LOAD64)
            place_store64(e, cold->dst, RAX);
        else
            place_store(e, cold->dst, RAX);
    }
    jump_if_leaving(e, cold);
}

void emit_cold_access(struct host_emitter *e, struct cold *cold)
{
    emit_access_call(e, cold);
    x86_jump_to(&e->x, cold->back);
}

/* The host address is in rax. After the time has been taken the access is made here once more, because the core may
 * want to leave behind it. */
void emit_cold_miss(struct host_emitter *e, struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_site(e, cold);
    x86_mov(x, RCX, x86_reg(RAX));
    x86_call_to(x, emitter_thunk(e, is_store(&cold->op) ? THUNK_WRITE_MISS : THUNK_READ_MISS));
    if (cold->in_delay_slot) {
        x86_jump_to(x, cold->back);
        return;
    }
    x86_cmp8_imm(x, AT_FRAME(leave), 0);
    x86_jcc_to(x, X86_E, cold->back);
    if (is_word_access(&cold->op))
        emit_transfer_word(e, &cold->op);
    else
        emit_transfer(e, &cold->op, x86_mem(RAX, 0));
    emit_leave(e, cold);
}

/* ll and sc: always by calling C. */
static void emit_link_access(struct host_emitter *e, const struct ir_op *op)
{
    struct cold *cold = emitter_cold(e, COLD_ACCESS, op);
    e->cold_count--; /* its code stands here */
    struct cold here = *cold;
    emit_access_call(e, &here);
}

bool emit_memory(struct host_emitter *e, const struct ir_op *op)
{
    switch (op->opcode) {
    case IR_LOAD:
    case IR_LOAD64:
    case IR_LOAD_UNALIGNED:
    case IR_STORE:
    case IR_STORE64:
    case IR_STORE_MERGED: emit_access(e, op); return true;
    case IR_LOAD_LINKED:
    case IR_STORE_CONDITIONAL: emit_link_access(e, op); return true;
    default: return false;
    }
}

/* Is the line of the instruction the one used last of its set? */
void emit_fetch_line(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    const struct l1_cache *l1 = e->cache->l1i;
    struct cold *cold = emitter_cold(e, COLD_FETCH, op);
    paddr line = (e->page->frame | (cold->pc & (PAGE_SIZE - 1))) & l1->line_mask;
    cold->target = line;
    x86_mov64(x, RAX, AT_FRAME(l1i_tag));
    x86_alu_imm(x, X86_CMP, x86_mem(RAX, (int32_t)(l1_first(l1, line) * 4)), line);
    cold->from[0] = x86_jcc(x, X86_NE);
    cold->back = x->at;
}

void emit_cold_fetch(struct host_emitter *e, struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_site(e, cold);
    x86_mov_imm(x, RCX, cold->target);
    x86_call_to(x, emitter_thunk(e, THUNK_FETCH));
    if (!cold->in_delay_slot) {
        x86_cmp8_imm(x, AT_FRAME(leave), 0);
        x86_jcc_to(x, X86_NE, emitter_thunk(e, THUNK_BEGUN));
    }
    x86_jump_to(x, cold->back);
}
