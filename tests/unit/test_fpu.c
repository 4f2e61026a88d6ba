/* The floating-point unit: registers and control registers, traps, NaNs, flushing, compares, moves. Rounding is tested
 * in test_fpu_oracle.c. */
#include "cpu/fp/fpu.h"
#include "cpu/privileged/semantics.h"

#include <stdlib.h>
#include "tests/unit/test.h"

/* Bit patterns, single and double. */
#define S_ONE        0x3f800000u
#define S_TWO        0x40000000u
#define S_THREE      0x40400000u
#define S_HALF       0x3f000000u
#define S_INFINITY   0x7f800000u
#define S_QUIET      0x7fbfffffu
#define S_SIGNALLING 0x7fc00000u
#define S_MIN_NORMAL 0x00800000u
#define S_MINUS      0x80000000u
#define D_ONE        0x3ff0000000000000u
#define D_TWO        0x4000000000000000u
#define D_THREE      0x4008000000000000u
#define D_INFINITY   0x7ff0000000000000u
#define D_QUIET      0x7ff7ffffffffffffu
#define D_SIGNALLING 0x7ff8000000000000u
#define D_MINUS      0x8000000000000000u

#define ENABLE(exception) ((uint32_t)(exception) << FCSR_ENABLES_SHIFT)
#define CAUSE(exception)  ((uint32_t)(exception) << FCSR_CAUSE_SHIFT)
#define FLAG(exception)   ((uint32_t)(exception) << FCSR_FLAGS_SHIFT)
#define RAISED(exception) (CAUSE(exception) | FLAG(exception))

enum { A = 0, B = 2, C = 4, RESULT = 6, GPR = 9 };
static const struct insn operands = {.rd = A, .rt = B, .rs = C, .sa = RESULT};

static int setup(void **state)
{
    struct core *core = calloc(1, sizeof *core);
    if (core == NULL)
        return -1;
    core->architecture = &mips32r2;
    core->s.cp0[CP0_STATUS] = STATUS_CU1 | STATUS_FR;
    *state = core;
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

static uint32_t control_read(struct core *core, unsigned number)
{
    const struct insn insn = {.rd = (uint8_t)number, .rt = GPR};
    core->s.gpr[GPR] = 0xdeadbeef;
    assert_int_equal(fpu_cfc1(core, &insn), 0);
    return core->s.gpr[GPR];
}

static int control_write(struct core *core, unsigned number, uint32_t value)
{
    const struct insn insn = {.rd = (uint8_t)number, .rt = GPR};
    core->s.gpr[GPR] = value;
    return fpu_ctc1(core, &insn);
}

/* RUN on singles or doubles; result (low word, for singles) and FCSR after it. */
static void expect_single(struct core *core, semantic_fn *run, uint32_t fcsr, uint32_t a, uint32_t b, uint32_t result,
                          uint32_t after)
{
    core->s.fpr[A][0] = a;
    core->s.fpr[B][0] = b;
    core->s.fpr[RESULT][0] = 0x5a5a5a5a;
    core->s.fcr31 = fcsr;
    assert_int_equal(run(core, &operands), 0);
    assert_int_equal(core->s.fpr[RESULT][0], result);
    assert_int_equal(core->s.fcr31, after);
}

static void expect_double(struct core *core, semantic_fn *run, uint32_t fcsr, uint64_t a, uint64_t b, uint64_t result,
                          uint32_t after)
{
    fpu_write_double(&core->s, A, a);
    fpu_write_double(&core->s, B, b);
    fpu_write_double(&core->s, RESULT, 0x5a5a5a5a5a5a5a5a);
    core->s.fcr31 = fcsr;
    assert_int_equal(run(core, &operands), 0);
    assert_int_equal(fpu_read_double(&core->s, RESULT), result);
    assert_int_equal(core->s.fcr31, after);
}

static void expect_trap(struct core *core, semantic_fn *run, uint32_t fcsr, uint64_t a, uint64_t b, uint32_t after)
{
    fpu_write_double(&core->s, A, a);
    fpu_write_double(&core->s, B, b);
    fpu_write_double(&core->s, RESULT, 0x5a5a5a5a5a5a5a5a);
    core->s.fcr31 = fcsr;
    assert_int_not_equal(run(core, &operands), 0);
    assert_int_equal(core->exception.code, EXC_FPE);
    assert_int_equal(fpu_read_double(&core->s, RESULT), 0x5a5a5a5a5a5a5a5a);
    assert_int_equal(core->s.fcr31, after);
}

#define BOTH(name) fpu_##name##_s, fpu_##name##_d
static semantic_fn *const every_function[] = {
    fpu_mfhc1,    fpu_mthc1,     fpu_cfc1,      fpu_ctc1,      BOTH(add),    BOTH(sub),     BOTH(mul),
    BOTH(div),    BOTH(sqrt),    BOTH(abs),     BOTH(mov),     BOTH(neg),    BOTH(round_l), BOTH(trunc_l),
    BOTH(ceil_l), BOTH(floor_l), BOTH(round_w), BOTH(trunc_w), BOTH(ceil_w), BOTH(floor_w), BOTH(recip),
    BOTH(rsqrt),  BOTH(cvt_w),   BOTH(cvt_l),   BOTH(compare), BOTH(movf),   BOTH(movt),    BOTH(movz),
    BOTH(movn),   BOTH(madd),    BOTH(msub),    BOTH(nmadd),   BOTH(nmsub),  fpu_cvt_d_s,   fpu_cvt_d_w,
    fpu_cvt_d_l,  fpu_cvt_s_d,   fpu_cvt_s_w,   fpu_cvt_s_l,
};
enum { FUNCTIONS = sizeof every_function / sizeof every_function[0] };

static void without_cu1_everything_is_unusable(void **state)
{
    struct core *core = *state;
    core->s.cp0[CP0_STATUS] = STATUS_FR | STATUS_CU0;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        struct cpu before = core->s;
        core->exception = (struct exception){0};
        assert_int_not_equal(every_function[i](core, &operands), 0);
        assert_int_equal(core->exception.code, EXC_CPU);
        assert_int_equal(core->exception.coprocessor, 1);
        assert_memory_equal(&before, &core->s, sizeof before);
    }
    core->s.cp0[CP0_STATUS] = STATUS_FR | STATUS_CU1;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        assert_int_equal(every_function[i](core, &operands), 0);
}

static void long_format_needs_64_bit_registers(void **state)
{
    static semantic_fn *const with_long[] = {BOTH(round_l), BOTH(trunc_l), BOTH(ceil_l), BOTH(floor_l),
                                             BOTH(cvt_l),   fpu_cvt_d_l,   fpu_cvt_s_l};
    struct core *core = *state;
    core->s.cp0[CP0_STATUS] = STATUS_CU1;
    for (unsigned i = 0; i < sizeof with_long / sizeof with_long[0]; i++) {
        assert_int_not_equal(with_long[i](core, &operands), 0);
        assert_int_equal(core->exception.code, EXC_RI);
    }
    /* Coprocessor Unusable has priority. */
    core->s.cp0[CP0_STATUS] = 0;
    assert_int_not_equal(fpu_cvt_l_d(core, &operands), 0);
    assert_int_equal(core->exception.code, EXC_CPU);
}

static void doubles_are_pairs_with_fr_0(void **state)
{
    struct core *core = *state;
    core->s.cp0[CP0_STATUS] = STATUS_CU1;
    core->s.fpr[A][0] = (uint32_t)D_ONE;
    core->s.fpr[A + 1][0] = (uint32_t)(D_ONE >> 32);
    core->s.fpr[B][0] = (uint32_t)D_TWO;
    core->s.fpr[B + 1][0] = (uint32_t)(D_TWO >> 32);
    core->s.fpr[RESULT][1] = 77;
    assert_int_equal(fpu_add_d(core, &operands), 0);
    assert_int_equal(core->s.fpr[RESULT][0], (uint32_t)D_THREE);
    assert_int_equal(core->s.fpr[RESULT + 1][0], D_THREE >> 32);
    assert_int_equal(core->s.fpr[RESULT][1], 77);
    /* An odd number means its pair. */
    const struct insn odd = {.rd = A + 1, .rt = B + 1, .sa = RESULT + 1};
    assert_int_equal(fpu_sub_d(core, &odd), 0);
    assert_int_equal(core->s.fpr[RESULT + 1][0], 0xbff00000);
    /* Singles use each register. */
    core->s.fpr[A + 1][0] = S_ONE;
    core->s.fpr[B + 1][0] = S_TWO;
    assert_int_equal(fpu_add_s(core, &odd), 0);
    assert_int_equal(core->s.fpr[RESULT + 1][0], S_THREE);
}

static void singles_leave_the_high_word(void **state)
{
    struct core *core = *state;
    core->s.fpr[RESULT][1] = 0x12345678;
    expect_single(core, fpu_add_s, 0, S_ONE, S_TWO, S_THREE, 0);
    assert_int_equal(core->s.fpr[RESULT][1], 0x12345678);
    expect_single(core, fpu_cvt_w_s, 0, S_THREE, 0, 3, 0);
    assert_int_equal(core->s.fpr[RESULT][1], 0x12345678);
}

static void high_words_move(void **state)
{
    struct core *core = *state;
    const struct insn insn = {.rd = 5, .rt = GPR}, even = {.rd = 4, .rt = GPR};
    core->s.gpr[GPR] = 0xcafe0001;
    assert_int_equal(fpu_mthc1(core, &insn), 0);
    assert_int_equal(core->s.fpr[5][1], 0xcafe0001);
    assert_int_equal(core->s.fpr[5][0], 0);
    core->s.gpr[GPR] = 0;
    assert_int_equal(fpu_mfhc1(core, &insn), 0);
    assert_int_equal(core->s.gpr[GPR], 0xcafe0001);
    /* FR = 0: the odd register of the pair. */
    core->s.cp0[CP0_STATUS] = STATUS_CU1;
    core->s.gpr[GPR] = 0xcafe0002;
    assert_int_equal(fpu_mthc1(core, &even), 0);
    assert_int_equal(core->s.fpr[5][0], 0xcafe0002);
    assert_int_equal(fpu_mfhc1(core, &even), 0);
    assert_int_equal(core->s.gpr[GPR], 0xcafe0002);
}

static void fir_says_what_there_is(void **state)
{
    struct core *core = *state;
    uint32_t fir = control_read(core, 0);
    assert_int_equal(fir >> 16, 0x73); /* F64 L W D S; neither Has2008, 3D, PS nor UFRP, FREP */
    assert_int_equal(fir >> 8 & 0xff, 0xa1);
    assert_int_equal(control_write(core, 0, 0), 0);
    assert_int_equal(control_read(core, 0), fir);
}

static void fcsr_is_masked(void **state)
{
    struct core *core = *state;
    /* without Cause bits, which would trap */
    assert_int_equal(control_write(core, 31, ~(uint32_t)FCSR_CAUSE), 0);
    assert_int_equal(control_read(core, 31), 0xff800fff);
    assert_int_equal(control_write(core, 31, FCSR_CAUSE & ~CAUSE(FPU_UNIMPLEMENTED)), 0);
    assert_int_equal(control_read(core, 31), FCSR_CAUSE & ~CAUSE(FPU_UNIMPLEMENTED));
    assert_int_equal(control_write(core, 31, 0), 0);
    assert_int_equal(control_read(core, 31), 0);
}

static void fcsr_has_views(void **state)
{
    struct core *core = *state;
    core->s.fcr31 = 0xff81ffff;
    assert_int_equal(control_read(core, 25), 0xff);
    assert_int_equal(control_read(core, 26), 0x0001f07c);
    assert_int_equal(control_read(core, 28), 0x00000f87);
    core->s.fcr31 = 0;
    assert_int_equal(control_write(core, 25, 0xffffffff), 0);
    assert_int_equal(core->s.fcr31, 0xfe800000);
    assert_int_equal(control_write(core, 25, 0x02), 0);
    assert_int_equal(core->s.fcr31, 0x02000000);
    assert_int_equal(control_write(core, 25, 0x01), 0);
    assert_int_equal(core->s.fcr31, 0x00800000);
    assert_int_equal(control_write(core, 25, 0), 0);
    assert_int_equal(control_write(core, 26, ~CAUSE(FPU_UNIMPLEMENTED)), 0);
    assert_int_equal(core->s.fcr31, 0x0001f07c);
    assert_int_equal(control_write(core, 26, 0), 0);
    assert_int_equal(control_write(core, 28, 0xffffffff), 0);
    assert_int_equal(core->s.fcr31, 0x01000f83);
    assert_int_equal(control_write(core, 28, 0x1), 0);
    assert_int_equal(core->s.fcr31, 0x1);
}

static void ctc1_traps_on_an_enabled_cause(void **state)
{
    struct core *core = *state;
    for (unsigned exception = FPU_INEXACT; exception <= FPU_INVALID; exception <<= 1) {
        core->s.fcr31 = 0;
        assert_int_equal(control_write(core, 31, CAUSE(exception)), 0);
        assert_int_equal(control_write(core, 31, CAUSE(exception) | ENABLE(FPU_INVALID * 2 - 1 - exception)), 0);
        assert_int_not_equal(control_write(core, 31, CAUSE(exception) | ENABLE(exception)), 0);
        assert_int_equal(core->exception.code, EXC_FPE);
        /* The write took place. */
        assert_int_equal(core->s.fcr31, CAUSE(exception) | ENABLE(exception));
        /* The same by a write of FEXR or FENR, the partial views of FCSR. */
        core->s.fcr31 = ENABLE(exception);
        assert_int_not_equal(control_write(core, 26, CAUSE(exception)), 0);
        core->s.fcr31 = CAUSE(exception);
        assert_int_not_equal(control_write(core, 28, ENABLE(exception)), 0);
    }
    core->s.fcr31 = 0;
    assert_int_not_equal(control_write(core, 31, CAUSE(FPU_UNIMPLEMENTED)), 0);
    assert_int_equal(core->exception.code, EXC_FPE);
}

static void cause_is_replaced_and_flags_stick(void **state)
{
    struct core *core = *state;
    expect_single(core, fpu_div_s, 0, S_ONE, 0, S_INFINITY, RAISED(FPU_DIVIDE));
    expect_single(core, fpu_div_s, RAISED(FPU_DIVIDE), S_ONE, S_THREE, 0x3eaaaaab,
                  RAISED(FPU_INEXACT) | FLAG(FPU_DIVIDE));
    expect_single(core, fpu_add_s, core->s.fcr31, S_ONE, S_TWO, S_THREE, FLAG(FPU_DIVIDE | FPU_INEXACT));
    /* Condition codes and modes are unaffected. */
    expect_single(core, fpu_add_s, 0xfe800000 | FPU_UP, S_ONE, S_TWO, S_THREE, 0xfe800000 | FPU_UP);
}

static void enabled_exceptions_trap_and_write_nothing(void **state)
{
    struct core *core = *state;
    expect_trap(core, fpu_div_d, ENABLE(FPU_DIVIDE), D_ONE, 0, ENABLE(FPU_DIVIDE) | CAUSE(FPU_DIVIDE));
    expect_trap(core, fpu_div_d, ENABLE(FPU_INEXACT) | FLAG(FPU_INVALID), D_ONE, D_THREE,
                ENABLE(FPU_INEXACT) | FLAG(FPU_INVALID) | CAUSE(FPU_INEXACT));
    expect_trap(core, fpu_mul_d, ENABLE(FPU_OVERFLOW), 0x7fefffffffffffff, D_TWO,
                ENABLE(FPU_OVERFLOW) | CAUSE(FPU_OVERFLOW | FPU_INEXACT));
    expect_trap(core, fpu_sqrt_d, ENABLE(FPU_INVALID), D_ONE | D_MINUS, 0, ENABLE(FPU_INVALID) | CAUSE(FPU_INVALID));
    expect_trap(core, fpu_cvt_w_d, ENABLE(FPU_INVALID), D_QUIET, 0, ENABLE(FPU_INVALID) | CAUSE(FPU_INVALID));
    expect_trap(core, fpu_compare_d, ENABLE(FPU_INVALID) | FCSR_FCC0, D_SIGNALLING, 0,
                ENABLE(FPU_INVALID) | FCSR_FCC0 | CAUSE(FPU_INVALID));
    /* An exception that is not enabled does not trap. */
    expect_double(core, fpu_div_d, ENABLE(FPU_INVALID), D_ONE, 0, D_INFINITY, ENABLE(FPU_INVALID) | RAISED(FPU_DIVIDE));
}

/* Tiny and exact: underflow only if enabled. Tiny and inexact: always. */
static void underflow_depends_on_its_enable(void **state)
{
    struct core *core = *state;
    expect_single(core, fpu_mul_s, 0, S_MIN_NORMAL, S_HALF, S_MIN_NORMAL / 2, 0);
    expect_trap(core, fpu_mul_s, ENABLE(FPU_UNDERFLOW), S_MIN_NORMAL, S_HALF,
                ENABLE(FPU_UNDERFLOW) | CAUSE(FPU_UNDERFLOW));
    expect_single(core, fpu_mul_s, 0, S_MIN_NORMAL | 1, S_HALF, S_MIN_NORMAL / 2, RAISED(FPU_UNDERFLOW | FPU_INEXACT));
    /* Rounds up to the least normal number: (2^24 - 1) * 2^-150 is tiny, for at full precision it needs no rounding...
     */
    expect_single(core, fpu_mul_s, 0, 0x00ffffff, S_HALF, S_MIN_NORMAL, RAISED(FPU_UNDERFLOW | FPU_INEXACT));
    /* ...and (2^25 - 1) * 2^-151 is not tiny, for there it rounds up as well. */
    expect_double(core, fpu_cvt_s_d, 0, 0x380ffffff0000000, 0, 0x5a5a5a5a00800000, RAISED(FPU_INEXACT));
}

static void overflow_goes_where_rounding_says(void **state)
{
    static const uint32_t positive[] = {S_INFINITY, 0x7f7fffff, S_INFINITY, 0x7f7fffff};
    static const uint32_t negative[] = {0xff800000, 0xff7fffff, 0xff7fffff, 0xff800000};
    struct core *core = *state;
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t after = mode | RAISED(FPU_OVERFLOW | FPU_INEXACT);
        expect_single(core, fpu_add_s, mode, 0x7f7fffff, 0x7f7fffff, positive[mode], after);
        expect_single(core, fpu_add_s, mode, 0xff7fffff, 0xff7fffff, negative[mode], after);
    }
}

static void zero_sums_take_their_sign_from_rounding(void **state)
{
    struct core *core = *state;
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t zero = mode == FPU_DOWN ? S_MINUS : 0;
        expect_single(core, fpu_sub_s, mode, S_ONE, S_ONE, zero, mode);
        expect_single(core, fpu_add_s, mode, 0, S_MINUS, zero, mode);
        expect_single(core, fpu_add_s, mode, S_MINUS, S_MINUS, S_MINUS, mode);
        expect_single(core, fpu_add_s, mode, 0, 0, 0, mode);
    }
}

/* The first fraction bit set means signalling; every result is the default quiet NaN. */
static void nans_give_the_default_nan(void **state)
{
    static semantic_fn *const single[] = {fpu_add_s, fpu_sub_s, fpu_mul_s, fpu_div_s};
    static semantic_fn *const twice[] = {fpu_add_d, fpu_sub_d, fpu_mul_d, fpu_div_d};
    struct core *core = *state;
    for (unsigned i = 0; i < 4; i++) {
        expect_single(core, single[i], 0, 0xff800001, S_ONE, S_QUIET, 0);
        expect_single(core, single[i], 0, S_ONE, 0x7fa00000, S_QUIET, 0);
        expect_single(core, single[i], 0, S_SIGNALLING, S_ONE, S_QUIET, RAISED(FPU_INVALID));
        expect_single(core, single[i], 0, 0xff800001, 0xffffffff, S_QUIET, RAISED(FPU_INVALID));
        expect_double(core, twice[i], 0, 0xfff0000000000001, D_ONE, D_QUIET, 0);
        expect_double(core, twice[i], 0, D_ONE, D_SIGNALLING, D_QUIET, RAISED(FPU_INVALID));
    }
    expect_single(core, fpu_sqrt_s, 0, 0xff800001, 0, S_QUIET, 0);
    expect_single(core, fpu_recip_s, 0, S_SIGNALLING, 0, S_QUIET, RAISED(FPU_INVALID));
    expect_double(core, fpu_cvt_d_s, 0, 0xff800001, 0, D_QUIET, 0);
    expect_double(core, fpu_cvt_d_s, 0, S_SIGNALLING, 0, D_QUIET, RAISED(FPU_INVALID));
    expect_double(core, fpu_cvt_s_d, 0, 0x7ff0000000000001, 0, 0x5a5a5a5a00000000 | S_QUIET, 0);
    expect_double(core, fpu_cvt_s_d, 0, D_SIGNALLING, 0, 0x5a5a5a5a00000000 | S_QUIET, RAISED(FPU_INVALID));
}

static void invalid_operations(void **state)
{
    struct core *core = *state;
    expect_single(core, fpu_sub_s, 0, S_INFINITY, S_INFINITY, S_QUIET, RAISED(FPU_INVALID));
    expect_single(core, fpu_mul_s, 0, S_INFINITY, S_MINUS, S_QUIET, RAISED(FPU_INVALID));
    expect_single(core, fpu_div_s, 0, 0, 0, S_QUIET, RAISED(FPU_INVALID));
    expect_single(core, fpu_div_s, 0, S_INFINITY, S_INFINITY, S_QUIET, RAISED(FPU_INVALID));
    expect_single(core, fpu_sqrt_s, 0, S_ONE | S_MINUS, 0, S_QUIET, RAISED(FPU_INVALID));
    expect_single(core, fpu_sqrt_s, 0, S_MINUS, 0, S_MINUS, 0);
    expect_single(core, fpu_rsqrt_s, 0, S_MINUS, 0, S_INFINITY | S_MINUS, RAISED(FPU_DIVIDE));
    expect_double(core, fpu_div_d, 0, 0, 0, D_QUIET, RAISED(FPU_INVALID));
    /* Infinity / 0 raises nothing. */
    expect_single(core, fpu_div_s, 0, S_INFINITY, 0, S_INFINITY, 0);
}

static void unfit_integers_are_the_largest(void **state)
{
    static const uint32_t unfit[] = {S_QUIET, S_SIGNALLING, S_INFINITY, 0xff800000, 0x5f000000, 0xdf000001};
    struct core *core = *state;
    for (unsigned i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
        expect_single(core, fpu_cvt_w_s, 0, unfit[i], 0, 0x7fffffff, RAISED(FPU_INVALID));
        expect_single(core, fpu_trunc_w_s, 0, unfit[i], 0, 0x7fffffff, RAISED(FPU_INVALID));
        expect_double(core, fpu_cvt_l_s, 0, unfit[i], 0, 0x7fffffffffffffff, RAISED(FPU_INVALID));
    }
    expect_single(core, fpu_cvt_w_s, 0, 0xcf000000, 0, 0x80000000, 0);
    expect_double(core, fpu_cvt_l_d, 0, 0xc3e0000000000000, 0, 0x8000000000000000, 0);
    /* 2^31 - 0.5 fits if truncated, not if rounded. */
    expect_double(core, fpu_trunc_w_d, 0, 0x41dfffffffe00000, 0, 0x5a5a5a5a7fffffff, RAISED(FPU_INEXACT));
    expect_double(core, fpu_round_w_d, 0, 0x41dfffffffe00000, 0, 0x5a5a5a5a7fffffff, RAISED(FPU_INVALID));
}

static void named_roundings_ignore_the_mode(void **state)
{
    struct core *core = *state;
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t after = mode | RAISED(FPU_INEXACT);
        expect_single(core, fpu_round_w_s, mode, 0x40200000, 0, 2, after); /* 2.5 */
        expect_single(core, fpu_trunc_w_s, mode, 0xc0200000, 0, (uint32_t)-2, after);
        expect_single(core, fpu_ceil_w_s, mode, 0x40200000, 0, 3, after);
        expect_single(core, fpu_floor_w_s, mode, 0xc0200000, 0, (uint32_t)-3, after);
        static const uint32_t current[] = {2, 2, 3, 2};
        expect_single(core, fpu_cvt_w_s, mode, 0x40200000, 0, current[mode], after);
    }
}

/* abs and neg are arithmetic with the legacy encoding: they replace Cause, and a NaN keeps its sign. */
static void abs_and_neg_are_arithmetic(void **state)
{
    struct core *core = *state;
    uint32_t old = RAISED(FPU_DIVIDE), kept = FLAG(FPU_DIVIDE);
    expect_single(core, fpu_abs_s, old, 0xc0400000, 0, S_THREE, kept);
    expect_single(core, fpu_neg_s, old, S_THREE, 0, 0xc0400000, kept);
    expect_single(core, fpu_neg_s, 0, 0, 0, S_MINUS, 0);
    expect_single(core, fpu_abs_s, 0, 0xff800000, 0, S_INFINITY, 0);
    expect_single(core, fpu_abs_s, 0, 0xffbfffff, 0, 0xffbfffff, 0);
    expect_single(core, fpu_neg_s, 0, S_QUIET, 0, S_QUIET, 0);
    expect_single(core, fpu_abs_s, 0, 0xffc00000, 0, S_QUIET, RAISED(FPU_INVALID));
    expect_double(core, fpu_neg_d, 0, D_ONE, 0, D_ONE | D_MINUS, 0);
    expect_double(core, fpu_abs_d, 0, D_ONE | D_MINUS, 0, D_ONE, 0);
    expect_double(core, fpu_neg_d, 0, D_SIGNALLING, 0, D_QUIET, RAISED(FPU_INVALID));
    expect_trap(core, fpu_neg_d, ENABLE(FPU_INVALID), D_SIGNALLING, 0, ENABLE(FPU_INVALID) | CAUSE(FPU_INVALID));
}

static void flush_to_zero(void **state)
{
    const uint32_t fs = FCSR_FS;
    struct core *core = *state;
    /* Results: zero, or the smallest normal number if rounded away; always Underflow and Inexact. */
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t after = fs | mode | RAISED(FPU_UNDERFLOW | FPU_INEXACT);
        expect_single(core, fpu_mul_s, fs | mode, S_MIN_NORMAL, S_HALF, mode == FPU_UP ? S_MIN_NORMAL : 0, after);
        expect_single(core, fpu_mul_s, fs | mode, S_MIN_NORMAL | S_MINUS, S_HALF,
                      mode == FPU_DOWN ? S_MIN_NORMAL | S_MINUS : S_MINUS, after);
    }
    /* Also what would round up to the least normal number. */
    expect_double(core, fpu_cvt_s_d, fs, 0x380ffffff0000000, 0, 0x5a5a5a5a00000000,
                  fs | RAISED(FPU_UNDERFLOW | FPU_INEXACT));
    /* Operands: zero of their sign, inexactly. */
    expect_single(core, fpu_add_s, fs, 1, S_ONE, S_ONE, fs | RAISED(FPU_INEXACT));
    expect_single(core, fpu_div_s, fs, S_ONE, S_MINUS | 1, 0xff800000, fs | RAISED(FPU_DIVIDE | FPU_INEXACT));
    expect_single(core, fpu_neg_s, fs, 1, 0, S_MINUS, fs | RAISED(FPU_INEXACT));
    expect_double(core, fpu_cvt_d_s, fs, 0x807fffff, 0, D_MINUS, fs | RAISED(FPU_INEXACT));
    expect_single(core, fpu_ceil_w_s, fs, 1, 0, 0, fs | RAISED(FPU_INEXACT));
    /* Moves are not arithmetic. */
    expect_single(core, fpu_mov_s, fs, 1, 0, 1, fs);
    /* A compare treats it as zero without an exception. */
    const struct insn equal = {.rd = A, .rt = B, .imm = 2};
    core->s.fpr[A][0] = 1;
    core->s.fpr[B][0] = S_MINUS;
    core->s.fcr31 = fs;
    assert_int_equal(fpu_compare_s(core, &equal), 0);
    assert_int_equal(core->s.fcr31, fs | FCSR_FCC0);
    /* Without FS denormalized numbers are numbers. */
    expect_single(core, fpu_add_s, 0, 1, 1, 2, 0);
}

/* (1 + 2^-23)^2 - (1 + 2^-22): rounded twice it is 0, fused it would be 2^-46. */
static void multiply_add_is_not_fused(void **state)
{
    struct core *core = *state;
    core->s.fpr[C][0] = 0x3f800002;
    expect_single(core, fpu_msub_s, 0, 0x3f800001, 0x3f800001, 0, RAISED(FPU_INEXACT));
    expect_single(core, fpu_nmsub_s, 0, 0x3f800001, 0x3f800001, S_MINUS, RAISED(FPU_INEXACT));
    /* Cause has the exceptions of both steps. */
    core->s.fpr[C][0] = S_ONE;
    expect_single(core, fpu_madd_s, 0, 1, S_HALF, S_ONE, RAISED(FPU_UNDERFLOW | FPU_INEXACT));
    core->s.fpr[C][0] = S_INFINITY;
    expect_single(core, fpu_msub_s, 0, 0x7f7fffff, S_TWO, S_QUIET, RAISED(FPU_OVERFLOW | FPU_INEXACT | FPU_INVALID));
    expect_single(core, fpu_nmadd_s, 0, S_QUIET, S_TWO, S_QUIET | S_MINUS, 0);
}

static void compare_has_sixteen_conditions(void **state)
{
    static const struct {
        uint32_t a, b;
        unsigned relation; /* less 4, equal 2, unordered 1 */
        bool signalling;
    } cases[] = {
        {S_ONE, S_TWO, 4, false},           {S_TWO, S_ONE, 0, false},
        {S_ONE, S_ONE, 2, false},           {0, S_MINUS, 2, false},
        {0xc0000000, 0xbf800000, 4, false}, {0xbf800000, 0xc0000000, 0, false},
        {0xff800000, S_INFINITY, 4, false}, {1, 2, 4, false},
        {S_MINUS | 1, 0, 4, false},         {S_QUIET, S_QUIET, 1, false},
        {S_QUIET, S_ONE, 1, false},         {S_ONE, 0xff800001, 1, false},
        {S_SIGNALLING, S_ONE, 1, true},     {S_QUIET, 0xffffffff, 1, true},
    };
    struct core *core = *state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned condition = 0; condition < 16; condition++) {
            for (unsigned cc = 0; cc < 8; cc++) {
                const struct insn insn = {.rd = A, .rt = B, .imm = (int32_t)(condition | cc << 4)};
                bool invalid = cases[i].signalling || ((condition & 8) && cases[i].relation == 1);
                uint32_t bit = cc == 0 ? FCSR_FCC0 : 1u << (24 + cc);
                uint32_t raised = invalid ? RAISED(FPU_INVALID) : 0;
                core->s.fpr[A][0] = cases[i].a;
                core->s.fpr[B][0] = cases[i].b;
                core->s.fcr31 = FCSR_FCC | FCSR_FCC0 | CAUSE(FPU_INEXACT);
                assert_int_equal(fpu_compare_s(core, &insn), 0);
                bool holds = condition & cases[i].relation;
                uint32_t all = FCSR_FCC | FCSR_FCC0;
                assert_int_equal(core->s.fcr31, (holds ? all : all & ~bit) | raised);
                core->s.fcr31 = 0;
                assert_int_equal(fpu_compare_s(core, &insn), 0);
                assert_int_equal(core->s.fcr31, (holds ? bit : 0) | raised);
                assert_int_equal(fpu_condition(&core->s, cc), holds);
            }
        }
    }
    const struct insn less = {.rd = A, .rt = B, .imm = 4};
    fpu_write_double(&core->s, A, D_ONE | D_MINUS);
    fpu_write_double(&core->s, B, D_ONE);
    assert_int_equal(fpu_compare_d(core, &less), 0);
    assert_int_equal(fpu_condition(&core->s, 0), 1);
}

static void moves_copy_bits(void **state)
{
    struct core *core = *state;
    const uint32_t fcsr = RAISED(FPU_DIVIDE) | ENABLE(FPU_INVALID);
    expect_single(core, fpu_mov_s, fcsr, 0xffffffff, 0, 0xffffffff, fcsr);
    expect_double(core, fpu_mov_d, fcsr, D_SIGNALLING | 1, 0, D_SIGNALLING | 1, fcsr);
}

/* With cpu.fpu_denormals = trap: Unimplemented Operation alone in Cause, no flag, fd as it was. */
static void check_left_to_software(struct core *core, semantic_fn *run, uint32_t a, uint32_t b)
{
    const uint32_t kept = 0x12345678;
    core->s.fpr[A][0] = a;
    core->s.fpr[B][0] = b;
    core->s.fpr[RESULT][0] = kept;
    core->s.fcr31 &= ~(uint32_t)FCSR_CAUSE;
    uint32_t fcsr = core->s.fcr31;
    assert_int_equal(run(core, &operands), 1);
    assert_int_equal(core->exception.code, EXC_FPE);
    assert_int_equal(core->s.fcr31, fcsr | CAUSE(FPU_UNIMPLEMENTED));
    assert_int_equal(core->s.fpr[RESULT][0], kept);
}

static void check_done(struct core *core, semantic_fn *run, uint32_t a, uint32_t b, uint32_t result)
{
    core->s.fpr[A][0] = a;
    core->s.fpr[B][0] = b;
    assert_int_equal(run(core, &operands), 0);
    assert_int_equal(core->s.fpr[RESULT][0], result);
    assert_false(core->s.fcr31 & CAUSE(FPU_UNIMPLEMENTED));
}

/* R4000 User's Manual section 7.4: denormalized operands of computations and conversions, and tiny results while
 * FCSR.FS is clear, are left to software. */
static void denormals_are_left_to_software(void **state)
{
    struct core *core = *state;
    const uint32_t denormal = 0x00400000, least = S_MIN_NORMAL;
    core->fpu_traps_denormals = true;
    check_left_to_software(core, fpu_add_s, denormal, S_ONE);
    check_left_to_software(core, fpu_mul_s, S_ONE, S_MINUS | denormal);
    check_left_to_software(core, fpu_sqrt_s, denormal, 0);
    check_left_to_software(core, fpu_cvt_d_s, denormal, 0);
    check_left_to_software(core, fpu_trunc_w_s, denormal, 0);
    check_left_to_software(core, fpu_mul_s, least, S_HALF);  /* tiny and exact */
    check_left_to_software(core, fpu_div_s, least, S_THREE); /* tiny and inexact */
    check_left_to_software(core, fpu_sub_s, least + 1, least);
    /* These are computed. */
    check_done(core, fpu_add_s, least, 0, least);
    check_done(core, fpu_mul_s, least, S_ONE, least);
    check_done(core, fpu_mul_s, 0, S_ONE, 0);
    check_done(core, fpu_mul_s, least + 1, 0x3f7ffffe, least); /* tiny before rounding only */
    check_done(core, fpu_add_s, S_QUIET, denormal, S_QUIET);
    check_done(core, fpu_mov_s, denormal, 0, denormal);
    const struct insn equal = {.rd = A, .rt = B, .imm = 2};
    core->s.fpr[A][0] = core->s.fpr[B][0] = denormal;
    assert_int_equal(fpu_compare_s(core, &equal), 0);
    assert_true(core->s.fcr31 & FCSR_FCC0);
    /* FS flushes to zero instead. */
    core->s.fcr31 = FCSR_FS;
    check_done(core, fpu_add_s, denormal, S_ONE, S_ONE);
    check_done(core, fpu_mul_s, least, S_HALF, 0);
    /* cpu.fpu_denormals = compute */
    core->s.fcr31 = 0;
    core->fpu_traps_denormals = false;
    check_done(core, fpu_mul_s, least, S_HALF, denormal);
}

static void conditional_moves(void **state)
{
    struct core *core = *state;
    const uint64_t from = D_SIGNALLING | 5, to = 0x1111222233334444;
    for (unsigned cc = 0; cc < 8; cc++) {
        const struct insn insn = {.rd = A, .sa = RESULT, .rt = GPR, .imm = (int32_t)cc};
        uint32_t bit = cc == 0 ? FCSR_FCC0 : 1u << (24 + cc);
        for (unsigned set = 0; set < 2; set++) {
            static semantic_fn *const moves[][2] = {{BOTH(movf)}, {BOTH(movt)}, {BOTH(movz)}, {BOTH(movn)}};
            uint32_t fcsr = set ? bit : (FCSR_FCC | FCSR_FCC0) & ~bit;
            core->s.gpr[GPR] = set ? 0x80000000 : 0;
            core->s.fcr31 = fcsr;
            for (unsigned kind = 0; kind < 4; kind++) {
                bool moved = (kind & 1) == set;
                fpu_write_double(&core->s, A, from);
                fpu_write_double(&core->s, RESULT, to);
                assert_int_equal(moves[kind][0](core, &insn), 0);
                assert_int_equal(fpu_read_double(&core->s, RESULT), moved ? (to & ~0xffffffffull) | 5 : to);
                assert_int_equal(moves[kind][1](core, &insn), 0);
                assert_int_equal(fpu_read_double(&core->s, RESULT), moved ? from : to);
                assert_int_equal(core->s.fcr31, fcsr);
            }
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(without_cu1_everything_is_unusable),
        TEST(long_format_needs_64_bit_registers),
        TEST(doubles_are_pairs_with_fr_0),
        TEST(singles_leave_the_high_word),
        TEST(high_words_move),
        TEST(fir_says_what_there_is),
        TEST(fcsr_is_masked),
        TEST(fcsr_has_views),
        TEST(ctc1_traps_on_an_enabled_cause),
        TEST(cause_is_replaced_and_flags_stick),
        TEST(enabled_exceptions_trap_and_write_nothing),
        TEST(underflow_depends_on_its_enable),
        TEST(overflow_goes_where_rounding_says),
        TEST(zero_sums_take_their_sign_from_rounding),
        TEST(nans_give_the_default_nan),
        TEST(invalid_operations),
        TEST(unfit_integers_are_the_largest),
        TEST(named_roundings_ignore_the_mode),
        TEST(abs_and_neg_are_arithmetic),
        TEST(flush_to_zero),
        TEST(multiply_add_is_not_fused),
        TEST(compare_has_sixteen_conditions),
        TEST(moves_copy_bits),
        TEST(conditional_moves),
        TEST(denormals_are_left_to_software),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
