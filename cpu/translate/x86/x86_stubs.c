/* Stubs between machine code and C. */
#include "cpu/translate/fp.h"
#include "cpu/translate/host.h"
#include "cpu/translate/x86/x86_stubs.h"

static const int callee_saved[] = {RBX, RBP, R12, R13, R14, R15};
enum { CALLEE_SAVED = sizeof callee_saved / sizeof callee_saved[0] };

void stub_begin(struct code_cache *cache, struct x86 *x, enum translate_stub which)
{
    while ((uintptr_t)x->at % 16)
        x86_byte(x, 0x90);
    cache->stub[which] = (uint32_t)(uintptr_t)x->at;
}

static void load_registers(struct x86 *x)
{
    x86_mov64(x, BUDGET, AT_FRAME(budget));
    for (unsigned i = 0; i < ALLOCATED; i++)
        x86_mov(x, x86_allocations[i].host, x86_state(x86_allocations[i].guest));
}

void stub_store_registers(struct x86 *x)
{
    x86_store64(x, AT_FRAME(budget), BUDGET);
    for (unsigned i = 0; i < ALLOCATED; i++)
        x86_store(x, x86_state(x86_allocations[i].guest), x86_allocations[i].host);
}

/* Call FUNCTION(core, rsi, rdx). */
static void call_c(struct x86 *x, stub_function *function)
{
    x86_lea64(x, RDI, x86_mem(RBP, -CORE_BIAS));
    x86_mov_imm64(x, RAX, (uint64_t)(uintptr_t)function);
    x86_call_reg(x, RAX);
}
void stub_jump_to_c_result(struct x86 *x, stub_function *function)
{
    call_c(x, function);
    load_registers(x);
    x86_jump_reg(x, RAX);
}

/*
 * Stack layout in translated code: a guest call pushes its return address with the mode (x86_jumps.c) and then makes a
 * host call, so the return finds its key at [rsp + 8]. The bottom entry matches no return. rsp is a multiple of 16
 * whenever C is called.
 */
enum { STACK_BASE_BYTES = 24, NO_RETURN = 2, CALLS_BYTES = 16 * 1024 };

/* enum translate_exit host_run(core in rdi, code in rsi) */
static void make_enter(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_ENTER);
    for (int i = 0; i < CALLEE_SAVED; i++)
        x86_push(x, callee_saved[i]);
    x86_alu64_imm(x, X86_SUB, x86_reg(RSP), STACK_BASE_BYTES);
    x86_store64_imm(x, x86_mem(RSP, 8), NO_RETURN);
    x86_lea64(x, RBP, x86_mem(RDI, CORE_BIAS));
    x86_store64(x, AT_FRAME(stack_top), RSP);
    x86_lea64(x, RAX, x86_mem(RSP, -CALLS_BYTES));
    x86_store64(x, AT_FRAME(stack_limit), RAX);
    x86_mov64(x, RAX, x86_reg(RSI));
    load_registers(x);
    x86_jump_reg(x, RAX);
}

/* Exit with the exit reason in eax. */
static void make_exit(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_EXIT);
    stub_store_registers(x);
    x86_mov64(x, RSP, AT_FRAME(stack_top));
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), STACK_BASE_BYTES);
    for (int i = CALLEE_SAVED; i-- > 0;)
        x86_pop(x, callee_saved[i]);
    x86_ret(x);
}

static void make_exit_c(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_EXIT_C);
    x86_mov(x, RAX, AT_FRAME(exit));
    x86_jump_to(x, stub_address(cache, STUB_EXIT));
}

void stub_uncharge_block(struct x86 *x)
{
    struct x86_operand loads = AT_FRAME(position), stores = AT_FRAME(position);
    x86_movzx8(x, RAX, AT_FRAME(position));
    x86_alu64(x, X86_ADD, BUDGET, x86_reg(RAX));
    loads.displacement += 2;
    stores.displacement += 3;
    x86_movzx8(x, RAX, loads);
    x86_alu64_store(x, X86_SUB, AT_CORE(counts.loads), RAX);
    x86_movzx8(x, RAX, stores);
    x86_alu64_store(x, X86_SUB, AT_CORE(counts.stores), RAX);
}

static void make_partial_exit(struct code_cache *cache, struct x86 *x, enum translate_stub which,
                              enum translate_exit exit)
{
    stub_begin(cache, x, which);
    stub_uncharge_block(x);
    x86_mov_imm(x, RAX, exit);
    x86_jump_to(x, stub_address(cache, STUB_EXIT));
}

static void make_begun(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_BEGUN);
    stub_uncharge_block(x);
    stub_store_registers(x);
    stub_jump_to_c_result(x, STUB_C(translate_on_begun));
}

/* Force an exit at the next block. */
static void make_forced_exit(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_FORCE_EXIT);
    x86_store64(x, AT_FRAME(saved_budget), BUDGET);
    x86_store8_imm(x, AT_FRAME(exit_forced), 1);
    x86_mov_imm64(x, BUDGET, (uint64_t)TRANSLATE_FORCED_BUDGET);
    x86_ret(x);
}

static void make_faults(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_FAULT);
    stub_store_registers(x);
    stub_jump_to_c_result(x, STUB_C(translate_on_fault));
    stub_begin(cache, x, STUB_TRAP); /* exception code in ecx */
    stub_store_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    stub_jump_to_c_result(x, STUB_C(translate_on_trap));
    stub_begin(cache, x, STUB_LOOKUP_IN_C); /* address in eax */
    x86_store(x, AT_CORE(s.pc), RAX);
    stub_store_registers(x);
    stub_jump_to_c_result(x, STUB_C(translate_on_lookup));
}

static void make_lookup(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_LOOKUP); /* address in eax */
    x86_mov(x, RCX, x86_reg(RAX));
    stub_take_certain_refill(cache, x, STUB_REFILL_FETCH, sizeof(uint32_t));
    x86_jump_to(x, stub_address(cache, STUB_LOOKUP_IN_C));
    stub_begin(cache, x, STUB_BUDGET); /* address of the block in eax */
    x86_store(x, AT_CORE(s.pc), RAX);
    x86_alu64_imm(x, X86_CMP, x86_reg(BUDGET), 0);
    uint8_t *some = x86_jcc_short(x, X86_G);
    x86_mov_imm(x, RAX, TRANSLATE_NEXT);
    x86_jump_to(x, stub_address(cache, STUB_EXIT));
    x86_patch_short(some, x->at);
    stub_store_registers(x);
    stub_jump_to_c_result(x, STUB_C(translate_on_budget));
    stub_begin(cache, x, STUB_LINK); /* number of the link in eax, address in ecx */
    stub_take_certain_refill(cache, x, STUB_REFILL_FETCH, sizeof(uint32_t));
    stub_store_registers(x);
    x86_mov(x, RSI, x86_reg(RAX));
    stub_jump_to_c_result(x, STUB_C(translate_on_link));
}

/* For calls from translated code: preserve its registers except rax, rcx, rdx. */
static void save_registers(struct x86 *x)
{
    for (unsigned i = FIRST_CALLER_SAVED; i < ALLOCATED; i++)
        x86_push(x, x86_allocations[i].host);
    x86_alu64_imm(x, X86_SUB, x86_reg(RSP), 8);
    x86_store64(x, AT_FRAME(budget), BUDGET);
}
static void restore_registers(struct x86 *x)
{
    x86_mov64(x, BUDGET, AT_FRAME(budget));
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8);
    for (unsigned i = ALLOCATED; i-- > FIRST_CALLER_SAVED;)
        x86_pop(x, x86_allocations[i].host);
}

/* Return to the address at the top of the stack; with the value loaded in rax if VALUE. A stub that was jumped to
 * returns by a jump: calls and returns must match, because the host predicts returns by its calls. */
static void return_from_stub(struct x86 *x, bool jumped_to, bool value)
{
    if (value)
        x86_mov64(x, RAX, AT_FRAME(value));
    if (!jumped_to) {
        x86_ret(x);
        return;
    }
    x86_pop(x, RCX);
    x86_jump_reg(x, RCX);
}

/* Status in eax; if it is nonzero (an exception), do not return to the caller's normal path. */
static void fault_or_return(struct code_cache *cache, struct x86 *x, bool jumped_to, bool value)
{
    x86_test(x, RAX, RAX);
    uint8_t *faulted = x86_jcc_short(x, X86_NE);
    return_from_stub(x, jumped_to, value);
    x86_patch_short(faulted, x->at);
    x86_test8_imm(x, stub_position_flags(), POSITION_IN_LOOP >> 8);
    uint8_t *plain = x86_jcc_short(x, X86_E);
    return_from_stub(x, jumped_to, false); /* with the zero flag clear; the return above has it set */
    x86_patch_short(plain, x->at);
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8);
    x86_jump_to(x, stub_address(cache, STUB_FAULT));
}

/* Call out-of-line semantics: function in rax, address of the struct insn in rcx. */
static void make_call(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_CALL);
    save_registers(x);
    x86_mov64(x, RSI, x86_reg(RCX));
    x86_lea64(x, RDI, x86_mem(RBP, -CORE_BIAS));
    x86_call_reg(x, RAX);
    restore_registers(x);
    fault_or_return(cache, x, false, false);
}

/* The same for FPU instructions. */
static void make_fpu(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_FPU);
    save_registers(x);
    x86_mov64(x, RSI, x86_reg(RCX));
    x86_mov64(x, RDX, x86_reg(RAX));
    call_c(x, STUB_C(translate_on_fpu));
    restore_registers(x);
    fault_or_return(cache, x, false, false);
}

/* The alignment that the accesses of stub WHICH require, in bytes. */
static unsigned alignment_of(unsigned which)
{
    switch (which) {
    case STUB_LOAD + IR_U16:
    case STUB_LOAD + IR_S16:
    case STUB_STORE + IR_U16: return 2;
    case STUB_LOAD + IR_U32:
    case STUB_LOAD_LINKED:
    case STUB_STORE + IR_U32:
    case STUB_STORE_CONDITIONAL: return 4;
    case STUB_LOAD64:
    case STUB_STORE64: return 8;
    default: return 1;
    }
}

/* Jumped to with the address in ecx, the value to store in rdx, and in eax the address of the machine code at which to
 * continue, with the value loaded in rax. */
static void make_access(struct code_cache *cache, struct x86 *x, enum translate_stub which)
{
    const bool store = which >= STUB_STORE;
    stub_begin(cache, x, which);
    x86_push(x, RAX);
    stub_take_certain_refill(cache, x, store ? STUB_REFILL_STORE : STUB_REFILL_LOAD, alignment_of(which));
    save_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    call_c(x, STUB_C(translate_access_functions[which]));
    restore_registers(x);
    fault_or_return(cache, x, true, true);
}

/*
 * A call of these stubs is followed by two jumps: the first to where execution continues if the miss has been handled,
 * the second to the rest of the cold code. Behind them are the position's two words, s.pc and frame.position.
 */
enum { JUMP_BYTES = 5, POSITION_OFFSET = 2 * JUMP_BYTES };

static void return_behind(struct x86 *x)
{
    x86_alu64_imm(x, X86_ADD, x86_mem(RSP, 0), JUMP_BYTES);
    x86_ret(x);
}

/* Store the position. Changes rax, rdx. */
static void make_copy_position(struct x86 *x)
{
    x86_mov64(x, RAX, x86_mem(RSP, 0));
    x86_mov(x, RDX, x86_mem(RAX, POSITION_OFFSET));
    x86_store(x, AT_CORE(s.pc), RDX);
    x86_mov(x, RDX, x86_mem(RAX, POSITION_OFFSET + (int32_t)sizeof(uint32_t)));
    x86_store(x, AT_FRAME(position), RDX);
}

/* Stub for a line that is not known to hit, at the address in ecx. FUNCTION returns the stall, which is subtracted from
 * the budget. The stub returns past the jump after the call if FUNCTION has not performed the access, or if no cycle is
 * left for the following instructions; a data access is then marked TIMED. Preserves rcx. rax returns the host address
 * of the data if code_finds_host_address(), otherwise the line number of the address. */
static void make_line(struct code_cache *cache, struct x86 *x, enum translate_stub which, stub_function *function,
                      bool timed)
{
    stub_begin(cache, x, which);
    make_copy_position(x);
    x86_push(x, RCX);
    x86_push(x, RCX);
    save_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    call_c(x, function);
    x86_mov64(x, RDX, x86_reg(RAX));
    restore_registers(x);
    x86_pop(x, RCX);
    x86_pop(x, RAX);
    if (which != STUB_FETCH && code_finds_host_address(cache)) {
        const unsigned mode = which - (which < STUB_WRITE_LINE ? STUB_READ_LINE : STUB_WRITE_LINE);
        x86_shift_imm(x, X86_SHR, x86_reg(RAX), PAGE_SHIFT);
        x86_mov64(x, RAX, x86_table(mode, which < STUB_WRITE_LINE ? VMAP_LOAD : VMAP_STORE, RAX));
        x86_alu64(x, X86_ADD, RAX, x86_reg(RCX));
    } else {
        x86_shift_imm(x, X86_SHR, x86_reg(RAX), cache->data_shift);
    }
    x86_test64(x, RDX, RDX);
    uint8_t *undone = x86_jcc_short(x, X86_S);
    x86_alu64(x, X86_SUB, BUDGET, x86_reg(RDX));
    uint8_t *late = x86_jcc_short(x, X86_S);
    x86_ret(x);
    x86_patch_short(late, x->at);
    if (timed)
        x86_store8_imm(x, AT_FRAME(timed), 1);
    x86_patch_short(undone, x->at);
    return_behind(x);
}

/* Execution counts: put the counter whose number is in ecx on the list. Changes rax and the flags. */
static void make_list_counter(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_LIST_COUNTER);
    x86_mov(x, RAX, AT_CORE(listed_count));
    x86_store(x, x86_indexed(RBP, RAX, 2, (int32_t)CORE_LISTED_OFFSET - CORE_BIAS), RCX);
    x86_alu_imm(x, X86_ADD, AT_CORE(listed_count), 1);
    x86_ret(x);
}

/* The same with a profile. Changes rax, rcx and the flags. */
static void make_list_profiled(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_LIST_PROFILED);
    x86_push(x, RDX);
    x86_push(x, RDX);
    save_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    call_c(x, STUB_C(executions_list));
    restore_registers(x);
    x86_pop(x, RDX);
    x86_pop(x, RDX);
    x86_ret(x);
}

/* The number of a block that ends with jalr in ecx, its target in eax, which is preserved. Changes rcx, rdx and the
 * flags. */
static void make_indirect_call(struct code_cache *cache, struct x86 *x)
{
    stub_begin(cache, x, STUB_INDIRECT_CALL);
    x86_alu(x, X86_CMP, RAX, x86_indexed(RBP, RCX, 2, (int32_t)CORE_TARGETS_OFFSET - CORE_BIAS));
    uint8_t *other = x86_jcc_short(x, X86_NE);
    x86_lea(x, RDX, x86_indexed(RCX, RCX, 0, 1)); /* number of the second counter */
    x86_alu64_imm(x, X86_ADD, x86_indexed(RBP, RDX, 3, (int32_t)CORE_COUNTERS_OFFSET - CORE_BIAS), 1);
    uint8_t *unlisted = x86_jcc_short(x, X86_E);
    x86_ret(x);
    x86_patch_short(unlisted, x->at);
    x86_mov(x, RCX, x86_reg(RDX));
    x86_mov(x, RDX, x86_reg(RAX));
    x86_call_to(x, stub_address(cache, STUB_LIST_PROFILED));
    x86_mov(x, RAX, x86_reg(RDX));
    x86_ret(x);
    x86_patch_short(other, x->at);
    x86_push(x, RAX);
    x86_push(x, RAX);
    save_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    x86_mov(x, RDX, x86_reg(RAX));
    call_c(x, STUB_C(executions_indirect_call));
    restore_registers(x);
    x86_pop(x, RAX);
    x86_pop(x, RAX);
    x86_ret(x);
}

void host_make_stubs(struct code_cache *cache)
{
    struct x86 x = {.at = cache->code, .end = cache->code_end};
    make_enter(cache, &x);
    make_exit(cache, &x);
    make_exit_c(cache, &x);
    make_partial_exit(cache, &x, STUB_LEAVE, TRANSLATE_LEAVE);
    make_begun(cache, &x);
    make_partial_exit(cache, &x, STUB_MODE, TRANSLATE_MODE);
    make_forced_exit(cache, &x);
    make_faults(cache, &x);
    host_make_refill_stubs(cache, &x);
    make_lookup(cache, &x);
    host_make_return_stubs(cache, &x);
    make_call(cache, &x);
    make_fpu(cache, &x);
    make_line(cache, &x, STUB_FETCH, STUB_C(translate_on_fetch), false);
    for (unsigned mode = 0; mode < VMAP_MODES; mode++) {
        make_line(cache, &x, STUB_READ_LINE + mode, STUB_C(translate_on_read_line), true);
        make_line(cache, &x, STUB_WRITE_LINE + mode, STUB_C(translate_on_write_line), true);
    }
    for (unsigned which = STUB_LOAD; which < STUB_COUNT; which++)
        if (translate_access_functions[which] != NULL)
            make_access(cache, &x, (enum translate_stub)which);
    make_list_counter(cache, &x);
    make_list_profiled(cache, &x);
    make_indirect_call(cache, &x);
    cache->stubs_end = cache->next_free = x.at;
}

enum translate_exit host_run(struct code_cache *cache, struct core *core, uint32_t code)
{
    typedef enum translate_exit enter_fn(struct core *, uintptr_t);
    enter_fn *enter = (enter_fn *)(uintptr_t)cache->stub[STUB_ENTER];
    return enter(core, code);
}
