/*
 * isa.def as machine code: each body, executed here, emits what it does.
 */
#include "cpu/cp0.h"
#include "cpu/mipsy/x86_emitter.h"

enum { GUEST_HI = offsetof(struct cpu, hi) / 4, GUEST_LO = offsetof(struct cpu, lo) / 4 };
_Static_assert(offsetof(struct core, s) == 0 && offsetof(struct cpu, gpr) == 0, "a register's place is its number");

static struct value fail(struct mipsy_translator *t)
{
    t->failed = true;
    return value_const(0);
}

static void branch(struct mipsy_translator *t, unsigned how, struct value decides)
{
    t->branch = how;
    t->decides = decides;
}

/* A branch whose condition may have come out as a number. */
static void branch_if(struct mipsy_translator *t, struct value c)
{
    branch(t, BRANCH_IF, c.kind == VALUE_HOST ? value_compare(t, X86_NE, c, value_const(0)) : c);
}

static void prefetch(struct mipsy_translator *t)
{
    if (t->prefetches)
        fail(t);
}

/* mfc0, mtc0 in kernel mode of a register that is a word and nothing more: see mipsy_translator_can(). In user mode the
 * interpreter has to begin with it, which it cannot in a delay slot. */
static void move_system_register(struct mipsy_translator *t)
{
    if (t->site.delayed) {
        fail(t);
        return;
    }
    const unsigned number = CP0_NUMBER(t->insn.rd & 31u, (uint32_t)t->insn.imm & 7);
    const struct value word = value_guest(offsetof(struct cpu, cp0) / 4 + number);
    const uint32_t mask = cp0_table[number].write_mask;
    emit_leave_in_user_mode(t);
    if (t->id == ISA_MFC0) {
        value_write(t, t->insn.rt, word);
        return;
    }
    const struct value kept = value_binary(t, X86_AND, word, value_const(~mask));
    const struct value written = value_binary(t, X86_AND, value_guest(t->insn.rt), value_const(mask));
    value_write(t, word.guest, value_binary(t, X86_OR, kept, written));
}

/* What is done by a function. */
static void call(struct mipsy_translator *t)
{
    if (t->id == ISA_MFC0 || t->id == ISA_MTC0)
        move_system_register(t);
    else if (t->id == ISA_TLBWR)
        emit_call(t, THUNK_TLBWR);
    else
        fail(t);
}

/* It ends a block, so it is none of a branch's. */
static void return_from_exception(struct mipsy_translator *t)
{
    if (t->site.delayed)
        fail(t);
    emit_call(t, THUNK_ERET);
}

/* The vocabulary. */
#define READ(n)                             value_guest(n)
#define READ_S                              READ(t->insn.rs)
#define READ_T                              READ(t->insn.rt)
#define READ_D                              READ(t->insn.rd)
#define READ_STORED                         READ(t->insn.sa)
#define READ_HI                             READ(GUEST_HI)
#define READ_LO                             READ(GUEST_LO)
#define WRITE_T(v)                          value_write(t, t->insn.rt, v)
#define WRITE_D(v)                          value_write(t, t->insn.rd, v)
#define WRITE_31(v)                         value_write(t, 31, v)
#define WRITE_HI(v)                         value_write(t, GUEST_HI, v)
#define WRITE_LO(v)                         value_write(t, GUEST_LO, v)
#define IMM                                 value_const((uint32_t)t->insn.imm)
#define SHIFT_AMOUNT                        value_const(t->insn.sa)
#define LET(name, v)                        const struct value name = value_named(t, v)
#define LET64(name, v)                      const struct value name = value_named(t, v)
#define CONST(n)                            value_const((uint32_t)(n))
#define ADD(a, b)                           value_binary(t, X86_ADD, a, b)
#define SUB(a, b)                           value_binary(t, X86_SUB, a, b)
#define AND(a, b)                           value_binary(t, X86_AND, a, b)
#define OR(a, b)                            value_binary(t, X86_OR, a, b)
#define XOR(a, b)                           value_binary(t, X86_XOR, a, b)
#define NOT(a)                              value_not(t, a)
#define SHL(a, n)                           value_shift(t, X86_SHL, a, n)
#define SHR(a, n)                           value_shift(t, X86_SHR, a, n)
#define SAR(a, n)                           value_shift(t, X86_SAR, a, n)
#define ROTR(a, n)                          value_shift(t, X86_ROR, a, n)
#define LT_S(a, b)                          value_compare(t, X86_L, a, b)
#define LT_U(a, b)                          value_compare(t, X86_B, a, b)
#define GE_S(a, b)                          value_compare(t, X86_GE, a, b)
#define EQ(a, b)                            value_compare(t, X86_E, a, b)
#define NE(a, b)                            value_compare(t, X86_NE, a, b)
#define SELECT(c, a, b)                     value_select(t, c, a, b)
#define SEXT8(a)                            value_extend(t, true, a)
#define SEXT16(a)                           value_extend(t, false, a)
#define CLZ(a)                              value_leading_zeros(t, a)
#define MUL_S64(a, b)                       value_product(t, true, a, b)
#define MUL_U64(a, b)                       value_product(t, false, a, b)
#define ADD64(a, b)                         value_binary64(t, X86_ADD, a, b)
#define SUB64(a, b)                         value_binary64(t, X86_SUB, a, b)
#define JOIN(hi, lo)                        value_joined(t, hi, lo)
#define HIGH(p)                             value_high(t, p)
#define LOW(p)                              (p)
#define DIV_S(a, b)                         ((void)(a), (void)(b), fail(t))
#define REM_S(a, b)                         ((void)(a), (void)(b), fail(t))
#define DIV_U(a, b)                         ((void)(a), (void)(b), fail(t))
#define REM_U(a, b)                         ((void)(a), (void)(b), fail(t))
#define NEED_FPU                            fail(t)
#define READ_FT_WORD                        fail(t)
#define READ_FS_WORD                        fail(t)
#define WRITE_FT_WORD(v)                    ((void)(v), fail(t))
#define WRITE_FS_WORD(v)                    ((void)(v), fail(t))
#define WRITE_FD_WORD(v)                    ((void)(v), fail(t))
#define READ_FT_DOUBLE                      fail(t)
#define READ_FS_DOUBLE                      fail(t)
#define WRITE_FT_DOUBLE(v)                  ((void)(v), fail(t))
#define WRITE_FD_DOUBLE(v)                  ((void)(v), fail(t))
#define READ_FCC                            fail(t)
#define READ_FCC_BRANCH                     fail(t)
#define LOAD(type, name, address)           const struct value name = emit_load(t, MIPSY_##type, address)
#define LOAD64(name, address)               const struct value name = fail(t)
#define LOAD_UNALIGNED(name, address)       const struct value name = emit_load(t, MIPSY_UNALIGNED, address)
#define LOAD_LINKED(name, address)          const struct value name = fail(t)
#define STORE(type, address, v)             emit_store(t, MIPSY_##type, address, v, value_const(0))
#define STORE64(address, v)                 ((void)(v), fail(t))
#define STORE_MERGED(address, v, mask)      emit_store(t, MIPSY_MERGED, address, v, mask)
#define STORE_CONDITIONAL(name, address, v) const struct value name = fail(t)
#define JUMP_TARGET                         IMM
#define LINK                                value_address(t, t->index * 4 + 8)
#define BRANCH(c)                           branch_if(t, c)
#define BRANCH_LIKELY(c)                    ((void)(c), fail(t))
#define JUMP(v)                             branch(t, isa_table[t->id].imm == IMM_JUMP ? JUMP_IN_REGION : JUMP_TO, v)
#define TRAP_IF(c, code)                    emit_trap_if(t, c, code)
#define CALL(function)                      call(t)
#define CACHE_OPERATION                     fail(t)
#define SYNCHRONIZE_CODE                    fail(t)
#define PREFETCH_LINE                       prefetch(t)
#define RETURN_FROM_EXCEPTION               return_from_exception(t)

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static void emit_##id(struct mipsy_translator *t)                                                                  \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        __VA_ARGS__                                                                                                    \
    }
#include "cpu/isa.def"
#undef ISA

void emit_row(struct mipsy_translator *t)
{
    static void (*const rows[ISA_COUNT])(struct mipsy_translator *) = {
#define ISA(id, ...) emit_##id,
#include "cpu/isa.def"
#undef ISA
    };
    t->free = (1u << TEMPORARIES) - 1;
    t->failed = false;
    t->branch = NO_BRANCH;
    rows[t->id](t);
}
