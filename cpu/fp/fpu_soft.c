/*
 * Floating-point arithmetic in integers: every rounding mode, exception and NaN rule of the unit, identical on all
 * hosts.
 *
 * An unpacked number is sign * sig * 2^(exp - 63), with bit 63 of sig set; bits lost to the right of sig are ORed into
 * its bit 0 ("jam", a sticky bit), which suffices for rounding: all formats have at least nine bits to spare.
 */
#include "cpu/fp/fpu.h"

__extension__ typedef unsigned __int128 u128;

enum { SIG_TOP = 63 };

/* Environment of an operation: rounding mode, and the exceptions found so far. */
struct fpu_env {
    enum fpu_rounding rounding;
    bool flush;             /* FCSR.FS */
    bool underflow_enabled; /* tininess alone is an underflow */
    unsigned cause;         /* FPU_... bits, accumulated by the operations */
};

enum number_class { NUMBER_ZERO, NUMBER_FINITE, NUMBER_INFINITE };

struct number {
    enum number_class class;
    bool negative;
    int exp;
    uint64_t sig;
};

/* Unpack A, which must not be a NaN. With FCSR.FS a denormalized operand is treated as zero (Inexact); otherwise it
 * sets FPU_UNIMPLEMENTED, which fpu_finish() handles. */
static struct number unpack(const struct fpu_format *f, struct fpu_env *env, uint64_t a)
{
    uint64_t magnitude = a & (f->sign - 1);
    uint64_t fraction = magnitude & (((uint64_t)1 << f->fraction_bits) - 1);
    int exp = (int)(magnitude >> f->fraction_bits);
    struct number n = {.negative = a & f->sign};
    if (magnitude == f->infinity) {
        n.class = NUMBER_INFINITE;
    } else if (exp == 0) {
        if (fraction == 0)
            return n;
        if (env->flush) {
            env->cause |= FPU_INEXACT;
            return n;
        }
        env->cause |= FPU_UNIMPLEMENTED;
        unsigned shift = (unsigned)__builtin_clzll(fraction);
        n.class = NUMBER_FINITE;
        n.sig = fraction << shift;
        n.exp = 1 - f->bias + SIG_TOP - (int)f->fraction_bits - (int)shift;
    } else {
        n.class = NUMBER_FINITE;
        n.sig = (fraction | (uint64_t)1 << f->fraction_bits) << (SIG_TOP - f->fraction_bits);
        n.exp = exp - f->bias;
    }
    return n;
}

static uint64_t signed_bits(const struct fpu_format *f, bool negative, uint64_t magnitude)
{
    return negative ? magnitude | f->sign : magnitude;
}

static uint64_t invalid(const struct fpu_format *f, struct fpu_env *env)
{
    env->cause |= FPU_INVALID;
    return f->quiet_nan;
}

static uint64_t shift_right_jam(uint64_t sig, unsigned shift)
{
    if (shift == 0)
        return sig;
    if (shift > SIG_TOP)
        return sig != 0;
    return sig >> shift | ((sig & (((uint64_t)1 << shift) - 1)) != 0);
}

/* Round SIG to a multiple of 2^SHIFT (SHIFT is 1..63) and shift it right by SHIFT. */
static uint64_t round_bits(uint64_t sig, unsigned shift, enum fpu_rounding rounding, bool negative)
{
    uint64_t low = sig & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    uint64_t high = sig >> shift;
    switch (rounding) {
    case FPU_NEAREST: return high + (low > half || (low == half && (high & 1)));
    case FPU_ZERO: return high;
    case FPU_UP: return high + (low != 0 && !negative);
    case FPU_DOWN: return high + (low != 0 && negative);
    }
    return high;
}

/* Does the rounding mode round every inexact magnitude away from zero? */
static bool rounds_away(enum fpu_rounding rounding, bool negative)
{
    return rounding == (negative ? FPU_DOWN : FPU_UP);
}

/* Round a finite nonzero number (sig normalized) into the format. */
static uint64_t round_pack(const struct fpu_format *f, struct fpu_env *env, bool negative, int exp, uint64_t sig)
{
    unsigned shift = SIG_TOP - f->fraction_bits;
    uint64_t min_normal = (uint64_t)1 << f->fraction_bits;
    int biased = exp + f->bias;
    bool tiny = false;
    if (biased <= 0) {
        /* Flushing depends on the exact value, because the hardware cannot produce the denormalized one. */
        if (env->flush) {
            env->cause |= FPU_UNDERFLOW | FPU_INEXACT;
            return signed_bits(f, negative, rounds_away(env->rounding, negative) ? min_normal : 0);
        }
        /* Tiny after rounding (vol. I, underflow exception): is the value, rounded to full precision, below the least
         * normal number? */
        tiny = biased < 0 || round_bits(sig, shift, env->rounding, negative) >> (f->fraction_bits + 1) == 0;
        if (tiny)
            env->cause |= FPU_UNIMPLEMENTED;
        sig = shift_right_jam(sig, (unsigned)(1 - biased));
        biased = 1;
    }
    bool inexact = sig & (((uint64_t)1 << shift) - 1);
    /* The leading one, or the carry of rounding, increments the exponent field. */
    uint64_t magnitude = ((uint64_t)(biased - 1) << f->fraction_bits) + round_bits(sig, shift, env->rounding, negative);
    if (biased > 2 * f->bias || magnitude >= f->infinity) {
        env->cause |= FPU_OVERFLOW | FPU_INEXACT;
        bool infinite = env->rounding == FPU_NEAREST || rounds_away(env->rounding, negative);
        return signed_bits(f, negative, infinite ? f->infinity : f->infinity - 1);
    }
    if (inexact)
        env->cause |= FPU_INEXACT;
    if (tiny && (inexact || env->underflow_enabled))
        env->cause |= FPU_UNDERFLOW;
    return signed_bits(f, negative, magnitude);
}

/* Round WIDE * 2^(exp - 127), WIDE nonzero. */
static uint64_t round_wide(const struct fpu_format *f, struct fpu_env *env, bool negative, int exp, u128 wide)
{
    if (wide >> 64 == 0) {
        wide <<= 64;
        exp -= 64;
    }
    unsigned shift = (unsigned)__builtin_clzll((uint64_t)(wide >> 64));
    wide <<= shift;
    return round_pack(f, env, negative, exp - (int)shift, (uint64_t)(wide >> 64) | ((uint64_t)wide != 0));
}

/* Is A or B a NaN? Then the result is f->quiet_nan, and the operation is invalid if one of them is signalling. */
static bool nan_operand(const struct fpu_format *f, struct fpu_env *env, uint64_t a, uint64_t b)
{
    if (SIM_LIKELY(!fpu_is_nan(f, a) && !fpu_is_nan(f, b)))
        return false;
    if (fpu_is_signalling(f, a) || fpu_is_signalling(f, b))
        env->cause |= FPU_INVALID;
    return true;
}

static uint64_t add_numbers(const struct fpu_format *f, struct fpu_env *env, struct number a, struct number b)
{
    if (a.class == NUMBER_INFINITE || b.class == NUMBER_INFINITE) {
        if (a.class == b.class && a.negative != b.negative)
            return invalid(f, env);
        return signed_bits(f, a.class == NUMBER_INFINITE ? a.negative : b.negative, f->infinity);
    }
    if (a.class == NUMBER_ZERO && b.class == NUMBER_ZERO) {
        bool negative = a.negative == b.negative ? a.negative : env->rounding == FPU_DOWN;
        return signed_bits(f, negative, 0);
    }
    if (a.class == NUMBER_ZERO)
        return round_pack(f, env, b.negative, b.exp, b.sig);
    if (b.class == NUMBER_ZERO)
        return round_pack(f, env, a.negative, a.exp, a.sig);
    if (b.exp > a.exp || (b.exp == a.exp && b.sig > a.sig)) {
        struct number t = a;
        a = b;
        b = t;
    }
    /* One bit above for the carry, 63 below: bits of B lost beyond these affect the result only as a sticky bit. */
    u128 wide_a = (u128)a.sig << 63, wide_b = (u128)b.sig << 63;
    int distance = a.exp - b.exp;
    if (distance > 126)
        wide_b = 1;
    else if (distance > 0)
        wide_b = wide_b >> distance | ((wide_b & (((u128)1 << distance) - 1)) != 0);
    u128 wide = a.negative == b.negative ? wide_a + wide_b : wide_a - wide_b;
    if (wide == 0)
        return signed_bits(f, env->rounding == FPU_DOWN, 0);
    return round_wide(f, env, a.negative, a.exp + 1, wide);
}

static uint64_t soft_add(const struct fpu_format *f, struct fpu_env *env, uint64_t a, uint64_t b)
{
    if (nan_operand(f, env, a, b))
        return f->quiet_nan;
    struct number x = unpack(f, env, a), y = unpack(f, env, b);
    return add_numbers(f, env, x, y);
}

static uint64_t soft_sub(const struct fpu_format *f, struct fpu_env *env, uint64_t a, uint64_t b)
{
    if (nan_operand(f, env, a, b))
        return f->quiet_nan;
    struct number x = unpack(f, env, a), y = unpack(f, env, b);
    y.negative = !y.negative;
    return add_numbers(f, env, x, y);
}

static uint64_t soft_mul(const struct fpu_format *f, struct fpu_env *env, uint64_t a, uint64_t b)
{
    if (nan_operand(f, env, a, b))
        return f->quiet_nan;
    struct number x = unpack(f, env, a), y = unpack(f, env, b);
    bool negative = x.negative != y.negative;
    if (x.class == NUMBER_INFINITE || y.class == NUMBER_INFINITE) {
        if (x.class == NUMBER_ZERO || y.class == NUMBER_ZERO)
            return invalid(f, env);
        return signed_bits(f, negative, f->infinity);
    }
    if (x.class == NUMBER_ZERO || y.class == NUMBER_ZERO)
        return signed_bits(f, negative, 0);
    return round_wide(f, env, negative, x.exp + y.exp + 1, (u128)x.sig * y.sig);
}

static uint64_t soft_div(const struct fpu_format *f, struct fpu_env *env, uint64_t a, uint64_t b)
{
    if (nan_operand(f, env, a, b))
        return f->quiet_nan;
    struct number x = unpack(f, env, a), y = unpack(f, env, b);
    bool negative = x.negative != y.negative;
    if (x.class == NUMBER_INFINITE)
        return y.class == NUMBER_INFINITE ? invalid(f, env) : signed_bits(f, negative, f->infinity);
    if (y.class == NUMBER_INFINITE)
        return signed_bits(f, negative, 0);
    if (y.class == NUMBER_ZERO) {
        if (x.class == NUMBER_ZERO)
            return invalid(f, env);
        env->cause |= FPU_DIVIDE;
        return signed_bits(f, negative, f->infinity);
    }
    if (x.class == NUMBER_ZERO)
        return signed_bits(f, negative, 0);
    /* The quotient is between 2^62 and 2^64. */
    u128 dividend = (u128)x.sig << 63;
    u128 quotient = dividend / y.sig;
    bool remainder = dividend % y.sig != 0;
    return round_wide(f, env, negative, x.exp - y.exp, quotient << 64 | (u128)remainder);
}

/* Floor of the square root of N, which has 127 or 128 bits; *EXACT if there is no remainder. */
static uint64_t root(u128 n, bool *exact)
{
    u128 remainder = n;
    u128 r = 0; /* the root so far, doubled, in position */
    for (u128 bit = (u128)1 << 126; bit != 0; bit >>= 2) {
        if (remainder >= r + bit) {
            remainder -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
    }
    *exact = remainder == 0;
    return (uint64_t)r;
}

static uint64_t soft_sqrt(const struct fpu_format *f, struct fpu_env *env, uint64_t a)
{
    if (nan_operand(f, env, a, a))
        return f->quiet_nan;
    struct number x = unpack(f, env, a);
    if (x.class == NUMBER_ZERO)
        return signed_bits(f, x.negative, 0);
    if (x.negative)
        return invalid(f, env);
    if (x.class == NUMBER_INFINITE)
        return f->infinity;
    unsigned odd = (unsigned)x.exp & 1;
    bool exact;
    uint64_t sig = root((u128)x.sig << (63 + odd), &exact);
    return round_pack(f, env, false, (x.exp - (int)odd) / 2, sig | !exact);
}

/* A quiet NaN is returned unchanged, including its sign, as the chip does for 0 - x; a flushed number becomes zero. */
static uint64_t change_sign(const struct fpu_format *f, struct fpu_env *env, uint64_t a, bool negative)
{
    if (fpu_is_nan(f, a))
        return fpu_is_signalling(f, a) ? invalid(f, env) : a;
    bool flushed = env->flush && fpu_is_denormal(f, a);
    if (flushed)
        env->cause |= FPU_INEXACT;
    return signed_bits(f, negative, flushed ? 0 : a & (f->sign - 1));
}

static uint64_t soft_abs(const struct fpu_format *f, struct fpu_env *env, uint64_t a)
{
    return change_sign(f, env, a, false);
}

static uint64_t soft_neg(const struct fpu_format *f, struct fpu_env *env, uint64_t a)
{
    return change_sign(f, env, a, !(a & f->sign));
}

static uint64_t soft_convert(const struct fpu_format *from, const struct fpu_format *to, struct fpu_env *env,
                             uint64_t a)
{
    if (nan_operand(from, env, a, a))
        return to->quiet_nan;
    struct number x = unpack(from, env, a);
    switch (x.class) {
    case NUMBER_ZERO: return signed_bits(to, x.negative, 0);
    case NUMBER_INFINITE: return signed_bits(to, x.negative, to->infinity);
    case NUMBER_FINITE: break;
    }
    return round_pack(to, env, x.negative, x.exp, x.sig);
}

static uint64_t soft_from_integer(const struct fpu_format *f, struct fpu_env *env, int64_t value)
{
    if (value == 0)
        return 0;
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    unsigned shift = (unsigned)__builtin_clzll(magnitude);
    return round_pack(f, env, value < 0, SIG_TOP - (int)shift, magnitude << shift);
}

static uint64_t soft_to_integer(const struct fpu_format *f, struct fpu_env *env, uint64_t a, unsigned bits,
                                enum fpu_rounding rounding)
{
    uint64_t largest = ((uint64_t)1 << (bits - 1)) - 1;
    if (fpu_is_nan(f, a) || (a & (f->sign - 1)) == f->infinity) {
        env->cause |= FPU_INVALID;
        return largest;
    }
    struct number x = unpack(f, env, a);
    if (x.class == NUMBER_ZERO)
        return 0;
    if (x.exp >= SIG_TOP) {
        /* -2^63 is the only value in range; it occurs for the format L only. */
        if (bits == 64 && x.negative && x.exp == SIG_TOP && x.sig == largest + 1)
            return largest + 1;
        env->cause |= FPU_INVALID;
        return largest;
    }
    uint64_t magnitude;
    bool inexact = false;
    if (x.exp == SIG_TOP - 1) {
        magnitude = x.sig >> 1; /* at most 53 significant bits: nothing is lost */
    } else {
        /* Two bits below the binary point suffice for rounding: a half and a sticky bit. */
        uint64_t quarters = shift_right_jam(x.sig, (unsigned)(SIG_TOP - 2 - x.exp));
        inexact = quarters & 3;
        magnitude = round_bits(quarters, 2, rounding, x.negative);
    }
    if (magnitude > largest + (x.negative ? 1 : 0)) {
        env->cause |= FPU_INVALID;
        return largest;
    }
    if (inexact)
        env->cause |= FPU_INEXACT;
    return x.negative ? -magnitude : magnitude;
}

/* The functions declared in fpu.h: operations in the environment defined by FCSR. */
static struct fpu_env env_begin(uint32_t fcsr)
{
    return (struct fpu_env){.rounding = (enum fpu_rounding)(fcsr & FCSR_RM),
                            .flush = fcsr & FCSR_FS,
                            .underflow_enabled = fcsr & FPU_UNDERFLOW << FCSR_ENABLES_SHIFT};
}

#define PUBLISH(name, call, ...)                                                                                       \
    struct fpu_result fpu_soft_##name(__VA_ARGS__)                                                                     \
    {                                                                                                                  \
        struct fpu_env env = env_begin(fcsr);                                                                          \
        uint64_t value = soft_##name call;                                                                             \
        return (struct fpu_result){.bits = value, .cause = env.cause};                                                 \
    }
PUBLISH(add, (f, &env, a, b), const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b)
PUBLISH(sub, (f, &env, a, b), const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b)
PUBLISH(mul, (f, &env, a, b), const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b)
PUBLISH(div, (f, &env, a, b), const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b)
PUBLISH(sqrt, (f, &env, a), const struct fpu_format *f, uint32_t fcsr, uint64_t a)
PUBLISH(abs, (f, &env, a), const struct fpu_format *f, uint32_t fcsr, uint64_t a)
PUBLISH(neg, (f, &env, a), const struct fpu_format *f, uint32_t fcsr, uint64_t a)
PUBLISH(convert, (from, to, &env, a), const struct fpu_format *from, const struct fpu_format *to, uint32_t fcsr,
        uint64_t a)
PUBLISH(from_integer, (f, &env, integer), const struct fpu_format *f, uint32_t fcsr, int64_t integer)
PUBLISH(to_integer, (f, &env, a, bits, rounding), const struct fpu_format *f, uint32_t fcsr, uint64_t a, unsigned bits,
        enum fpu_rounding rounding)
