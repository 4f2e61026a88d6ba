/*
 * TLB refills in machine code: the exception in user mode, the jump to its handler, and the eret that returns to user
 * mode. These are most of the exceptions of most programs. The code does what exception_enter_by() and
 * exception_return_by() (cpu/privileged/mode_change.h) do where nothing observes the exception or the change of mode,
 * and it costs nothing more (mipsy.latency.exception, mipsy.latency.eret); in all other cases it leaves the exception
 * to C.
 */
#include "cpu/translate/x86/x86_stubs.h"

/* The jumps to the part of a stub that leaves the exception to C. */
struct rest {
    uint8_t *from[20];
    unsigned count;
};

/* Take the other part unless CONDITION. */
static void require(struct x86 *x, struct rest *rest, enum x86_condition condition)
{
    rest->from[rest->count++] = x86_jcc(x, x86_inverse(condition));
}

static void require_zero8(struct x86 *x, struct rest *rest, struct x86_operand byte)
{
    x86_cmp8_imm(x, byte, 0);
    require(x, rest, X86_E);
}

static void require_zero64(struct x86 *x, struct rest *rest, struct x86_operand word)
{
    x86_alu64_imm(x, X86_CMP, word, 0);
    require(x, rest, X86_E);
}

/* The other part begins here. */
static void begin_rest(struct x86 *x, const struct rest *rest)
{
    for (unsigned i = 0; i < rest->count; i++)
        x86_patch(rest->from[i], x->at);
}

static struct x86_operand bucket_of(enum mode mode)
{
    return x86_at(offsetof(struct core, mode_buckets) + (size_t)mode * sizeof(struct bucket));
}

static struct x86_operand field_of(struct x86_operand bucket, size_t offset)
{
    bucket.displacement += (int32_t)offset;
    return bucket;
}

/* Nothing observes exceptions and changes of mode, cycles are charged to MODE, the idle loop has not begun, and the
 * core does not request attention. Changes rax. */
static void require_unobserved(struct x86 *x, struct rest *rest, enum mode mode)
{
    x86_alu_imm(x, X86_CMP, AT_CORE(mode), mode);
    require(x, rest, X86_E);
    x86_lea64(x, RAX, bucket_of(mode));
    x86_alu64(x, X86_CMP, RAX, AT_CORE(bucket));
    require(x, rest, X86_E);
    require_zero64(x, rest, AT_CORE(observer));
    require_zero64(x, rest, AT_CORE(executions));
    require_zero8(x, rest, AT_CORE(reports_mode));
    require_zero8(x, rest, AT_CORE(perf_in_use));
    require_zero8(x, rest, AT_CORE(in_idle_loop));
    require_zero8(x, rest, AT_CORE(idle_interrupted));
    require_zero8(x, rest, AT_CORE(attention));
}

static void count(struct x86 *x, struct x86_operand counter)
{
    x86_alu64_imm(x, X86_ADD, counter, 1);
}

/* translate_flush_counts(), charging mode FROM. In: the struct translated in rdx. Changes rax. */
static void flush_interlocks(struct x86 *x, enum mode from)
{
    for (unsigned i = 0; i < INTERLOCK_COUNT; i++) {
        x86_mov64(x, RAX, AT_FRAME(interlock[i]));
        x86_alu64_store(x, X86_ADD, field_of(bucket_of(from), offsetof(struct bucket, interlock[i])), RAX);
        x86_alu64_store(x, X86_ADD, x86_mem(RDX, offsetof(struct translated, in.stalls)), RAX);
        x86_store64_imm(x, AT_FRAME(interlock[i]), 0);
    }
}

/* The mode changes: core_mode_update_by(). Changes rax, rcx, rdx. */
static void change_mode(struct code_cache *cache, struct x86 *x, enum mode from, enum mode to)
{
    const unsigned tables = to == MODE_USER ? VMAP_USER : VMAP_KERNEL;
    x86_mov64(x, RDX, AT_FRAME(owner));
    if (cache->costs != NULL)
        flush_interlocks(x, from);
    x86_mov64(x, RAX, AT_FRAME(end)); /* rax: the time */
    x86_alu64(x, X86_SUB, RAX, x86_reg(BUDGET));
    x86_mov64(x, RCX, x86_mem(RDX, offsetof(struct translated, in.insns_offset))); /* rcx: instructions executed */
    x86_alu64(x, X86_ADD, RCX, x86_reg(RAX));
    x86_alu64(x, X86_SUB, RCX, x86_mem(RDX, offsetof(struct translated, in.stalls)));
    x86_mov64(x, RDX, x86_reg(RAX));
    x86_alu64(x, X86_SUB, RDX, AT_CORE(charged_cycle));
    x86_alu64_store(x, X86_ADD, field_of(bucket_of(from), offsetof(struct bucket, cycles)), RDX);
    x86_store64(x, AT_CORE(charged_cycle), RAX);
    x86_mov64(x, RDX, x86_reg(RCX));
    x86_alu64(x, X86_SUB, RDX, AT_CORE(charged_insns));
    x86_alu64_store(x, X86_ADD, field_of(bucket_of(from), offsetof(struct bucket, insns)), RDX);
    x86_store64(x, AT_CORE(charged_insns), RCX);
    x86_lea64(x, RAX, bucket_of(to));
    x86_store64(x, AT_CORE(bucket), RAX);
    x86_lea64(x, RAX, AT_CORE(maps[tables]));
    x86_store64(x, AT_CORE(map), RAX);
    x86_store8_imm(x, AT_CORE(user_mode), to == MODE_USER);
    x86_store_imm(x, AT_CORE(mode), to);
    count(x, AT_CORE(counts.mode_changes));
}

/* Cause for an exception with CODE that is not in a delay slot, into edx. */
static void load_cause(struct x86 *x, enum exception_code code)
{
    x86_mov(x, RDX, AT_CORE(s.cp0[CP0_CAUSE]));
    x86_alu_imm(x, X86_AND, x86_reg(RDX), ~(CAUSE_BD | (uint32_t)CAUSE_EXCCODE | 3u << CAUSE_CE_SHIFT));
    x86_alu_imm(x, X86_OR, x86_reg(RDX), (uint32_t)code << CAUSE_EXCCODE_SHIFT);
}

/* Set EPC and Cause for an exception with CODE at s.pc, whose position is in the frame; undo the charges for the rest
 * of its block. Changes rax, rdx. */
static void set_cause_within_block(struct x86 *x, enum exception_code code)
{
    x86_mov(x, RAX, AT_CORE(s.pc));
    load_cause(x, code);
    x86_test8_imm(x, stub_position_flags(), POSITION_DELAY_SLOT >> 8);
    uint8_t *plain = x86_jcc_short(x, X86_E);
    x86_alu_imm(x, X86_SUB, x86_reg(RAX), 4);
    x86_alu_imm(x, X86_OR, x86_reg(RDX), CAUSE_BD);
    x86_patch_short(plain, x->at);
    x86_store(x, AT_CORE(s.cp0[CP0_EPC]), RAX);
    x86_store(x, AT_CORE(s.cp0[CP0_CAUSE]), RDX);
    stub_uncharge_block(x);
}

/* The same for the fetch at the address in ecx, between two blocks, which takes a cycle. */
static void set_cause_of_fetch(struct x86 *x)
{
    x86_store(x, AT_CORE(s.cp0[CP0_EPC]), RCX);
    load_cause(x, EXC_TLBL);
    x86_store(x, AT_CORE(s.cp0[CP0_CAUSE]), RDX);
    x86_alu64_imm(x, X86_SUB, x86_reg(BUDGET), 1);
}

/* Set BadVAddr, and its page in Context and EntryHi (tlb_set_missed()), for the address in ecx. Changes rax, rcx, rdx.
 */
static void set_bad_address(const struct tlb_format *format, struct x86 *x)
{
    x86_store(x, AT_CORE(s.cp0[CP0_BADVADDR]), RCX);
    x86_mov(x, RAX, x86_reg(RCX));
    x86_shift_imm(x, X86_SHR, x86_reg(RAX), format->context_shift);
    x86_alu_imm(x, X86_AND, x86_reg(RAX), format->context_page);
    x86_mov(x, RDX, AT_CORE(s.cp0[CP0_CONTEXT]));
    x86_alu_imm(x, X86_AND, x86_reg(RDX), ~format->context_page);
    x86_alu(x, X86_OR, RAX, x86_reg(RDX));
    x86_store(x, AT_CORE(s.cp0[CP0_CONTEXT]), RAX);
    x86_mov(x, RDX, AT_CORE(s.cp0[CP0_ENTRYHI]));
    x86_alu_imm(x, X86_AND, x86_reg(RDX), format->asid);
    x86_alu_imm(x, X86_AND, x86_reg(RCX), format->vpn);
    x86_alu(x, X86_OR, RCX, x86_reg(RDX));
    x86_store(x, AT_CORE(s.cp0[CP0_ENTRYHI]), RCX);
}

/* Replace the bits FIELD of register VALUE by those of VALUE shifted by BY. Changes SCRATCH. */
static void shift_field(struct x86 *x, enum x86_shift shift, unsigned value, unsigned scratch, unsigned by,
                        uint32_t field)
{
    x86_mov(x, scratch, x86_reg(value));
    x86_shift_imm(x, shift, x86_reg(scratch), by);
    x86_alu_imm(x, X86_AND, x86_reg(scratch), field);
    x86_alu_imm(x, X86_AND, x86_reg(value), ~field);
    x86_alu(x, X86_OR, value, x86_reg(scratch));
}

/* What an exception makes of Status (status_in_handler()). Changes rax, rdx. */
static void set_status_in_handler(const struct architecture *architecture, struct x86 *x)
{
    const uint32_t field = architecture->in_handler.shifts;
    if (architecture->in_handler.sets != 0)
        x86_alu_imm(x, X86_OR, AT_CORE(s.cp0[CP0_STATUS]), architecture->in_handler.sets);
    if (field == 0)
        return;
    x86_mov(x, RAX, AT_CORE(s.cp0[CP0_STATUS]));
    shift_field(x, X86_SHL, RAX, RDX, architecture->in_handler.by, field);
    x86_store(x, AT_CORE(s.cp0[CP0_STATUS]), RAX);
}

/* A refill exception of a data access, with CODE, or of a fetch; address in ecx. */
static void make_refill(struct code_cache *cache, struct x86 *x, enum translate_stub which)
{
    const enum exception_code code = which == STUB_REFILL_STORE ? EXC_TLBS : EXC_TLBL;
    const struct architecture *architecture = cache->architecture;
    const bool fetch = which == STUB_REFILL_FETCH;
    struct x86_operand bev = AT_CORE(s.cp0[CP0_STATUS]);
    struct rest rest = {0};
    stub_begin(cache, x, which);
    if (cache->costs != NULL && cache->costs->exception != 0)
        rest.from[rest.count++] = x86_jump(x);
    require_unobserved(x, &rest, MODE_USER);
    bev.displacement += 2;
    x86_test8_imm(x, bev, STATUS_BEV >> 16);
    require(x, &rest, X86_E);
    count(x, AT_CORE(counts.exceptions[code]));
    count(x, AT_CORE(counts.tlb_refills[code == EXC_TLBS]));
    if (fetch) {
        count(x, AT_CORE(counts.tlb_fetch_refills));
        set_cause_of_fetch(x);
    } else {
        set_cause_within_block(x, code);
    }
    x86_store_imm(x, AT_FRAME(position), 0);
    set_bad_address(&architecture->tlb, x);
    set_status_in_handler(architecture, x);
    change_mode(cache, x, MODE_USER, MODE_KERNEL);
    x86_mov(x, RAX, AT_CORE(s.cp0[CP0_EBASE]));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), EBASE_ADDRESS);
    if (architecture->refill_offset != 0)
        x86_alu_imm(x, X86_ADD, x86_reg(RAX), architecture->refill_offset);
    stub_dispatch(x, VMAP_KERNEL, stub_address(cache, STUB_LOOKUP_IN_C));
    begin_rest(x, &rest);
    if (fetch) {
        x86_mov(x, RAX, x86_reg(RCX));
        x86_jump_to(x, stub_address(cache, STUB_LOOKUP_IN_C));
        return;
    }
    stub_store_registers(x);
    x86_mov(x, RSI, x86_reg(RCX));
    x86_mov_imm(x, RDX, code);
    stub_jump_to_c_result(x, STUB_C(translate_on_refill));
}

void stub_take_certain_refill(const struct code_cache *cache, struct x86 *x, enum translate_stub which, unsigned size)
{
    const bool fetch = which == STUB_REFILL_FETCH;
    const int scratch = fetch ? RDX : RAX;
    struct rest rest = {0};
    if (size > 1) {
        x86_test8_imm(x, x86_reg(RCX), (uint8_t)(size - 1));
        require(x, &rest, X86_E);
    }
    x86_test(x, RCX, RCX); /* in kuseg? */
    require(x, &rest, X86_NS);
    x86_mov(x, scratch, x86_reg(RCX));
    x86_shift_imm(x, X86_SHR, x86_reg(scratch), cache->architecture->tlb.entry_shift);
    x86_movzx16(x, scratch, x86_indexed(RBP, scratch, 1, (int32_t)CORE_TLB_INDEX_OFFSET - CORE_BIAS));
    x86_test(x, scratch, scratch);
    require(x, &rest, X86_E);
    _Static_assert(offsetof(struct core, tlb_walks) == offsetof(struct core, tlb_large) + sizeof(uint32_t), "one word");
    x86_alu64_imm(x, X86_CMP, AT_CORE(tlb_large), 0);
    require(x, &rest, X86_E);
    x86_alu_imm(x, X86_CMP, AT_CORE(mode), MODE_USER); /* so that kuseg is mapped */
    require(x, &rest, X86_E);
    if (fetch) {
        require_zero8(x, &rest, AT_CORE(s.in_delay_slot));
        x86_alu64_imm(x, X86_CMP, x86_reg(BUDGET), 0);
        require(x, &rest, X86_G);
    } else {
        x86_test8_imm(x, stub_position_flags(), POSITION_IN_LOOP >> 8); /* with another register allocation */
        require(x, &rest, X86_E);
        x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8);
    }
    x86_jump_to(x, stub_address(cache, which));
    begin_rest(x, &rest);
}

/* What rfe makes of Status, the value in ecx: the stack of modes but its last element moves down. Changes rax. */
static void pop_status(const struct architecture *architecture, struct x86 *x)
{
    shift_field(x, X86_SHR, RCX, RAX, architecture->in_handler.by,
                architecture->in_handler.shifts >> architecture->in_handler.by);
}

/* Taken here: from kernel mode to user mode, where no interrupt is pending. */
static void make_return(struct code_cache *cache, struct x86 *x, enum translate_stub which)
{
    const bool eret = which == STUB_ERET;
    struct rest rest = {0};
    stub_begin(cache, x, which);
    if (eret && cache->costs != NULL && cache->costs->eret != 0)
        rest.from[rest.count++] = x86_jump(x);
    require_unobserved(x, &rest, MODE_KERNEL);
    x86_mov(x, RCX, AT_CORE(s.cp0[CP0_STATUS]));
    if (eret)
        x86_alu_imm(x, X86_AND, x86_reg(RCX), ~cache->architecture->exception_level);
    else
        pop_status(cache->architecture, x);
    x86_mov(x, RAX, x86_reg(RCX));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), cache->architecture->user_mode.mask);
    x86_alu_imm(x, X86_CMP, x86_reg(RAX), cache->architecture->user_mode.value);
    require(x, &rest, X86_E);
    x86_mov(x, RAX, AT_CORE(s.cp0[CP0_CAUSE]));
    x86_alu(x, X86_AND, RAX, x86_reg(RCX));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), CAUSE_IP);
    require(x, &rest, X86_E);
    x86_store(x, AT_CORE(s.cp0[CP0_STATUS]), RCX);
    if (eret)
        x86_store8_imm(x, AT_CORE(s.ll_bit), 0);
    x86_store_imm(x, AT_FRAME(position), 0);
    change_mode(cache, x, MODE_KERNEL, MODE_USER);
    if (eret)
        x86_mov(x, RAX, AT_CORE(s.cp0[CP0_EPC]));
    else
        x86_mov(x, RAX, AT_FRAME(value));
    stub_dispatch(x, VMAP_USER, stub_address(cache, STUB_LOOKUP));
    begin_rest(x, &rest);
    stub_store_registers(x);
    if (eret)
        stub_jump_to_c_result(x, STUB_C(translate_on_eret));
    else
        stub_jump_to_c_result(x, STUB_C(translate_on_rfe));
}

void host_make_return_stubs(struct code_cache *cache, struct x86 *x)
{
    make_return(cache, x, STUB_ERET);
    make_return(cache, x, STUB_RFE);
}

void host_make_refill_stubs(struct code_cache *cache, struct x86 *x)
{
    make_refill(cache, x, STUB_REFILL_LOAD);
    make_refill(cache, x, STUB_REFILL_STORE);
    make_refill(cache, x, STUB_REFILL_FETCH);
}
