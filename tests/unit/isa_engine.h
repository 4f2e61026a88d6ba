/*
 * The instruction bodies of isa.def as plain functions: a minimal engine for tests of the description. Loaded values
 * are a function of address and seed; stores and control transfers are recorded, not performed. Addresses are not
 * translated and never fault.
 */
#ifndef SIMOS_TESTS_UNIT_ISA_ENGINE_H
#define SIMOS_TESTS_UNIT_ISA_ENGINE_H

#include "cpu/core.h"
#include "cpu/isa/values.h"
#include "cpu/privileged/semantics.h"

/* Effects of an instruction other than on registers. */
struct isa_effects {
    uint32_t memory_seed; /* seed of loaded values */
    uint64_t stored;      /* hash of addresses and values */
    unsigned loads, stores;
    uint32_t address; /* of the last access, and its size: */
    unsigned bytes;
    bool is_signed;
    bool prefetches;
    bool branches, jumps; /* the body has a conditional or an unconditional transfer: */
    bool left;            /* it took place */
    bool likely;
    uint32_t target;
};

typedef int isa_run_fn(struct core *core, const struct insn *insn, struct isa_effects *effects);

static inline uint32_t isa_memory(struct isa_effects *effects, uint32_t address, unsigned bytes, bool is_signed)
{
    effects->loads++;
    effects->address = address;
    effects->bytes = bytes;
    effects->is_signed = is_signed;
    return ((address & ~3u) ^ effects->memory_seed) * 0x9e3779b1u;
}
static inline void isa_stored(struct isa_effects *effects, uint32_t address, unsigned bytes, uint64_t value)
{
    effects->stores++;
    effects->address = address;
    effects->bytes = bytes;
    effects->stored += (value + address) * 0x9e3779b97f4a7c15u;
}
static inline void isa_left(struct isa_effects *effects, bool taken, bool likely, uint32_t target)
{
    effects->left = taken;
    effects->likely = likely;
    effects->target = target;
}

#define READ_S       (core->s.gpr[insn->rs])
#define READ_T       (core->s.gpr[insn->rt])
#define READ_D       (core->s.gpr[insn->rd])
#define READ_STORED  (core->s.gpr[insn->sa])
#define READ_HI      (core->s.hi)
#define READ_LO      (core->s.lo)
#define WRITE_T(v)   (core->s.gpr[insn->rt] = (v))
#define WRITE_D(v)   (core->s.gpr[insn->rd] = (v))
#define WRITE_31(v)  (core->s.gpr[31] = (v))
#define WRITE_HI(v)  (core->s.hi = (v))
#define WRITE_LO(v)  (core->s.lo = (v))
#define IMM          ((uint32_t)insn->imm)
#define SHIFT_AMOUNT (insn->sa)
#define LINK         (core->s.pc + 8)
#define LOAD(type, name, address)                                                                                      \
    const uint32_t name = LOAD_##type(isa_memory(effects, address, sizeof(TYPE_##type), IS_SIGNED_##type))
#define IS_SIGNED_S8                   true
#define IS_SIGNED_U8                   false
#define IS_SIGNED_S16                  true
#define IS_SIGNED_U16                  false
#define IS_SIGNED_U32                  false
#define LOAD_S8(v)                     ((uint32_t)(int8_t)(v))
#define LOAD_U8(v)                     ((uint32_t)(uint8_t)(v))
#define LOAD_S16(v)                    ((uint32_t)(int16_t)(v))
#define LOAD_U16(v)                    ((uint32_t)(uint16_t)(v))
#define LOAD_U32(v)                    (v)
#define STORE(type, address, v)        isa_stored(effects, address, sizeof(TYPE_##type), LOAD_##type(v))
#define LOAD64(name, address)          const uint64_t name = isa_memory(effects, address, 8, false) * 0x9e3779b97f4a7c15u
#define STORE64(address, v)            isa_stored(effects, address, 8, v)
#define LOAD_UNALIGNED(name, address)  const uint32_t name = isa_memory(effects, address, 4, false)
#define STORE_MERGED(address, v, mask) isa_stored(effects, address, 4, (uint64_t)(mask) << 32 | ((v) & (mask)))
#define LOAD_LINKED(name, address)                                                                                     \
    const uint32_t name = isa_memory(effects, address, 4, false);                                                      \
    core->s.ll_bit = true;                                                                                             \
    core->s.ll_address = (address)
#define STORE_CONDITIONAL(name, address, v)                                                                            \
    const uint32_t name = core->s.ll_bit;                                                                              \
    if (core->s.ll_bit)                                                                                                \
        isa_stored(effects, address, 4, v);                                                                            \
    core->s.ll_bit = false

#define JUMP_TARGET      (((core->s.pc + 4) & 0xf0000000u) | IMM)
#define JUMP(address)    (effects->jumps = true, isa_left(effects, true, false, address))
#define BRANCH(c)        (effects->branches = true, isa_left(effects, c, false, core->s.pc + 4 + IMM))
#define BRANCH_LIKELY(c) (effects->branches = true, isa_left(effects, c, true, core->s.pc + 4 + IMM))
#define RETURN_FROM_EXCEPTION                                                                                          \
    do {                                                                                                               \
        vaddr address;                                                                                                 \
        if (sem_eret(core, &address))                                                                                  \
            return 1;                                                                                                  \
        isa_left(effects, true, false, address);                                                                       \
    } while (0)
#define TRAP_IF(c, code)                                                                                               \
    do {                                                                                                               \
        if (c)                                                                                                         \
            return core_raise(core, code);                                                                             \
    } while (0)
#define CALL(function)                                                                                                 \
    do {                                                                                                               \
        if (function(core, insn))                                                                                      \
            return 1;                                                                                                  \
    } while (0)
#define CACHE_OPERATION                                                                                                \
    do {                                                                                                               \
        if (sem_check_coprocessor0(core))                                                                              \
            return 1;                                                                                                  \
    } while (0)
#define PREFETCH_LINE    (effects->prefetches = true)
#define PREFETCH_INDEXED PREFETCH_LINE
#define SYNCHRONIZE_CODE                                                                                               \
    do {                                                                                                               \
        paddr pa;                                                                                                      \
        bool cached;                                                                                                   \
        if (sem_synci(core, insn, &pa, &cached))                                                                       \
            return 1;                                                                                                  \
    } while (0)

#define NEED_FPU                                                                                                       \
    do {                                                                                                               \
        if (!fpu_usable(core))                                                                                         \
            return core_raise_coprocessor(core, 1);                                                                    \
    } while (0)
#define READ_FT_WORD       (core->s.fpr[insn->rt][0])
#define READ_FS_WORD       (core->s.fpr[insn->rd][0])
#define WRITE_FT_WORD(v)   (core->s.fpr[insn->rt][0] = (v))
#define WRITE_FS_WORD(v)   (core->s.fpr[insn->rd][0] = (v))
#define WRITE_FD_WORD(v)   (core->s.fpr[insn->sa][0] = (v))
#define READ_FT_DOUBLE     fpu_read_double(&core->s, insn->rt)
#define READ_FS_DOUBLE     fpu_read_double(&core->s, insn->rd)
#define WRITE_FT_DOUBLE(v) fpu_write_double(&core->s, insn->rt, v)
#define WRITE_FD_DOUBLE(v) fpu_write_double(&core->s, insn->sa, v)
#define READ_FCC           fpu_condition(&core->s, (unsigned)insn->imm)
#define READ_FCC_BRANCH    fpu_condition(&core->s, insn->rt >> 2)

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static int isa_run_##id(struct core *core, const struct insn *insn, struct isa_effects *effects)                   \
    {                                                                                                                  \
        (void)core;                                                                                                    \
        (void)insn;                                                                                                    \
        (void)effects;                                                                                                 \
        __VA_ARGS__                                                                                                    \
        return 0;                                                                                                      \
    }
#include "cpu/isa/isa.def"
#undef ISA

static isa_run_fn *const isa_run[ISA_COUNT] = {
#define ISA(id, ...) [ISA_##id] = isa_run_##id,
#include "cpu/isa/isa.def"
#undef ISA
};

#endif
