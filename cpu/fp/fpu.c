/*
 * Floating-point instructions without rounding: control registers, moves, compares.
 */
#include "cpu/fp/fpu.h"

/* Control registers by number (vol. I-A section 5.6). */
enum { FCR_FIR = 0, FCR_FCCR = 25, FCR_FEXR = 26, FCR_FENR = 28, FCR_FCSR = 31, FCR_NONE };
enum {
    FEXR_WRITABLE = FCSR_CAUSE | FCSR_FLAGS,
    FENR_IN_PLACE = FCSR_ENABLES | FCSR_RM,
    FENR_FS = 1 << 2,
};

/* Does FCSR have an exception in Cause that is not masked? */
static bool has_trap(uint32_t fcsr)
{
    const unsigned enables = FPU_UNIMPLEMENTED | (fcsr & FCSR_ENABLES) >> FCSR_ENABLES_SHIFT;
    return enables & (fcsr & FCSR_CAUSE) >> FCSR_CAUSE_SHIFT;
}

/* The R3010's interrupt stays until ctc1 writes FCSR without an exception. */
int fpu_trap(struct core *core)
{
    if (!core->architecture->fpu_interrupts)
        return core_raise(core, EXC_FPE);
    interrupt_set_pin(core, core->fpu_pin, true);
    return interrupt_pending(core) ? core_raise(core, EXC_INT) : 0;
}

int fpu_unimplemented(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (fpu_check(core))
        return 1;
    core->s.fcr31 = (core->s.fcr31 & ~(uint32_t)FCSR_CAUSE) | (uint32_t)FPU_UNIMPLEMENTED << FCSR_CAUSE_SHIFT;
    return fpu_trap(core);
}

/* Does the FPU have control register NUMBER? The R3010 has two. */
static bool has_control(const struct core *core, unsigned number)
{
    return core->architecture->level >= LEVEL_32 || number == FCR_FIR || number == FCR_FCSR;
}

int fpu_cfc1(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    uint32_t fcsr = core->s.fcr31, value = 0;
    switch (has_control(core, insn->rd) ? insn->rd : FCR_NONE) {
    case FCR_FIR: value = core->architecture->fir; break;
    case FCR_FCCR: value = (fcsr >> 24 & 0xfe) | (fcsr & FCSR_FCC0 ? 1 : 0); break;
    case FCR_FEXR: value = fcsr & FEXR_WRITABLE; break;
    case FCR_FENR: value = (fcsr & FENR_IN_PLACE) | (fcsr & FCSR_FS ? FENR_FS : 0); break;
    case FCR_FCSR: value = fcsr; break;
    default: break; /* no such register: unpredictable, zero here */
    }
    core->s.gpr[insn->rt] = value;
    return 0;
}

int fpu_ctc1(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    uint32_t value = core->s.gpr[insn->rt];
    uint32_t mask, bits;
    switch (has_control(core, insn->rd) ? insn->rd : FCR_NONE) {
    case FCR_FCCR:
        mask = FCSR_FCC;
        bits = (value & 0xfe) << 24 | (value & 1 ? FCSR_FCC0 : 0);
        break;
    case FCR_FEXR:
        mask = FEXR_WRITABLE;
        bits = value;
        break;
    case FCR_FENR:
        mask = FENR_IN_PLACE | FCSR_FS;
        bits = (value & FENR_IN_PLACE) | (value & FENR_FS ? FCSR_FS : 0);
        break;
    case FCR_FCSR:
        mask = core->architecture->fcsr_writable;
        bits = value;
        break;
    default: return 0; /* FIR is read-only, the others do not exist */
    }
    core->s.fcr31 = (core->s.fcr31 & ~mask) | (bits & mask);
    /* An enabled cause traps immediately after the write; Unimplemented needs no enable. */
    if (has_trap(core->s.fcr31))
        return fpu_trap(core);
    if (core->architecture->fpu_interrupts)
        interrupt_set_pin(core, core->fpu_pin, false);
    return 0;
}

/* The high half of a 64-bit register; with Status.FR = 0, of the register pair. */
static uint32_t *high_word(struct core *core, unsigned number)
{
    return core->s.cp0[CP0_STATUS] & STATUS_FR ? &core->s.fpr[number][1] : &core->s.fpr[number | 1][0];
}

int fpu_mfhc1(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    core->s.gpr[insn->rt] = *high_word(core, insn->rd);
    return 0;
}

int fpu_mthc1(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    *high_word(core, insn->rd) = core->s.gpr[insn->rt];
    return 0;
}

/* Moves between floating-point registers: any bit pattern, no exceptions, FCSR unchanged. */
#define MOVE(name, condition)                                                                                          \
    int fpu_##name##_s(struct core *core, const struct insn *insn)                                                     \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        if (condition)                                                                                                 \
            core->s.fpr[insn->sa][0] = core->s.fpr[insn->rd][0];                                                       \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int fpu_##name##_d(struct core *core, const struct insn *insn)                                                     \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        if (condition)                                                                                                 \
            fpu_write_double(&core->s, insn->sa, fpu_read_double(&core->s, insn->rd));                                 \
        return 0;                                                                                                      \
    }
MOVE(mov, true)
MOVE(movf, !fpu_condition(&core->s, (unsigned)insn->imm & 7))
MOVE(movt, fpu_condition(&core->s, (unsigned)insn->imm & 7))
MOVE(movz, core->s.gpr[insn->rt] == 0)
MOVE(movn, core->s.gpr[insn->rt] != 0)

/* Bits of the condition field of c.cond.fmt: the relations that make it true, and whether a quiet NaN is invalid
 * too. */
enum { COMPARE_UNORDERED = 1, COMPARE_EQUAL = 2, COMPARE_LESS = 4, COMPARE_SIGNALLING = 8 };

/* Map A to a signed integer with the same order; both zeros map to 0. */
static inline int64_t ordinal(const struct fpu_format *f, uint32_t fcsr, uint64_t a)
{
    if (SIM_UNLIKELY((fcsr & FCSR_FS) && fpu_is_denormal(f, a)))
        return 0;
    int64_t magnitude = (int64_t)(a & (f->sign - 1));
    return a & f->sign ? -magnitude : magnitude;
}

static inline int compare(struct core *core, const struct insn *insn, const struct fpu_format *f, uint64_t a,
                          uint64_t b)
{
    uint32_t fcsr = core->s.fcr31;
    unsigned cause = 0;
    unsigned condition = (unsigned)insn->imm & 15, cc = (unsigned)insn->imm >> 4 & 7;
    unsigned relation;
    if (SIM_UNLIKELY(fpu_is_nan(f, a) || fpu_is_nan(f, b))) {
        relation = COMPARE_UNORDERED;
        if ((condition & COMPARE_SIGNALLING) || fpu_is_signalling(f, a) || fpu_is_signalling(f, b))
            cause |= FPU_INVALID;
    } else {
        int64_t x = ordinal(f, fcsr, a), y = ordinal(f, fcsr, b);
        relation = x < y ? COMPARE_LESS : x == y ? COMPARE_EQUAL : 0;
    }
    if (fpu_finish(core, cause))
        return fpu_trap(core);
    uint32_t bit = (uint32_t)1 << (cc == 0 ? 23 : 24 + cc);
    if (condition & relation)
        core->s.fcr31 |= bit;
    else
        core->s.fcr31 &= ~bit;
    return 0;
}

int fpu_compare_s(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    return compare(core, insn, &fpu_single, core->s.fpr[insn->rd][0], core->s.fpr[insn->rt][0]);
}

int fpu_compare_d(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    return compare(core, insn, &fpu_double, fpu_read_double(&core->s, insn->rd), fpu_read_double(&core->s, insn->rt));
}
