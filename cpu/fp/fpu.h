/*
 * Internals of the floating-point unit: control register layout, completion of an operation, and the two ways to
 * compute a result: by integer arithmetic (fpu_soft.c, any host, every rule) and by the host's FPU (fpu_fast.h, the
 * common cases). Other files of the simulator use cpu/privileged/semantics.h.
 *
 * The unit modelled: single, double, word and long formats, 64-bit registers, IEEE 754-1985 NaN encoding ("legacy":
 * quiet bit set means signalling), arithmetic abs and neg, multiply-add with two roundings. Sources: MIPS32
 * Architecture For Programmers vol. I-A section 6 and vol. II-A.
 *
 * With FCSR.FS = 0, a denormalized operand or a tiny result of an arithmetic or conversion instruction raises
 * Unimplemented Operation, as on the R4400 and the cores of this family (R4000 User's Manual section 7.4; MIPS 74K
 * manual on FCSR.FS), and the kernel's emulator computes it; with cpu.fpu_denormals = compute the unit computes it
 * itself. Comparisons and moves accept denormalized operands.
 *
 * Deliberate differences from a real core of this family: the implementation-dependent FCSR bits FO and FN (22:21) read
 * as zero. With Status.FR = 0, odd register numbers of doubles (unpredictable in the manual) select the even-odd pair.
 *
 * Differences from QEMU 7.2 (everything else agrees to the bit): abs and neg are arithmetic (they set Cause, trap on a
 * signalling NaN and keep the sign of a quiet NaN); an exact denormalized result is an underflow if Underflow is
 * enabled; with FS = 1 denormalized operands are zero (Inexact), and a tiny result is Underflow and Inexact, and
 * becomes the least normal number when rounding away from zero.
 */
#ifndef SIMOS_CPU_FP_FPU_H
#define SIMOS_CPU_FP_FPU_H

#include "cpu/privileged/semantics.h"

/* FCSR fields. */
enum {
    FCSR_RM = 3,
    FCSR_FLAGS_SHIFT = 2,
    FCSR_FLAGS = 0x1f << 2,
    FCSR_ENABLES_SHIFT = 7,
    FCSR_ENABLES = 0x1f << 7,
    FCSR_CAUSE_SHIFT = 12,
    FCSR_CAUSE = 0x3f << 12,
    FCSR_FCC0 = 1 << 23,
    FCSR_FS = 1 << 24,
};
#define FCSR_FCC 0xfe800000u

/* Exceptions, as bits of FCSR.Cause (and, except FPU_UNIMPLEMENTED, of Enables and Flags). */
enum {
    FPU_INEXACT = 1,
    FPU_UNDERFLOW = 2,
    FPU_OVERFLOW = 4,
    FPU_DIVIDE = 8,
    FPU_INVALID = 16,
    FPU_UNIMPLEMENTED = 32,
};

/* FCSR.RM */
enum fpu_rounding { FPU_NEAREST, FPU_ZERO, FPU_UP, FPU_DOWN };

/* Result of an operation: a bit pattern (of a float, double or integer, in the low bits), and the exceptions. */
struct fpu_result {
    uint64_t bits;
    unsigned cause; /* FPU_... bits */
};

/* A format: single or double. Values of either are held in the low bits of a uint64_t. */
struct fpu_format {
    unsigned fraction_bits;
    int bias;
    uint64_t infinity; /* biased exponent all ones */
    uint64_t sign;
    uint64_t quiet_nan; /* the result of an invalid operation */
};
/* Defined in the header so that the compiler can fold the values. */
static const struct fpu_format fpu_single = {
    .fraction_bits = 23,
    .bias = 127,
    .infinity = 0x7f800000,
    .sign = 0x80000000,
    .quiet_nan = 0x7fbfffff,
};
static const struct fpu_format fpu_double = {
    .fraction_bits = 52,
    .bias = 1023,
    .infinity = 0x7ff0000000000000,
    .sign = 0x8000000000000000,
    .quiet_nan = 0x7ff7ffffffffffff,
};

static inline bool fpu_is_nan(const struct fpu_format *f, uint64_t a)
{
    return (a & (f->sign - 1)) > f->infinity;
}
/* Legacy encoding: the top bit of the fraction is set in a signalling NaN. */
static inline bool fpu_is_signalling(const struct fpu_format *f, uint64_t a)
{
    return fpu_is_nan(f, a) && (a >> (f->fraction_bits - 1) & 1);
}
static inline bool fpu_is_denormal(const struct fpu_format *f, uint64_t a)
{
    uint64_t magnitude = a & (f->sign - 1);
    return magnitude != 0 && magnitude >> f->fraction_bits == 0;
}

/*
 * Arithmetic on bit patterns, correctly rounded, under FCSR's RM, FS and Underflow enable. With a NaN operand the
 * result is the format's one quiet NaN, whatever the operand's sign and payload; a signalling NaN is also invalid. (The
 * architecture asks for an operand's quiet NaN "when possible"; QEMU's MIPS, the reference of the tests, produces the
 * default NaN with this encoding, and so does this unit.)
 */
struct fpu_result fpu_soft_add(const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b);
struct fpu_result fpu_soft_sub(const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b);
struct fpu_result fpu_soft_mul(const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b);
struct fpu_result fpu_soft_div(const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b);
struct fpu_result fpu_soft_sqrt(const struct fpu_format *f, uint32_t fcsr, uint64_t a);
/* abs.fmt and neg.fmt with FCSR.ABS2008 = 0: arithmetic, so a signalling NaN is invalid. A quiet NaN is returned
 * unchanged. */
struct fpu_result fpu_soft_abs(const struct fpu_format *f, uint32_t fcsr, uint64_t a);
struct fpu_result fpu_soft_neg(const struct fpu_format *f, uint32_t fcsr, uint64_t a);
/* Conversion between formats. */
struct fpu_result fpu_soft_convert(const struct fpu_format *from, const struct fpu_format *to, uint32_t fcsr,
                                   uint64_t a);
struct fpu_result fpu_soft_from_integer(const struct fpu_format *f, uint32_t fcsr, int64_t integer);
/* Convert to a signed integer of BITS (32 or 64) bits, rounded by ROUNDING instead of FCSR.RM. Out of range or NaN:
 * Invalid, and the largest positive integer. */
struct fpu_result fpu_soft_to_integer(const struct fpu_format *f, uint32_t fcsr, uint64_t a, unsigned bits,
                                      enum fpu_rounding rounding);

/* FCSR holds an exception that is not masked. Returns nonzero if the instruction raises it. Zero, with the R3010: its
 * interrupt is masked, and stays pending; the instruction is over. */
int fpu_trap(struct core *core);

/* Complete an operation that found CAUSE. CAUSE includes FPU_UNIMPLEMENTED if an operand was denormalized or the result
 * tiny and FCSR.FS is 0: the chip leaves these to software, unless cpu.fpu_denormals = compute. Replaces FCSR.Cause,
 * then either returns true (Flags unchanged; the caller must not write the result, but return fpu_trap()) or
 * accumulates Flags and returns false. */
static inline bool fpu_finish(struct core *core, unsigned cause)
{
    if (SIM_UNLIKELY(cause & FPU_UNIMPLEMENTED))
        cause = core->fpu_traps_denormals ? FPU_UNIMPLEMENTED : cause & ~(unsigned)FPU_UNIMPLEMENTED;
    uint32_t fcsr = (core->s.fcr31 & ~(uint32_t)FCSR_CAUSE) | cause << FCSR_CAUSE_SHIFT;
    core->s.fcr31 = fcsr;
    if (SIM_LIKELY(cause == 0))
        return false;
    if (cause & (FPU_UNIMPLEMENTED | (fcsr & FCSR_ENABLES) >> FCSR_ENABLES_SHIFT))
        return true;
    core->s.fcr31 = fcsr | cause << FCSR_FLAGS_SHIFT;
    return false;
}

/* Nonzero: coprocessor 1 is unusable, exception raised. */
static inline int fpu_check(struct core *core)
{
    return SIM_LIKELY(fpu_usable(core)) ? 0 : core_raise_coprocessor(core, 1);
}

/* The format L requires 64-bit registers (Status.FR = 1). Nonzero: exception raised. */
static inline int fpu_check_long(struct core *core)
{
    if (fpu_check(core))
        return 1;
    return core->s.cp0[CP0_STATUS] & STATUS_FR ? 0 : core_raise(core, EXC_RI);
}

#endif
