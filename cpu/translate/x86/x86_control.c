/* Code generation for superblocks: start and end of basic blocks, and the cold code after the superblock. */
#include "cpu/translate/x86/x86_emitter.h"
#include "src/base/log.h"
#include <stdlib.h>

/* Maximum size of the code of one superblock, including cold code, in bytes. */
enum { ROOM = 768 * 1024 };

static struct host_emitter *begin(struct code_cache *cache, struct code_page *page, const struct build_context *context,
                                  const struct loop *loop)
{
    if (cache->emitter == NULL)
        cache->emitter = checked_memory(malloc(sizeof *cache->emitter));
    struct host_emitter *e = cache->emitter;
    e->x = (struct x86){.at = cache->next_free, .end = cache->code_end};
    e->cache = cache;
    e->page = page;
    e->context = context;
    e->cold_count = e->fp_check_count = e->data_count = e->return_count = 0;
    e->fault = NULL;
    for (unsigned i = 0; i < cache->superblock.count; i++) {
        e->code[0][i] = e->code[1][i] = NULL;
        e->executed[0][i] = e->executed[1][i] = -1;
    }
    registers_allocate(e, loop);
    e->lines_untested = false;
    e->has_untested_version = lines_untested_version_wanted(e);
    return e;
}

void host_free(struct code_cache *cache)
{
    free(cache->emitter);
}

bool host_has_room(const struct code_cache *cache)
{
    return cache->code_end - cache->next_free > ROOM && executions_have_room(cache);
}

void host_patch_jump(uint32_t place, uint32_t target)
{
    x86_patch((uint8_t *)(uintptr_t)place, (const uint8_t *)(uintptr_t)target);
}

void host_patch_check(uint32_t place, uint32_t value)
{
    memcpy((void *)(uintptr_t)place, &value, sizeof value);
}

/* Positions within a block */

static bool is_in_delay_slot(const struct ir_block *block, const struct ir_op *op)
{
    return block->ends_in_branch && op->index + 1u == block->insns;
}

struct cold *emitter_cold(struct host_emitter *e, enum cold_kind kind, const struct ir_op *op)
{
    const struct ir_block *block = e->block;
    if (e->cold_count == MAX_COLD)
        log_bug("translator: too much cold code at 0x%08x", block->pc);
    struct cold *cold = &e->cold[e->cold_count++];
    *cold = (struct cold){.kind = (uint8_t)kind, .block = block, .op = op, .unchecked = e->lines_untested};
    if (op == NULL)
        return cold;
    cold->in_delay_slot = is_in_delay_slot(block, op);
    cold->pc = block->pc + op->index * 4u;
    cold->position = (block->insns - op->index - 1u) | (cold->in_delay_slot ? POSITION_DELAY_SLOT : 0) |
                     (e->is_loop ? POSITION_IN_LOOP : 0) | (e->lines_untested ? POSITION_UNTESTED : 0) |
                     (e->context->user ? POSITION_USER : 0) | (uint32_t)op->loads << 16 | (uint32_t)op->stores << 24;
    return cold;
}

void emit_position(struct host_emitter *e, const struct cold *cold)
{
    x86_store_imm(&e->x, AT_CORE(s.pc), cold->pc);
    x86_store_imm(&e->x, AT_FRAME(position), cold->position);
}

/* Set s.pc for an exit before PC. If the previous instruction is in the same line as PC, note that the line has already
 * been fetched (core.h, struct core_resume). */
static void emit_stop_at(struct host_emitter *e, vaddr pc)
{
    x86_store_imm(&e->x, AT_CORE(s.pc), pc);
    if (build_may_enter(e->context, pc))
        return;
    x86_store_imm(&e->x, AT_CORE(resume.fetched_pc), pc);
    x86_store_imm(&e->x, AT_CORE(resume.fetched_line), code_line(e->cache, e->page, pc));
}

static void emit_exit(struct host_emitter *e, enum translate_exit exit)
{
    x86_mov_imm(&e->x, RAX, exit);
    x86_jump_to(&e->x, emitter_stub(e, STUB_EXIT));
}

/* For loads with further operations after the access (lwl, ldc1): generate the remaining operations of the
 * instruction. */
static void emit_remaining(struct host_emitter *e, const struct cold *cold)
{
    const struct ir_op *end = cold->block->ops + cold->block->count;
    for (const struct ir_op *op = cold->op + 1; op < end && op->index == cold->op->index; op++)
        if (!emit_arithmetic(e, op))
            log_bug("translator: operation %u behind an access", op->opcode);
}

void emit_leave(struct host_emitter *e, const struct cold *cold)
{
    if (cold->op->dst.kind == IR_TEMP)
        emit_remaining(e, cold);
    emit_stop_at(e, cold->pc + 4);
    emit_leave_loop(e);
    x86_jump_to(&e->x, emitter_stub(e, STUB_LEAVE));
}

/* The stub that was called has returned. With the usual register allocation it takes an exception itself; in a loop it
 * returns with the zero flag clear. */
static void emit_fault_of_loop(struct host_emitter *e)
{
    if (!e->is_loop)
        return;
    if (e->fault == NULL) {
        uint8_t *over = x86_jcc(&e->x, X86_E);
        e->fault = e->x.at;
        emit_leave_loop(e);
        x86_jump_to(&e->x, emitter_stub(e, STUB_FAULT));
        x86_patch(over, e->x.at);
    } else {
        x86_jcc_to(&e->x, X86_NE, e->fault);
    }
}

static void emit_call_stub(struct host_emitter *e, unsigned stub)
{
    x86_call_to(&e->x, emitter_stub(e, stub));
    emit_fault_of_loop(e);
}

void emit_access_stub(struct host_emitter *e, enum translate_stub stub)
{
    x86_mov_imm(&e->x, RAX, 1); /* replaced by the return address */
    uint8_t *back = e->x.at - sizeof(uint32_t);
    x86_jump_to(&e->x, emitter_stub(e, stub));
    const uint32_t at = (uint32_t)(uintptr_t)e->x.at;
    host_patch_check((uint32_t)(uintptr_t)back, at);
    if (e->return_count < MAX_COLD)
        e->returns[e->return_count++] = at;
    emit_fault_of_loop(e);
}

/* Calls of C functions */

static void store_register(struct host_emitter *e, unsigned guest)
{
    int home = guest < LOOP_REGISTERS ? e->host_register[guest] : X86_NONE;
    if (home != X86_NONE)
        x86_store(&e->x, x86_state(guest), home);
}

static void load_register(struct host_emitter *e, unsigned guest)
{
    int home = guest < LOOP_REGISTERS ? e->host_register[guest] : X86_NONE;
    if (home != X86_NONE)
        x86_mov(&e->x, home, x86_state(guest));
}

/* Apply FUNCTION to each of OP's OPERANDS (OPERAND_...) that is a general register, HI or LO. */
static void each_register(struct host_emitter *e, const struct ir_op *op, unsigned operands,
                          void (*function)(struct host_emitter *, unsigned))
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    const unsigned count = isa_registers((enum isa_id)op->id, &op->insn, operands, registers);
    for (unsigned i = 0; i < count; i++)
        if (registers[i].number <= ISA_REG_LO)
            function(e, registers[i].number);
}

/* Copy INSN into code memory, where C code can access it. Returns the copy. */
static const struct insn *copy_insn(struct host_emitter *e, const struct insn *insn)
{
    uint8_t *over = x86_jump_short(&e->x);
    while ((uintptr_t)e->x.at % 8)
        x86_byte(&e->x, 0xcc);
    struct insn *copy = (struct insn *)(void *)e->x.at;
    memcpy(copy, insn, sizeof *copy);
    e->x.at += sizeof *copy;
    x86_patch_short(over, e->x.at);
    if (e->data_count < MAX_DATA) {
        e->data[e->data_count] = over + 1;
        e->data_end[e->data_count++] = e->x.at;
    }
    return copy;
}

void emit_call_semantics(struct host_emitter *e, const struct cold *cold, unsigned stub)
{
    struct x86 *x = &e->x;
    const struct ir_op *op = cold->op;
    if (op->observed)
        for (unsigned guest = 0; guest < LOOP_REGISTERS; guest++)
            store_register(e, guest);
    else
        each_register(e, op, isa_table[op->id].uses, store_register);
    const struct insn *insn = copy_insn(e, &op->insn);
    emit_position(e, cold);
    x86_mov_imm(x, RCX, (uint32_t)(uintptr_t)insn);
    x86_mov_imm64(x, RAX, (uint64_t)(uintptr_t)op->function);
    emit_call_stub(e, stub);
    each_register(e, op, isa_table[op->id].defines, load_register);
}

static void emit_call(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct cold *cold = emitter_cold(e, COLD_CALL, op);
    emit_call_semantics(e, cold, STUB_CALL);
    const bool timed = op->timed && !cold->in_delay_slot; /* the next block tests the budget */
    if (!op->serial && !timed) {
        e->cold_count--;
        return;
    }
    x86_cmp8_imm(x, timed ? AT_FRAME(exit_requested) : AT_CORE(attention), 0);
    cold->from[0] = x86_jcc(x, X86_NE);
    cold->back = x->at;
}

static void emit_cold_call(struct host_emitter *e, const struct cold *cold)
{
    if (!cold->in_delay_slot) {
        emit_leave(e, cold);
        return;
    }
    x86_call_to(&e->x, emitter_stub(e, STUB_FORCE_EXIT));
    x86_jump_to(&e->x, cold->back);
}

static void emit_trap(struct host_emitter *e, const struct cold *cold)
{
    emit_position(e, cold);
    emit_leave_loop(e);
    x86_mov_imm(&e->x, RCX, cold->op->target);
    x86_jump_to(&e->x, emitter_stub(e, STUB_TRAP));
}

static void emit_trap_if(struct host_emitter *e, const struct ir_op *op)
{
    struct cold *cold = emitter_cold(e, COLD_TRAP, op);
    enum x86_condition condition = emit_compare(e, (enum ir_condition)op->condition, op->a, op->b);
    cold->from[0] = x86_jcc(&e->x, condition);
}

static void emit_need_fpu(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct cold *cold = emitter_cold(e, COLD_MODE, op);
    x86_mov(x, RAX, AT_CORE(s.cp0[CP0_STATUS]));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), STATUS_CU1 | STATUS_FR);
    x86_alu_imm(x, X86_CMP, x86_reg(RAX), STATUS_CU1 | (op->target ? STATUS_FR : 0));
    cold->from[0] = x86_jcc(x, X86_NE);
}

static void emit_count(struct host_emitter *e, unsigned loads, unsigned stores, enum x86_alu alu)
{
    if (loads)
        x86_alu64_imm(&e->x, alu, AT_CORE(counts.loads), (int32_t)loads);
    if (stores)
        x86_alu64_imm(&e->x, alu, AT_CORE(counts.stores), (int32_t)stores);
}

static void emit_annul(struct host_emitter *e, const struct ir_op *op)
{
    struct cold *cold = emitter_cold(e, COLD_ANNUL, op);
    enum x86_condition condition = emit_compare(e, (enum ir_condition)op->condition, op->a, op->b);
    cold->from[0] = x86_jcc(&e->x, condition);
    cold->target = op->target;
}

/* The block has already been charged for the delay slot: undo this. */
static void emit_cold_annul(struct host_emitter *e, const struct cold *cold)
{
    x86_alu64_imm(&e->x, X86_ADD, x86_reg(BUDGET), 1);
    emit_count(e, cold->op->loads, cold->op->stores, X86_SUB);
    emit_count_side(e);
    emit_jump(e, cold->target);
}

static void emit_step(struct host_emitter *e, const struct ir_op *op)
{
    if (op->index > 0 || e->context->exact)
        emit_stop_at(e, op->target);
    else
        x86_store_imm(&e->x, AT_CORE(s.pc), op->target);
    emit_leave_loop(e);
    emit_exit(e, TRANSLATE_INTERPRET_ONE);
}

/* Basic blocks */

static void emit_operation(struct host_emitter *e, const struct ir_op *op)
{
    if (emit_arithmetic(e, op) || emit_memory(e, op))
        return;
    switch (op->opcode) {
    case IR_NEED_FPU: emit_need_fpu(e, op); break;
    case IR_FETCH_LINE: emit_fetch_line(e, op); break;
    case IR_AWAIT: emit_await(e, op); break;
    case IR_ISSUE: emit_issue(e, op); break;
    case IR_COUNT:
        if (e->context->exact && e->block->insns == 1)
            e->page->exact[e->block->pc >> 2 & (PAGE_INSNS - 1)].begun = (uint32_t)(uintptr_t)e->x.at;
        emit_count(e, op->loads, op->stores, X86_ADD);
        break;
    case IR_TRAP_IF: emit_trap_if(e, op); break;
    case IR_CALL: emit_call(e, op); break;
    case IR_FP: emit_fp(e, op); break;
    case IR_ANNUL: emit_annul(e, op); break;
    default: log_bug("translator: no code for operation %u", op->opcode);
    }
}

/* Subtract the cycles of the whole block from the budget; exit if they are not available. */
static void emit_budget_check(struct host_emitter *e)
{
    const struct ir_block *block = e->block;
    if (block->insns == 0)
        return;
    x86_alu64_imm(&e->x, X86_SUB, x86_reg(BUDGET), (int32_t)block->insns);
    struct cold *cold = emitter_cold(e, COLD_BUDGET, NULL);
    cold->from[0] = x86_jcc(&e->x, X86_S);
}

static void emit_cold_budget(struct host_emitter *e, const struct cold *cold)
{
    x86_alu64_imm(&e->x, X86_ADD, x86_reg(BUDGET), (int32_t)cold->block->insns);
    if (e->context->exact) {
        emit_stop_at(e, cold->block->pc);
        x86_store_imm(&e->x, AT_FRAME(resume.code), e->page->exact[cold->block->pc >> 2 & (PAGE_INSNS - 1)].code);
        x86_store_imm(&e->x, AT_FRAME(resume.page), (uint32_t)(uintptr_t)e->page);
        emit_exit(e, cold->block->insns > 1 ? TRANSLATE_INTERPRET : TRANSLATE_NEXT);
        return;
    }
    emit_leave_loop(e);
    x86_mov_imm(&e->x, RAX, cold->block->pc);
    x86_jump_to(&e->x, emitter_stub(e, STUB_BUDGET));
}

/* Exact code continues at PC, the next instruction. Normal code there could fetch its line again. */
static void emit_exact_next(struct host_emitter *e, vaddr pc)
{
    const bool may_enter = build_may_enter(e->context, pc);
    if (may_enter && code_is_translated(e->cache, e->page, pc)) {
        emit_jump(e, pc);
    } else if (code_exact(e->page, pc) != 0) {
        x86_jump_to(&e->x, (const uint8_t *)(uintptr_t)code_exact(e->page, pc));
    } else if (may_enter) {
        emit_jump(e, pc);
    } else {
        emit_stop_at(e, pc);
        emit_exit(e, TRANSLATE_NEXT);
    }
}

/* Continue at PC: fall through if that is the next block of the superblock, otherwise jump. */
static void continue_at(struct host_emitter *e, vaddr pc)
{
    const struct ir_superblock *superblock = &e->cache->superblock;
    const struct ir_block *next = e->block + 1;
    if (next < superblock->blocks + superblock->count && next->pc == pc)
        return;
    if (e->context->exact && !e->block->ends_in_branch && emitter_in_page(e, pc))
        emit_exact_next(e, pc);
    else
        emit_jump(e, pc);
}

/* Can the guest call OP be a host call? The return address must be in this page. */
static bool is_guest_call(const struct host_emitter *e, const struct ir_op *op)
{
    return op->calls && !e->is_loop && emitter_in_page(e, e->block->pc + e->block->insns * 4);
}

static void emit_call_end(struct host_emitter *e, const struct ir_op *op)
{
    vaddr back = e->block->pc + e->block->insns * 4;
    if (op->opcode == IR_GOTO) {
        emit_set_target(e, emit_guest_call(e, back), op->target);
    } else {
        place_load(e, RAX, place_of(e, op->a));
        emit_count_indirect_call(e);
        uint8_t *place = emit_guest_call(e, back);
        struct cold *cold = emitter_cold(e, COLD_INDIRECT_CALL, NULL);
        cold->from[0] = place;
        cold->target = back;
    }
    emit_return_point(e, back);
    continue_at(e, back);
}

static void emit_end(struct host_emitter *e, const struct ir_op *op)
{
    const struct ir_block *block = e->block;
    struct x86 *x = &e->x;
    struct cold *here; /* its code is inline */
    switch (op->opcode) {
    case IR_BRANCH: {
        enum x86_condition condition = emit_compare(e, (enum ir_condition)op->condition, op->a, op->b);
        const bool counted = counts_taken_branch(e, op), delayed = delays_branch_to(e, op->target);
        if (counted || delayed) {
            uint8_t *over = x86_jcc(x, x86_inverse(condition));
            if (counted)
                emit_count_side(e);
            if (delayed)
                emit_taken_delay(e);
            emit_jump(e, op->target);
            x86_patch(over, x->at);
        } else {
            emit_set_target(e, x86_jcc(x, condition), op->target);
        }
        continue_at(e, block->pc + block->insns * 4);
        break;
    }
    case IR_GOTO:
        if (block->ends_in_branch && counts_taken_branch(e, op)) /* a conditional branch that is always taken */
            emit_count_side(e);
        if (block->ends_in_branch)
            emit_count_known_call(e, op->target);
        if (delays_branch_to(e, op->target))
            emit_taken_delay(e);
        if (is_guest_call(e, op))
            emit_call_end(e, op);
        else
            continue_at(e, op->target);
        break;
    case IR_INDIRECT:
        emit_indirect_delay(e, op->a);
        if (is_guest_call(e, op))
            emit_call_end(e, op);
        else
            emit_indirect(e, op);
        break;
    case IR_EXCEPTION:
        here = emitter_cold(e, COLD_TRAP, op);
        e->cold_count--;
        emit_trap(e, here);
        break;
    case IR_ERET:
        here = emitter_cold(e, COLD_TRAP, op);
        e->cold_count--;
        emit_position(e, here);
        emit_leave_loop(e);
        x86_jump_to(x, emitter_stub(e, STUB_ERET));
        break;
    case IR_RFE:
        emit_indirect_delay(e, op->a);
        place_load(e, RAX, place_of(e, op->a));
        x86_store64(x, AT_FRAME(value), RAX);
        here = emitter_cold(e, COLD_TRAP, op);
        e->cold_count--;
        emit_position(e, here);
        emit_leave_loop(e);
        x86_jump_to(x, emitter_stub(e, STUB_RFE));
        break;
    default: emit_step(e, op);
    }
}

static void emit_block(struct host_emitter *e, const struct ir_block *block)
{
    e->block = block;
    place_prepare(e);
    emit_budget_check(e);
    emit_count_block(e);
    for (unsigned i = 0; i + 1 < block->count;) {
        unsigned grouped = emit_group(e, i);
        if (grouped == 0) {
            place_define(e, i);
            emit_operation(e, &block->ops[i]);
        }
        i += grouped ? grouped : 1;
    }
    emit_end(e, &block->ops[block->count - 1]);
}

/*
 * Cold code after a superblock is sorted by frequency of execution, to use the host's caches well: first the handling
 * of line misses, which is as frequent as the superblock itself, last the exceptional cases.
 */
enum section { SECTION_GROUPS /* these add further cold code */, SECTION_FREQUENT, SECTION_RARE, SECTIONS };

static bool is_line_miss(const struct cold *cold)
{
    return cold->kind == COLD_FETCH || (cold->kind == COLD_ACCESS && cold->miss_jump != NULL);
}

static enum section section_of(const struct cold *cold)
{
    switch (cold->kind) {
    case COLD_GROUP: return SECTION_GROUPS;
    case COLD_CHECKED:
    case COLD_ANNUL:
    case COLD_INDIRECT_CALL:
    case COLD_INTERLOCK:
    case COLD_RETURN_MISMATCH: return SECTION_FREQUENT;
    default: return is_line_miss(cold) ? SECTION_FREQUENT : SECTION_RARE;
    }
}

static void emit_line_miss(struct host_emitter *e, struct cold *cold)
{
    if (cold->kind == COLD_FETCH)
        emit_fetch_miss(e, cold);
    else
        emit_access_miss(e, cold);
}

static void patch_jumps(struct host_emitter *e, const struct cold *cold)
{
    if (cold->rest_jump != NULL)
        x86_patch(cold->rest_jump, e->x.at);
    if (cold->kind == COLD_FETCH) /* its jump was patched by emit_fetch_miss() */
        return;
    for (unsigned i = 0; i < sizeof cold->from / sizeof cold->from[0]; i++)
        if (cold->from[i] != NULL)
            x86_patch(cold->from[i], e->x.at);
}

static void emit_cold(struct host_emitter *e, struct cold *cold)
{
    patch_jumps(e, cold);
    switch (cold->kind) {
    case COLD_BUDGET: emit_cold_budget(e, cold); break;
    case COLD_LINK: emit_cold_link(e, cold); break;
    case COLD_CHECKED: emit_cold_checked(e, cold); break;
    case COLD_GROUP: emit_cold_group(e, cold); break;
    case COLD_ACCESS: emit_cold_access(e, cold); break;
    case COLD_FETCH: emit_cold_fetch(e, cold); break;
    case COLD_CALL: emit_cold_call(e, cold); break;
    case COLD_TRAP: emit_trap(e, cold); break;
    case COLD_MODE:
        emit_position(e, cold);
        emit_leave_loop(e);
        x86_jump_to(&e->x, emitter_stub(e, STUB_MODE));
        break;
    case COLD_ANNUL: emit_cold_annul(e, cold); break;
    case COLD_STACK: emit_cold_stack(e, cold); break;
    case COLD_INDIRECT_CALL: emit_dispatch(e); break;
    case COLD_RETURN_REMAPPED: emit_cold_return_remapped(e, cold); break;
    case COLD_RETURN_MISMATCH: emit_cold_return_mismatch(e); break;
    case COLD_COUNTER: emit_cold_counter(e, cold); break;
    case COLD_INTERLOCK: emit_cold_interlock(e, cold); break;
    case COLD_FP: emit_cold_fp(e, cold); break;
    }
}

/* Generate the part of COLD that belongs to SECTION. */
static void emit_section(struct host_emitter *e, struct cold *cold, enum section section)
{
    const bool in_parts = is_line_miss(cold);
    const uint8_t *start = e->x.at;
    if (section != section_of(cold) && !(in_parts && section == SECTION_RARE))
        return;
    e->block = cold->block;
    e->lines_untested = cold->unchecked;
    if (in_parts && section == SECTION_FREQUENT)
        emit_line_miss(e, cold);
    else
        emit_cold(e, cold);
    if (e->x.at == start) /* no code: only a jump was patched */
        return;
    if (in_parts && section == SECTION_RARE)
        cold->rest = start;
    else
        cold->code = start;
}

static void emit_all_cold(struct host_emitter *e)
{
    e->cold_code = e->x.at;
    for (enum section section = SECTION_GROUPS; section < SECTIONS; section++)
        for (unsigned i = 0; i < e->cold_count; i++) /* some add further entries */
            emit_section(e, &e->cold[i], section);
}

static void emit_blocks(struct host_emitter *e)
{
    const struct ir_superblock *superblock = &e->cache->superblock;
    for (unsigned i = 0; i < superblock->count; i++) {
        const struct ir_block *block = &superblock->blocks[i];
        const unsigned index = block->pc >> 2 & (PAGE_INSNS - 1);
        if (e->context->exact)
            e->page->exact[index].code = (uint32_t)(uintptr_t)e->x.at;
        else if (!e->is_loop)
            e->page->entry[index] = (uint32_t)(uintptr_t)e->x.at;
        e->code[e->lines_untested][i] = e->x.at;
        emit_block(e, block);
    }
}

static void emit_loop(struct host_emitter *e)
{
    uint8_t *from[MAX_LINE_CHECKS];
    unsigned checks = 0;
    e->page->entry[e->cache->superblock.blocks[0].pc >> 2 & (PAGE_INSNS - 1)] = (uint32_t)(uintptr_t)e->x.at;
    emit_enter_loop(e);
    e->head = e->x.at;
    if (e->has_untested_version) {
        checks = emit_line_checks(e, from);
        e->lines_untested = true;
        emit_blocks(e);
        e->lines_untested = false;
    }
    for (unsigned i = 0; i < checks; i++)
        x86_patch(from[i], e->x.at);
    emit_blocks(e);
}

void host_translate(struct code_cache *cache, struct code_page *page, const struct build_context *context,
                    const struct loop *loop)
{
    struct host_emitter *e = begin(cache, page, context, loop);
    if (e->is_loop)
        emit_loop(e);
    else
        emit_blocks(e);
    emit_all_cold(e);
    cache->next_free = e->x.at;
}
