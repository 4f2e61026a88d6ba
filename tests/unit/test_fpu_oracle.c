/* Floating-point arithmetic against an independent computation: operands as exact integers times a power of two,
 * results as exact integers with a remainder, rounded to the format. Special values against each other and random ones,
 * in all rounding modes, with FS and the Underflow enable on and off, through the instructions and through the integer
 * arithmetic alone. */
#include "cpu/fp/fpu.h"
#include "cpu/privileged/semantics.h"

#include <stdlib.h>
#include "tests/unit/test.h"

__extension__ typedef unsigned __int128 u128;

/* Of each operation; fewer where a program is slow. */
#ifndef RANDOM_PAIRS
#define RANDOM_PAIRS 60000
#endif
enum { MODES = 4 };

/* A format of IEEE 754: precision, smallest and largest exponent. */
struct oracle_format {
    int precision, least, greatest;
    unsigned width;
};
static const struct oracle_format oracle_single = {24, -126, 127, 32}, oracle_double = {53, -1022, 1023, 64};

static const struct oracle_format *oracle_of(const struct fpu_format *f)
{
    return f == &fpu_single ? &oracle_single : &oracle_double;
}

struct answer {
    uint64_t bits;
    unsigned cause;
};

/* (whole + something in [0, 1), more than 0 if rest) * 2^exponent, with a sign. */
struct exact {
    bool negative;
    u128 whole;
    int exponent;
    bool rest;
};

static int length(u128 n)
{
    int bits = 0;
    for (; n != 0; n >>= 1)
        bits++;
    return bits;
}

static uint64_t ones(int bits)
{
    return ((uint64_t)1 << bits) - 1;
}

static uint64_t with_sign(const struct oracle_format *o, bool negative, uint64_t magnitude)
{
    return magnitude | (uint64_t)negative << (o->width - 1);
}

static uint64_t encode(const struct oracle_format *o, bool negative, u128 whole, int grid)
{
    if (length(whole) > o->precision) { /* rounded up to a power of two */
        whole >>= 1;
        grid++;
    }
    if (length(whole) < o->precision) /* denormalized */
        return with_sign(o, negative, (uint64_t)whole);
    uint64_t field = (uint64_t)(grid + o->precision - 1 - o->least + 1);
    return with_sign(o, negative, field << (o->precision - 1) | ((uint64_t)whole & ones(o->precision - 1)));
}

static uint64_t infinity(const struct oracle_format *o)
{
    return (uint64_t)(o->greatest - o->least + 2) << (o->precision - 1);
}

static uint64_t quiet_nan(const struct oracle_format *o)
{
    return infinity(o) | ones(o->precision - 2);
}

/* EXACT as a multiple of 2^grid. */
static u128 on_grid(struct exact x, int grid, enum fpu_rounding mode, bool *inexact)
{
    if (grid <= x.exponent) {
        *inexact = x.rest;
        assert_false(x.rest); /* the computations below leave enough bits */
        return x.whole << (x.exponent - grid);
    }
    int drop = grid - x.exponent;
    u128 kept = drop > 127 ? 0 : x.whole >> drop;
    u128 lost = drop > 127 ? x.whole : x.whole - (kept << drop);
    int against_half = -1; /* lost part compared with half a unit */
    if (drop <= 127) {
        u128 half = (u128)1 << (drop - 1);
        against_half = lost > half || (lost == half && x.rest) ? 1 : lost == half ? 0 : -1;
    }
    *inexact = lost != 0 || x.rest;
    bool up = false;
    switch (mode) {
    case FPU_NEAREST: up = against_half > 0 || (against_half == 0 && (kept & 1)); break;
    case FPU_ZERO: break;
    case FPU_UP: up = *inexact && !x.negative; break;
    case FPU_DOWN: up = *inexact && x.negative; break;
    }
    return kept + up;
}

/* Round a nonzero value to the format. */
static struct answer deliver(const struct oracle_format *o, uint32_t fcsr, struct exact x, unsigned cause)
{
    enum fpu_rounding mode = (enum fpu_rounding)(fcsr & 3);
    bool outward = mode == (x.negative ? FPU_DOWN : FPU_UP);
    int top = x.exponent + length(x.whole) - 1; /* exponent of the leading bit */
    int grid = top - o->precision + 1;
    bool inexact;
    if (top < o->least && (fcsr & FCSR_FS)) {
        uint64_t least = (uint64_t)1 << (o->precision - 1);
        return (struct answer){with_sign(o, x.negative, outward ? least : 0), cause | FPU_UNDERFLOW | FPU_INEXACT};
    }
    bool tiny = false;
    if (top < o->least) {
        u128 unbounded = on_grid(x, grid, mode, &inexact);
        tiny = !(top == o->least - 1 && length(unbounded) > o->precision);
        grid = o->least - o->precision + 1;
    }
    u128 rounded = on_grid(x, grid, mode, &inexact);
    if (inexact)
        cause |= FPU_INEXACT;
    if (tiny && (inexact || (fcsr & FPU_UNDERFLOW << FCSR_ENABLES_SHIFT)))
        cause |= FPU_UNDERFLOW;
    if (rounded != 0 && grid + length(rounded) - 1 > o->greatest) {
        cause |= FPU_OVERFLOW | FPU_INEXACT;
        uint64_t magnitude = mode == FPU_NEAREST || outward ? infinity(o) : infinity(o) - 1;
        return (struct answer){with_sign(o, x.negative, magnitude), cause};
    }
    return (struct answer){encode(o, x.negative, rounded, grid), cause};
}

enum kind { ZERO, NUMBER, INFINITE, QUIET, SIGNALLING };

struct operand {
    enum kind kind;
    struct exact x;
};

static struct operand decode(const struct oracle_format *o, uint32_t fcsr, uint64_t bits, unsigned *cause)
{
    uint64_t fraction = bits & ones(o->precision - 1);
    int field = (int)(bits >> (o->precision - 1) & (uint64_t)(o->greatest - o->least + 2));
    struct operand r = {.kind = NUMBER, .x.negative = bits >> (o->width - 1) & 1};
    if (field == o->greatest - o->least + 2) {
        r.kind = fraction == 0 ? INFINITE : fraction >> (o->precision - 2) ? SIGNALLING : QUIET;
    } else if (field == 0 && (fraction == 0 || (fcsr & FCSR_FS))) {
        r.kind = ZERO;
        if (fraction != 0)
            *cause |= FPU_INEXACT;
    } else {
        r.x.whole = field == 0 ? fraction : fraction | (uint64_t)1 << (o->precision - 1);
        r.x.exponent = (field == 0 ? 1 : field) - 1 + o->least - (o->precision - 1);
    }
    return r;
}

/* The operand as a significand of 64 bits, its first bit set. */
static struct exact stretched(struct exact x)
{
    while (!(x.whole >> 63)) {
        x.whole <<= 1;
        x.exponent--;
    }
    return x;
}

static struct exact exact_sum(struct exact a, struct exact b)
{
    if (a.exponent < b.exponent) {
        struct exact t = a;
        a = b;
        b = t;
    }
    int distance = a.exponent - b.exponent;
    bool rest = distance > 70;
    if (rest) {
        distance = 70;
        /* b is less than one part in 2^17 of the shifted a's last place: only "something" */
        a.whole <<= distance;
        a.exponent -= distance;
        if (a.negative != b.negative)
            a.whole -= 1;
        a.rest = true;
        return a;
    }
    a.whole <<= distance;
    a.exponent = b.exponent;
    if (a.negative == b.negative) {
        a.whole += b.whole;
    } else if (a.whole >= b.whole) {
        a.whole -= b.whole;
    } else {
        a.whole = b.whole - a.whole;
        a.negative = b.negative;
    }
    return a;
}

/* Long division, bit by bit, to 100 bits. */
static struct exact exact_quotient(struct exact a, struct exact b)
{
    a = stretched(a);
    b = stretched(b);
    u128 rest = a.whole, quotient = 0;
    for (int i = 0; i < 100; i++) {
        quotient <<= 1;
        if (rest >= b.whole) {
            rest -= b.whole;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return (struct exact){a.negative != b.negative, quotient, a.exponent - b.exponent - 99, rest != 0};
}

/* Square root of the significand times 2^63 or 2^62 (so that the exponent is even), bit by bit. */
static struct exact exact_root(struct exact a)
{
    a = stretched(a);
    int shift = (a.exponent - 63) % 2 == 0 ? 63 : 62;
    u128 n = a.whole << shift, r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        u128 candidate = r | (u128)1 << bit;
        if (candidate * candidate <= n)
            r = candidate;
    }
    return (struct exact){false, r, (a.exponent - shift) / 2, r * r != n};
}

enum operation { ADD, SUB, MUL, DIV, SQRT, OPERATIONS };

static struct answer oracle(const struct fpu_format *f, enum operation op, uint32_t fcsr, uint64_t a, uint64_t b)
{
    const struct oracle_format *o = oracle_of(f);
    bool down = (fcsr & 3) == FPU_DOWN;
    if (op == SQRT)
        b = a;
    unsigned cause = 0, unused = 0;
    struct operand x = decode(o, fcsr, a, &cause), y = decode(o, fcsr, b, op == SQRT ? &unused : &cause);
    if (x.kind >= QUIET || y.kind >= QUIET)
        return (struct answer){quiet_nan(o), x.kind == SIGNALLING || y.kind == SIGNALLING ? FPU_INVALID : 0};
    struct answer invalid = {quiet_nan(o), cause | FPU_INVALID};
    bool product_negative = x.x.negative != y.x.negative;
    switch (op) {
    case SUB: y.x.negative = !y.x.negative; /* fall through */
    case ADD: {
        if (x.kind == INFINITE && y.kind == INFINITE)
            return x.x.negative == y.x.negative ? (struct answer){with_sign(o, x.x.negative, infinity(o)), cause}
                                                : invalid;
        if (x.kind == INFINITE || y.kind == INFINITE)
            return (struct answer){with_sign(o, x.kind == INFINITE ? x.x.negative : y.x.negative, infinity(o)), cause};
        if (x.kind == ZERO && y.kind == ZERO)
            return (struct answer){with_sign(o, x.x.negative == y.x.negative ? x.x.negative : down, 0), cause};
        struct exact sum = x.kind == ZERO ? y.x : y.kind == ZERO ? x.x : exact_sum(x.x, y.x);
        if (sum.whole == 0)
            return (struct answer){with_sign(o, down, 0), cause};
        return deliver(o, fcsr, sum, cause);
    }
    case MUL:
        if ((x.kind == INFINITE && y.kind == ZERO) || (x.kind == ZERO && y.kind == INFINITE))
            return invalid;
        if (x.kind == INFINITE || y.kind == INFINITE)
            return (struct answer){with_sign(o, product_negative, infinity(o)), cause};
        if (x.kind == ZERO || y.kind == ZERO)
            return (struct answer){with_sign(o, product_negative, 0), cause};
        return deliver(o, fcsr,
                       (struct exact){product_negative, x.x.whole * y.x.whole, x.x.exponent + y.x.exponent, false},
                       cause);
    case DIV:
        if (x.kind == y.kind && x.kind != NUMBER)
            return invalid;
        if (x.kind == INFINITE)
            return (struct answer){with_sign(o, product_negative, infinity(o)), cause};
        if (x.kind == ZERO || y.kind == INFINITE)
            return (struct answer){with_sign(o, product_negative, 0), cause};
        if (y.kind == ZERO)
            return (struct answer){with_sign(o, product_negative, infinity(o)), cause | FPU_DIVIDE};
        return deliver(o, fcsr, exact_quotient(x.x, y.x), cause);
    case SQRT:
        if (x.kind == ZERO)
            return (struct answer){with_sign(o, x.x.negative, 0), cause};
        if (x.x.negative)
            return invalid;
        if (x.kind == INFINITE)
            return (struct answer){infinity(o), cause};
        return deliver(o, fcsr, exact_root(x.x), cause);
    case OPERATIONS: break;
    }
    fail();
    return invalid;
}

static struct answer oracle_convert(const struct fpu_format *from, const struct fpu_format *to, uint32_t fcsr,
                                    uint64_t a)
{
    unsigned cause = 0;
    struct operand x = decode(oracle_of(from), fcsr, a, &cause);
    const struct oracle_format *o = oracle_of(to);
    switch (x.kind) {
    case ZERO: return (struct answer){with_sign(o, x.x.negative, 0), cause};
    case INFINITE: return (struct answer){with_sign(o, x.x.negative, infinity(o)), cause};
    case QUIET: return (struct answer){quiet_nan(o), 0};
    case SIGNALLING: return (struct answer){quiet_nan(o), FPU_INVALID};
    case NUMBER: break;
    }
    return deliver(o, fcsr, x.x, cause);
}

static struct answer oracle_to_integer(const struct fpu_format *from, uint32_t fcsr, uint64_t a, unsigned bits,
                                       enum fpu_rounding mode)
{
    unsigned cause = 0;
    struct operand x = decode(oracle_of(from), fcsr, a, &cause);
    struct answer invalid = {ones((int)bits - 1), FPU_INVALID};
    if (x.kind == ZERO)
        return (struct answer){0, cause};
    if (x.kind != NUMBER || x.x.exponent + length(x.x.whole) > 70)
        return invalid;
    bool inexact;
    u128 magnitude = on_grid(x.x, 0, mode, &inexact);
    if (magnitude > (u128)1 << (bits - 1) || (magnitude == (u128)1 << (bits - 1) && !x.x.negative))
        return invalid;
    uint64_t value = x.x.negative ? -(uint64_t)magnitude : (uint64_t)magnitude;
    return (struct answer){bits == 32 ? (uint32_t)value : value, inexact ? FPU_INEXACT : 0};
}

static struct answer oracle_from_integer(const struct fpu_format *to, uint32_t fcsr, int64_t value)
{
    if (value == 0)
        return (struct answer){0, 0};
    return deliver(oracle_of(to), fcsr,
                   (struct exact){value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value, 0, false}, 0);
}

/* Operands */
static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static const uint64_t special_single[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0x40200000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fbfffff, 0xff800001, 0x7fc00000, 0xffffffff, 0x4f000000,
    0xcf000000, 0x4effffff, 0xcf000001, 0x5f000000, 0xdf000000, 0x5effffff, 0xdf000001, 0x33800000, 0x34000000,
    0x4b000000, 0x4b000001, 0x00ffffff, 0x01000000, 0x1fffffff, 0x20000000, 0x5f7fffff, 0x7e800000, 0x7f000000,
};
static const uint64_t special_double[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
    0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x3ff0000000000000,
    0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x3fe0000000000000, 0x3fdfffffffffffff,
    0x3fe0000000000001, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff7ffffffffffff, 0xfff0000000000001, 0x7ff8000000000000,
    0xffffffffffffffff, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000,
    0xc1e0000000100000, 0xc1e0000000200000, 0x43e0000000000000, 0xc3e0000000000000, 0x43dfffffffffffff,
    0xc3e0000000000001, 0x380fffffffffffff, 0x3810000000000000, 0x380fffffe0000000, 0x380ffffff0000000,
    0x380fffffefffffff, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x47efffffe0000000,
    0x47effffff0000000, 0x47efffffefffffff, 0x3ca0000000000000, 0x4330000000000000, 0x4340000000000001,
    0x1ff0000000000000, 0x2000000000000000, 0x0020000000000000, 0x7fd0000000000000, 0x7fe0000000000000,
};
enum {
    SPECIAL_SINGLE = sizeof special_single / sizeof special_single[0],
    SPECIAL_DOUBLE = sizeof special_double / sizeof special_double[0],
};

static const uint64_t *specials(const struct fpu_format *f, unsigned *count)
{
    *count = f == &fpu_single ? SPECIAL_SINGLE : SPECIAL_DOUBLE;
    return f == &fpu_single ? special_single : special_double;
}

/* Mostly boundary cases: near 1, near the ends of the range, short significands, neighbours of special values. */
static uint64_t random_operand(const struct fpu_format *f)
{
    const struct oracle_format *o = oracle_of(f);
    uint64_t choice = random_bits(), r = random_bits();
    unsigned count;
    const uint64_t *special = specials(f, &count);
    uint64_t fraction = r & ones(o->precision - 1);
    uint64_t near = choice >> 8 & 63;
    uint64_t middle = (uint64_t)-o->least, last = infinity(o) >> (o->precision - 1);
    uint64_t field;
    switch (choice & 7) {
    case 0: return (special[(choice >> 8) % count] + (r & 3) - 1) & (o->width == 32 ? UINT32_MAX : UINT64_MAX);
    case 1: return o->width == 32 ? (uint32_t)r : r;
    case 2: field = near; break;
    case 3: field = last - near; break;
    case 4: field = middle / 2 + near - 32; break;
    case 5:
        field = middle + (near & 7);
        fraction &= ~ones(o->precision - 4);
        break;
    case 6: field = middle + near; break; /* to integers */
    default: field = middle + (near & 3) - 2; break;
    }
    return with_sign(o, r >> 63, field << (o->precision - 1) | fraction);
}

/* Modes: rounding, FS, Underflow enable; some Flags are set and must be kept. */
static uint32_t mode_fcsr(unsigned mode)
{
    return (mode & 3) | (mode & 4 ? FCSR_FS : 0) | (mode & 8 ? FPU_UNDERFLOW << FCSR_ENABLES_SHIFT : 0);
}

/* Check that the instruction gives ANSWER. It takes f0, f2 (and f4) and writes f6. */
static void check_instruction(struct core *core, semantic_fn *run, unsigned width, uint32_t fcsr, struct answer want)
{
    const struct insn insn = {.rd = 0, .rt = 2, .rs = 4, .sa = 6};
    const uint64_t before = 0x0123456789abcdef;
    fpu_write_double(&core->s, 6, before);
    core->s.fcr31 = fcsr;
    bool traps = want.cause & (fcsr & FCSR_ENABLES) >> FCSR_ENABLES_SHIFT;
    assert_int_equal(run(core, &insn) != 0, traps);
    uint64_t result = fpu_read_double(&core->s, 6);
    uint32_t after = fcsr | want.cause << FCSR_CAUSE_SHIFT;
    if (traps) {
        assert_int_equal(core->exception.code, EXC_FPE);
        assert_int_equal(result, before);
    } else {
        after |= want.cause << FCSR_FLAGS_SHIFT;
        uint64_t expected = width == 32 ? (before & ~(uint64_t)UINT32_MAX) | (uint32_t)want.bits : want.bits;
        assert_int_equal(result, expected);
    }
    assert_int_equal(core->s.fcr31, after);
}

static void check_soft(struct fpu_result got, struct answer want)
{
    assert_int_equal(got.bits, want.bits);
    /* Unimplemented Operation is tested in test_fpu.c */
    assert_int_equal(got.cause & ~(unsigned)FPU_UNIMPLEMENTED, want.cause);
}

static struct core *new_core(void)
{
    struct core *core = calloc(1, sizeof *core);
    assert_non_null(core);
    core->architecture = &mips32r2;
    core->s.cp0[CP0_STATUS] = STATUS_CU1 | STATUS_FR;
    return core;
}

static void check_pair(struct core *core, const struct fpu_format *f, uint32_t fcsr, uint64_t a, uint64_t b)
{
    static semantic_fn *const instructions[OPERATIONS][2] = {[ADD] = {fpu_add_s, fpu_add_d},
                                                             [SUB] = {fpu_sub_s, fpu_sub_d},
                                                             [MUL] = {fpu_mul_s, fpu_mul_d},
                                                             [DIV] = {fpu_div_s, fpu_div_d},
                                                             [SQRT] = {fpu_sqrt_s, fpu_sqrt_d}};
    unsigned width = oracle_of(f)->width;
    fpu_write_double(&core->s, 0, a);
    fpu_write_double(&core->s, 2, b);
    for (int op = 0; op < OPERATIONS; op++)
        check_instruction(core, instructions[op][width == 64], width, fcsr, oracle(f, (enum operation)op, fcsr, a, b));
    check_soft(fpu_soft_add(f, fcsr, a, b), oracle(f, ADD, fcsr, a, b));
    check_soft(fpu_soft_sub(f, fcsr, a, b), oracle(f, SUB, fcsr, a, b));
    check_soft(fpu_soft_mul(f, fcsr, a, b), oracle(f, MUL, fcsr, a, b));
    check_soft(fpu_soft_div(f, fcsr, a, b), oracle(f, DIV, fcsr, a, b));
    check_soft(fpu_soft_sqrt(f, fcsr, a), oracle(f, SQRT, fcsr, a, a));
}

static void check_arithmetic(const struct fpu_format *f)
{
    struct core *core = new_core();
    unsigned count;
    const uint64_t *special = specials(f, &count);
    for (unsigned mode = 0; mode < 4 * MODES; mode++)
        for (unsigned i = 0; i < count; i++)
            for (unsigned k = 0; k < count; k++)
                check_pair(core, f, mode_fcsr(mode), special[i], special[k]);
    random_state = 0x853c49e6748fea9b;
    for (unsigned n = 0; n < RANDOM_PAIRS; n++) {
        uint64_t a = random_operand(f), b = random_operand(f);
        for (unsigned mode = 0; mode < MODES; mode++)
            check_pair(core, f, mode_fcsr(mode), a, b);
        check_pair(core, f, mode_fcsr(MODES + n % (3 * MODES)), a, b);
    }
    free(core);
}

static void single_arithmetic_is_exact_and_rounded(void **state)
{
    (void)state;
    check_arithmetic(&fpu_single);
}

static void double_arithmetic_is_exact_and_rounded(void **state)
{
    (void)state;
    check_arithmetic(&fpu_double);
}

/* Multiply-add instructions: each step rounded, causes combined. */
static void combined_operations_round_twice(void **state)
{
    (void)state;
    struct core *core = new_core();
    random_state = 0xda3e39cb94b95bdb;
    for (unsigned n = 0; n < 4 * RANDOM_PAIRS; n++) {
        bool single = n & 1;
        const struct fpu_format *f = single ? &fpu_single : &fpu_double;
        const uint64_t one = single ? 0x3f800000 : 0x3ff0000000000000;
        uint64_t a = random_operand(f), b = random_operand(f), c = random_operand(f);
        uint32_t fcsr = mode_fcsr(n >> 1 & 15) | (uint32_t)(random_bits() & FCSR_FLAGS);
        fpu_write_double(&core->s, 0, a);
        fpu_write_double(&core->s, 2, b);
        fpu_write_double(&core->s, 4, c);
        unsigned width = oracle_of(f)->width;
        struct answer product = oracle(f, MUL, fcsr, a, b);
        struct answer sum = oracle(f, ADD, fcsr, product.bits, c), difference = oracle(f, SUB, fcsr, product.bits, c);
        sum.cause |= product.cause;
        difference.cause |= product.cause;
        check_instruction(core, single ? fpu_madd_s : fpu_madd_d, width, fcsr, sum);
        check_instruction(core, single ? fpu_msub_s : fpu_msub_d, width, fcsr, difference);
        sum.bits ^= f->sign;
        difference.bits ^= f->sign;
        check_instruction(core, single ? fpu_nmadd_s : fpu_nmadd_d, width, fcsr, sum);
        check_instruction(core, single ? fpu_nmsub_s : fpu_nmsub_d, width, fcsr, difference);
        check_instruction(core, single ? fpu_recip_s : fpu_recip_d, width, fcsr, oracle(f, DIV, fcsr, one, a));
        struct answer root = oracle(f, SQRT, fcsr, a, a), inverse = oracle(f, DIV, fcsr, one, root.bits);
        inverse.cause |= root.cause;
        check_instruction(core, single ? fpu_rsqrt_s : fpu_rsqrt_d, width, fcsr, inverse);
    }
    free(core);
}

static void check_conversions(struct core *core, const struct fpu_format *f, uint32_t fcsr, uint64_t a)
{
    static const struct {
        semantic_fn *word[2], *wide[2];
        int mode; /* -1: the current one */
    } to_integer[] = {
        {{fpu_round_w_s, fpu_round_w_d}, {fpu_round_l_s, fpu_round_l_d}, FPU_NEAREST},
        {{fpu_trunc_w_s, fpu_trunc_w_d}, {fpu_trunc_l_s, fpu_trunc_l_d}, FPU_ZERO},
        {{fpu_ceil_w_s, fpu_ceil_w_d}, {fpu_ceil_l_s, fpu_ceil_l_d}, FPU_UP},
        {{fpu_floor_w_s, fpu_floor_w_d}, {fpu_floor_l_s, fpu_floor_l_d}, FPU_DOWN},
        {{fpu_cvt_w_s, fpu_cvt_w_d}, {fpu_cvt_l_s, fpu_cvt_l_d}, -1},
    };
    bool wide = f == &fpu_double;
    const struct fpu_format *other = wide ? &fpu_single : &fpu_double;
    fpu_write_double(&core->s, 0, a);
    for (unsigned i = 0; i < sizeof to_integer / sizeof to_integer[0]; i++) {
        enum fpu_rounding mode = (enum fpu_rounding)(to_integer[i].mode < 0 ? (int)(fcsr & 3) : to_integer[i].mode);
        check_instruction(core, to_integer[i].word[wide], 32, fcsr, oracle_to_integer(f, fcsr, a, 32, mode));
        check_instruction(core, to_integer[i].wide[wide], 64, fcsr, oracle_to_integer(f, fcsr, a, 64, mode));
    }
    struct answer converted = oracle_convert(f, other, fcsr, a);
    check_instruction(core, wide ? fpu_cvt_s_d : fpu_cvt_d_s, oracle_of(other)->width, fcsr, converted);
    check_soft(fpu_soft_convert(f, other, fcsr, a), converted);
    /* The same bits as integers; some more of them short. */
    int64_t integer = (int64_t)a >> (a & 31);
    fpu_write_double(&core->s, 0, (uint64_t)integer);
    check_instruction(core, fpu_cvt_s_w, 32, fcsr, oracle_from_integer(&fpu_single, fcsr, (int32_t)integer));
    check_instruction(core, fpu_cvt_d_w, 64, fcsr, oracle_from_integer(&fpu_double, fcsr, (int32_t)integer));
    check_instruction(core, fpu_cvt_s_l, 32, fcsr, oracle_from_integer(&fpu_single, fcsr, integer));
    check_instruction(core, fpu_cvt_d_l, 64, fcsr, oracle_from_integer(&fpu_double, fcsr, integer));
}

static void conversions_are_exact_and_rounded(void **state)
{
    (void)state;
    struct core *core = new_core();
    random_state = 0x2545f4914f6cdd1d;
    for (unsigned single = 0; single < 2; single++) {
        const struct fpu_format *f = single ? &fpu_single : &fpu_double;
        unsigned count;
        const uint64_t *special = specials(f, &count);
        for (unsigned mode = 0; mode < 4 * MODES; mode++)
            for (unsigned i = 0; i < count; i++)
                check_conversions(core, f, mode_fcsr(mode), special[i]);
        for (unsigned n = 0; n < 4 * RANDOM_PAIRS; n++)
            check_conversions(core, f, mode_fcsr(n & 15), random_operand(f));
    }
    free(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_arithmetic_is_exact_and_rounded),
        cmocka_unit_test(double_arithmetic_is_exact_and_rounded),
        cmocka_unit_test(combined_operations_round_twice),
        cmocka_unit_test(conversions_are_exact_and_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
