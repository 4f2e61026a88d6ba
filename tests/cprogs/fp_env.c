/*
 * The floating-point environment as C sees it: flags that stick, environments that are kept and restored, the rounding
 * mode across calls, forks of control and library functions.
 */
#include "corpus.h"
#include "fp.h"

#include <setjmp.h>
#include <stdlib.h>

static NOINLINE double divide(double a, double b)
{
    return a / b;
}

static const struct {
    const char *name;
    int direction;
} modes[] = {{"nearest", FE_TONEAREST}, {"zero", FE_TOWARDZERO}, {"up", FE_UPWARD}, {"down", FE_DOWNWARD}};

CASE(env_modes_are_kept)
{
    for (int i = 0; i < 4; i++) {
        int failed = fesetround(modes[i].direction);
        printf("%s %d %d %a %a\n", modes[i].name, failed, fegetround() == modes[i].direction, divide(1, 3),
               divide(-1, 3));
    }
    fesetround(FE_TONEAREST);
}

/* One flag a line: what raised it, and which flags are then set (1 invalid, 2 zero, 4 over, 8 under, 16 inexact). */
#define RAISES(label, expression)                                                                                      \
    CASE(env_flags_##label)                                                                                            \
    {                                                                                                                  \
        volatile double zero = 0, one = 1, three = 3, huge = 1e308, tiny = 1e-308, infinite = INFINITY;                \
        volatile float fhuge = 3e38f, ftiny = 1e-38f;                                                                  \
        volatile double quiet_nan = fp_double(FP_QNAN64), r;                                                           \
        (void)quiet_nan, (void)zero, (void)one, (void)three, (void)huge, (void)tiny, (void)infinite, (void)fhuge,      \
            (void)ftiny;                                                                                               \
        for (int i = 0; i < 4; i++) {                                                                                  \
            fesetround(modes[i].direction);                                                                            \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            r = (expression);                                                                                          \
            unsigned flags = fp_flags();                                                                               \
            fesetround(FE_TONEAREST);                                                                                  \
            printf("%s: flags %u result %016llx\n", modes[i].name, flags, (unsigned long long)fp_bits_f64(r));         \
        }                                                                                                              \
    }
RAISES(nothing, one + three)
RAISES(inexact, one / three)
RAISES(zero_divide, one / zero)
RAISES(zero_divide_negative, -one / zero)
RAISES(invalid_zero_by_zero, zero / zero)
RAISES(invalid_inf_minus_inf, infinite - infinite)
RAISES(invalid_inf_times_zero, infinite *zero)
RAISES(invalid_sqrt, sqrt(-one))
RAISES(overflow_mul, huge *huge)
RAISES(overflow_add, huge + huge)
RAISES(overflow_narrow, (double)(float)huge)
RAISES(overflow_float, (double)(float)(fhuge *fhuge))
RAISES(underflow_mul, tiny *tiny)
RAISES(underflow_exact, tiny / 4)
RAISES(underflow_narrow, (double)(float)tiny)
RAISES(underflow_float, (double)(float)(ftiny *ftiny))
RAISES(subnormal_exact, 0x1p-1022 / 4 * one)
RAISES(compare_nan_ordered, (double)(quiet_nan < one))
RAISES(compare_nan_equal, (double)(quiet_nan == one))
RAISES(compare_nan_quiet, (double)isless(quiet_nan, one))

CASE(env_flags_stick)
{
    volatile double one = 1, zero = 0, r;
    feclearexcept(FE_ALL_EXCEPT);
    r = one / zero;
    r = one + one;
    printf("%u\n", fp_flags());
    r = one / 3;
    printf("%u\n", fp_flags());
    feclearexcept(FE_DIVBYZERO);
    printf("%u\n", fp_flags());
    feclearexcept(FE_ALL_EXCEPT);
    printf("%u %g\n", fp_flags(), r);
}

CASE(env_raise)
{
    static const int flags[] = {FE_INVALID, FE_DIVBYZERO, FE_INEXACT};
    for (int i = 0; i < 3; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        int failed = feraiseexcept(flags[i]);
        printf("%d %u\n", failed, fp_flags());
    }
}

CASE(env_hold_and_update)
{
    volatile double one = 1, three = 3, zero = 0, r;
    fenv_t kept;
    feclearexcept(FE_ALL_EXCEPT);
    r = one / three;
    feholdexcept(&kept);
    printf("held %u\n", fp_flags());
    r = one / zero;
    printf("inside %u\n", fp_flags());
    feupdateenv(&kept);
    printf("after %u %g\n", fp_flags(), r);
}

CASE(env_get_and_set)
{
    volatile double one = 1, three = 3, r;
    fenv_t kept;
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    fegetenv(&kept);
    fesetround(FE_DOWNWARD);
    r = one / three;
    printf("%a %u\n", r, fp_flags());
    fesetenv(&kept);
    printf("%d %u\n", fegetround() == FE_UPWARD, fp_flags());
    r = one / three;
    printf("%a\n", r);
    fesetenv(FE_DFL_ENV);
    printf("%d %u\n", fegetround() == FE_TONEAREST, fp_flags());
}

CASE(env_flag_objects)
{
    volatile double one = 1, zero = 0, r;
    fexcept_t kept;
    feclearexcept(FE_ALL_EXCEPT);
    r = one / zero;
    fegetexceptflag(&kept, FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    printf("%u %g\n", fp_flags(), r);
    fesetexceptflag(&kept, FE_DIVBYZERO);
    printf("%u\n", fp_flags());
}

/* The rounding mode is not changed by calls into the library, whatever those do inside. */
CASE(env_library_keeps_mode)
{
    for (int i = 0; i < 4; i++) {
        char room[40];
        fesetround(modes[i].direction);
        volatile double x = sin(OPAQUE(0.7)) + exp(OPAQUE(1.3)) + pow(OPAQUE(1.7), OPAQUE(2.3));
        snprintf(room, sizeof room, "%.3f", OPAQUE(2.0005));
        volatile double y = strtod("1.1", NULL);
        printf("%d %d %s %a\n", x > 0, fegetround() == modes[i].direction, room, y);
    }
    fesetround(FE_TONEAREST);
}

/* Sums of the same series in the four modes bracket each other. */
CASE(env_interval_sums)
{
    double sum[4];
    float narrow[4];
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m].direction);
        volatile double s = 0;
        volatile float f = 0;
        for (volatile int i = 1; i < 300; i++) {
            volatile double term = 1.0 / i;
            s = s + term;
            f = f + (float)term;
        }
        sum[m] = s;
        narrow[m] = f;
    }
    fesetround(FE_TONEAREST);
    for (int m = 0; m < 4; m++)
        printf("%s %a %a\n", modes[m].name, sum[m], (double)narrow[m]);
    printf("%d %d\n", sum[3] <= sum[0] && sum[0] <= sum[2], sum[1] == sum[3]);
}

/* Signed zeros: the sum of opposite numbers is +0, rounding down -0; products and roots carry the sign. */
CASE(env_signed_zeros)
{
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m].direction);
        volatile double one = 1, minus = -1, zero = 0, negative = -0.0;
        volatile double a = one + minus, b = zero + negative, c = negative + negative, d = minus * zero;
        volatile double e = sqrt(negative), f = one - one, g = zero / minus;
        fesetround(FE_TONEAREST);
        printf("%s %d%d%d%d%d%d%d\n", modes[m].name, !!signbit(a), !!signbit(b), !!signbit(c), !!signbit(d),
               !!signbit(e), !!signbit(f), !!signbit(g));
    }
}

/* Gradual underflow: halving the smallest normal numbers down to zero, in every mode. */
#define HALVES(mode, direction)                                                                                        \
    CASE(env_gradual_underflow_##mode)                                                                                 \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT, fsum = CORPUS_SUM_INIT;                                               \
        fesetround(direction);                                                                                         \
        volatile double x = 0x1.8000000000003p-1015;                                                                   \
        volatile float y = 0x1.800006p-120f;                                                                           \
        for (int i = 0; i < 70; i++) {                                                                                 \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            x = x * 0.5;                                                                                               \
            SUM(&sum, fp_bits_f64(x) ^ (uint64_t)fp_flags() << 40, "double step %d", i);                               \
        }                                                                                                              \
        for (int i = 0; i < 40; i++) {                                                                                 \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            y = y / 2;                                                                                                 \
            SUM(&fsum, fp_bits_f32(y) ^ (uint64_t)fp_flags() << 40, "float step %d", i);                               \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
        corpus_sum_print("double", &sum);                                                                              \
        corpus_sum_print("float", &fsum);                                                                              \
        printf("%a %a\n", x, (double)y);                                                                               \
    }
FP_EACH_MODE(HALVES)
