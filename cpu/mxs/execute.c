/*
 * Execution functions, generated from isa.def: sources are the values in the entry, in the order of operands.c; results
 * are written to the entry too.
 */
#include "cpu/mxs/execute.h"

#include "cpu/isa/values.h"
#include "cpu/mxs/memory.h"
#include "cpu/privileged/semantics.h"

/* Index of OPERAND among the sources of the row. Floating-point operands never precede integer operands that are read
 * here. */
#define SOURCE_OPERANDS                                                                                                \
    (OPERAND_S | OPERAND_T | OPERAND_D | OPERAND_HI | OPERAND_LO | OPERAND_FS | OPERAND_FT | OPERAND_FCC)
#define SOURCE(operand) (e->value[__builtin_popcount(row_uses & SOURCE_OPERANDS & ((operand)-1))])
#define JOINED(operand) ((uint64_t)(&SOURCE(operand))[1] << 32 | SOURCE(operand))

#define READ_S             SOURCE(OPERAND_S)
#define READ_T             SOURCE(OPERAND_T)
#define READ_D             SOURCE(OPERAND_D)
#define READ_STORED        SOURCE(OPERAND_T)
#define READ_HI            SOURCE(OPERAND_HI)
#define READ_LO            SOURCE(OPERAND_LO)
#define READ_FCC           SOURCE(OPERAND_FCC)
#define READ_FCC_BRANCH    SOURCE(OPERAND_FCC)
#define READ_FT_WORD       SOURCE(OPERAND_FT)
#define READ_FS_WORD       SOURCE(OPERAND_FS)
#define READ_FT_DOUBLE     JOINED(OPERAND_FT)
#define READ_FS_DOUBLE     JOINED(OPERAND_FS)
#define WRITE_T(v)         (e->result[0] = (v))
#define WRITE_D(v)         (e->result[0] = (v))
#define WRITE_31(v)        (e->result[0] = (v))
#define WRITE_HI(v)        (e->result[0] = (v))
#define WRITE_LO(v)        (e->result[row_defines & OPERAND_HI ? 1 : 0] = (v))
#define WRITE_FT_WORD(v)   (e->result[0] = (v))
#define WRITE_FS_WORD(v)   (e->result[0] = (v))
#define WRITE_FD_WORD(v)   (e->result[0] = (v))
#define WRITE_FT_DOUBLE(v) (e->result[0] = LOW(v), e->result[1] = HIGH(v))
#define WRITE_FD_DOUBLE(v) (e->result[0] = LOW(v), e->result[1] = HIGH(v))
#define IMM                ((uint32_t)e->op->insn.imm)
#define SHIFT_AMOUNT       (e->op->insn.sa)

#define BRANCH(condition)        (e->taken = (condition), e->actual = e->taken ? e->pc + 4 + IMM : e->pc + 8)
#define BRANCH_LIKELY(condition) BRANCH(condition)
#define JUMP(address)            (e->taken = true, e->actual = (address))
#define JUMP_TARGET              isa_jump_target(e->pc, IMM)
#define LINK                     (e->pc + 8)

#define TRAP_IF(condition, code)                                                                                       \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            return MXS_IRREGULAR;                                                                                      \
    } while (0)
#define NEED_FPU              TRAP_IF(!fpu_usable(m->core), EXC_CPU)
/* Functions that read or change other parts of the core are not executed here, but at the head of the window. */
#define CALL(function)        return row_flags & INSN_FPU ? execute_fpu(m, e, function) : MXS_IRREGULAR
#define RETURN_FROM_EXCEPTION return MXS_IRREGULAR
#define CACHE_OPERATION       return MXS_IRREGULAR
#define SYNCHRONIZE_CODE      return MXS_IRREGULAR
#define PREFETCH_LINE         ((void)0)
#define PREFETCH_INDEXED      ((void)0)

#define LOADED(type, name, address, size, unaligned)                                                                   \
    uint64_t name##_bytes;                                                                                             \
    if ((unaligned) || !memory_load_fast(m, e, address, size, now, &name##_bytes)) {                                   \
        const enum mxs_outcome name##_outcome = mxs_load(m, e, address, size, unaligned, now, &name##_bytes);          \
        if (name##_outcome != MXS_ACCESSED)                                                                            \
            return name##_outcome;                                                                                     \
    }                                                                                                                  \
    const type name = (type)name##_bytes
#define LOAD(type, name, address)                                                                                      \
    LOADED(uint64_t, name##_raw, address, sizeof(TYPE_##type), false);                                                 \
    const uint32_t name = (uint32_t)(TYPE_##type)name##_raw
#define LOAD64(name, address)         LOADED(uint64_t, name, address, 8, false)
#define LOAD_UNALIGNED(name, address) LOADED(uint32_t, name, address, 4, true)
#define LOAD_LINKED(name, address)                                                                                     \
    LET(name, 0);                                                                                                      \
    return MXS_IRREGULAR
#define STORE_CONDITIONAL(name, address, v)                                                                            \
    LET(name, 0);                                                                                                      \
    return MXS_IRREGULAR
#define STORE(type, address, v)                                                                                        \
    return memory_store_fast(m, e, address, sizeof(TYPE_##type), now)                                                  \
               ? MXS_ACCESSED                                                                                          \
               : mxs_store(m, e, address, sizeof(TYPE_##type), false, 0, now)
#define STORE64(address, v)            return mxs_store(m, e, address, 8, false, 0, now)
#define STORE_MERGED(address, v, mask) return mxs_store(m, e, address, 4, true, mask, now)

/* Execute an operation of fpu.c on the scratch registers m->fpu. The FCSR mode bits are the core's (instructions that
 * change them are serialising); Cause and Flags are results. */
static enum mxs_outcome execute_fpu(struct mxs *m, struct mxs_entry *e, semantic_fn *function)
{
    enum { MODES = 3 | 0x1f << 7 | 1 << 24 }; /* RM, Enables, FS */
    struct core *fpu = m->fpu;
    const bool pairs = mxs_has_pairs(m, e->op);
    fpu->s.cp0[CP0_STATUS] = m->core->s.cp0[CP0_STATUS];
    fpu->s.fcr31 = m->core->s.fcr31 & MODES;
    for (unsigned i = 0; i < e->op->sources; i++) {
        const unsigned name = mxs_name_now(pairs, e->op->source[i], e->op->wide_sources, i);
        if (name >= NAME_FCC)
            fpu->s.fcr31 |= e->value[i] << (name == NAME_FCC ? 23 : name - NAME_FCC + 24);
        else if (name >= NAME_FPR_LOW)
            fpu->s.fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH] = e->value[i];
        else
            fpu->s.gpr[name] = e->value[i];
    }
    if (function(fpu, &e->op->insn))
        return MXS_IRREGULAR;
    if (SIM_UNLIKELY(fpu->s.cp0[CP0_CAUSE] != 0)) { /* it requests an interrupt, which is masked */
        fpu->s.cp0[CP0_CAUSE] = 0;
        return MXS_IRREGULAR;
    }
    for (unsigned i = 0; i < e->op->results; i++) {
        const unsigned name = e->result_name[i];
        if (name >= NAME_FCC)
            e->result[i] = fpu_condition(&fpu->s, name - NAME_FCC);
        else if (name >= NAME_FPR_LOW)
            e->result[i] = fpu->s.fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH];
        else
            e->result[i] = fpu->s.gpr[name];
    }
    e->fcsr = fpu->s.fcr31;
    return MXS_FINISHED;
}

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static enum mxs_outcome execute_##id(struct mxs *m, struct mxs_entry *e, cycles now)                               \
    {                                                                                                                  \
        enum { row_uses = (uses), row_defines = (defines), row_flags = (flags) };                                      \
        (void)m, (void)e, (void)now, (void)row_flags, (void)row_uses, (void)row_defines;                               \
        __VA_ARGS__                                                                                                    \
        return (row_flags & INSN_LOAD) ? MXS_ACCESSED : MXS_FINISHED;                                                  \
    }
#include "cpu/isa/isa.def"
#undef ISA

mxs_execute_fn *const mxs_execute[ISA_COUNT] = {
#define ISA(id, ...) execute_##id,
#include "cpu/isa/isa.def"
#undef ISA
};

/* Store data. */
#undef STORE
#undef STORE64
#undef STORE_MERGED
#undef NEED_FPU
#undef CALL
#undef TRAP_IF
#undef RETURN_FROM_EXCEPTION
#undef CACHE_OPERATION
#undef SYNCHRONIZE_CODE
#undef LOADED
#undef STORE_CONDITIONAL
#undef LOAD_LINKED
#define NEED_FPU                                     ((void)0)
#define CALL(function)                               ((void)0)
#define TRAP_IF(condition, c)                        ((void)(condition))
#define RETURN_FROM_EXCEPTION                        ((void)0)
#define CACHE_OPERATION                              ((void)0)
#define SYNCHRONIZE_CODE                             ((void)0)
#define LOADED(type, name, address, size, unaligned) const type name = 0
#define LOAD_LINKED(name, address)                   LET(name, 0)
#define STORE_CONDITIONAL(name, address, v)          LET(name, 0)
#define STORE(type, address, v)                      put_value(e, (TYPE_##type)(v))
#define STORE64(address, v)                          put_value(e, v)
#define STORE_MERGED(address, v, mask)               put_value(e, (uint64_t)((v) & (mask)))

static void put_value(struct mxs_entry *e, uint64_t value)
{
    e->data = value << 8 * (e->address & 7);
}

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    IF_STORE(                                                                                                          \
        unit, static void value_##id(const struct mxs *m, struct mxs_entry *e) {                                       \
            enum { row_uses = (uses), row_defines = (defines) };                                                       \
            (void)m, (void)row_uses, (void)row_defines;                                                                \
            __VA_ARGS__                                                                                                \
        })
/* IF_STORE(class, text...): the text for stores, nothing for other classes. */
#define IF_STORE(unit, ...)                   CHOOSE(IF_, KIND_##unit, OTHER, __VA_ARGS__)
#define CHOOSE(...)                           CHOOSE_SECOND(__VA_ARGS__)
#define CHOOSE_SECOND(what, probe, kind, ...) what##kind(__VA_ARGS__)
#define KIND_CLASS_STORE                      ~, STORE_ROW
#define IF_OTHER(...)
#define IF_STORE_ROW(other, ...) __VA_ARGS__
#include "cpu/isa/isa.def"
#undef ISA

mxs_value_fn *const mxs_store_values[ISA_COUNT] = {
#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, ...)                                        \
    IF_STORE(unit, [ISA_##id] = value_##id, )
#include "cpu/isa/isa.def"
#undef ISA
};
