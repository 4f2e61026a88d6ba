/*
 * Floating-point instructions that C does not name: conversions with a rounding mode of their own, multiply-add,
 * conditional moves, branches on condition codes, control registers, moves and indexed memory accesses.
 */
#define _GNU_SOURCE
#include "corpus.h"
#include "fp.h"
#include "insn.h"

#include <sys/prctl.h>

/* Values around integers, ties, and the ends of the 32-bit range, inside and outside; NaN and infinities. */
static const double reals[] = {
    0.0,           -0.0,          0.25,         0.5,          0.75,         1.0,          1.5,       2.5,
    3.5,           -0.25,         -0.5,         -0.75,        -1.5,         -2.5,         1e-300,    -1e-300,
    1234567.5,     -1234568.5,    2147483646.5, 2147483647.0, 2147483647.5, 2147483648.0, 1e10,      -2147483648.0,
    -2147483648.5, -2147483649.0, -1e10,        1e300,        -1e300,       INFINITY,     -INFINITY, 8388607.5,
};
#define REALS (sizeof reals / sizeof reals[0])

/* Conversions to a 32-bit integer: result and flags, in all four modes; out of range gives 2^31 - 1 and invalid. */
#define TO_WORD(name, text, type)                                                                                      \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};                              \
        volatile type values[REALS + 1];                                                                               \
        for (size_t i = 0; i < REALS; i++)                                                                             \
            values[i] = (type)reals[i];                                                                                \
        values[REALS] = fp_##type(FP_QNAN_##type);                                                                     \
        for (int m = 0; m < 4; m++) {                                                                                  \
            struct corpus_sum results = CORPUS_SUM_INIT, flags = CORPUS_SUM_INIT;                                      \
            fesetround(modes[m]);                                                                                      \
            for (size_t i = 0; i <= REALS; i++) {                                                                      \
                type x = values[i], d;                                                                                 \
                uint32_t r;                                                                                            \
                feclearexcept(FE_ALL_EXCEPT);                                                                          \
                __asm__ volatile(text " %1, %2\n mfc1 %0, %1" : "=r"(r), "=&f"(d) : "f"(x));                           \
                SUM(&flags, fp_flags(), "flags of %zu", i);                                                            \
                SUM(&results, r, "result of %zu", i);                                                                  \
            }                                                                                                          \
            fesetround(FE_TONEAREST);                                                                                  \
            corpus_sum_print("results", &results);                                                                     \
            corpus_sum_print("flags", &flags);                                                                         \
        }                                                                                                              \
    }
#define FP_QNAN_float  FP_QNAN32
#define FP_QNAN_double FP_QNAN64
TO_WORD(cvt_w_s, "cvt.w.s", float)
TO_WORD(cvt_w_d, "cvt.w.d", double)
TO_WORD(round_w_s, "round.w.s", float)
TO_WORD(round_w_d, "round.w.d", double)
TO_WORD(trunc_w_s, "trunc.w.s", float)
TO_WORD(trunc_w_d, "trunc.w.d", double)
TO_WORD(ceil_w_s, "ceil.w.s", float)
TO_WORD(ceil_w_d, "ceil.w.d", double)
TO_WORD(floor_w_s, "floor.w.s", float)
TO_WORD(floor_w_d, "floor.w.d", double)

/* Multiply-add rounds twice on these processors; the modes show it. NaN operands are left to insn_fp_nan.c. */
#define MULTIPLY_ADD(name, text, tag, type)                                                                            \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};                              \
        for (int m = 0; m < 4; m++) {                                                                                  \
            struct corpus_sum sum = CORPUS_SUM_INIT;                                                                   \
            fesetround(modes[m]);                                                                                      \
            for (size_t i = 0; i < FP_VALUES - 1; i += 2)                                                              \
                for (size_t j = 0; j < FP_VALUES - 1; j += 3)                                                          \
                    for (size_t k = 0; k < FP_VALUES - 1; k += 4) {                                                    \
                        type a = fp_##type(fp_values_##tag[i]), b = fp_##type(fp_values_##tag[j]), d;                  \
                        type c = fp_##type(fp_values_##tag[k]);                                                        \
                        __asm__ volatile(text " %0, %1, %2, %3" : "=&f"(d) : "f"(a), "f"(b), "f"(c));                  \
                        SUM(&sum, fp_bits_##tag(d), "%zu + %zu * %zu", i, j, k);                                       \
                    }                                                                                                  \
            fesetround(FE_TONEAREST);                                                                                  \
            corpus_sum_print(text, &sum);                                                                              \
        }                                                                                                              \
    }
MULTIPLY_ADD(madd_s, "madd.s", f32, float)
MULTIPLY_ADD(madd_d, "madd.d", f64, double)
MULTIPLY_ADD(msub_s, "msub.s", f32, float)
MULTIPLY_ADD(msub_d, "msub.d", f64, double)
MULTIPLY_ADD(nmadd_s, "nmadd.s", f32, float)
MULTIPLY_ADD(nmadd_d, "nmadd.d", f64, double)
MULTIPLY_ADD(nmsub_s, "nmsub.s", f32, float)
MULTIPLY_ADD(nmsub_d, "nmsub.d", f64, double)

/* Signs and moves of everything but NaNs. */
#define SIGNS(name, tag, type, letter)                                                                                 \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < FP_VALUES - 1; i++) {                                                                   \
            type x = fp_##type(fp_values_##tag[i]), a, n, m;                                                           \
            __asm__ volatile("abs." letter " %0, %3\n neg." letter " %1, %3\n mov." letter " %2, %3"                   \
                             : "=&f"(a), "=&f"(n), "=&f"(m)                                                            \
                             : "f"(x));                                                                                \
            SUM(&sum, fp_bits_##tag(a), "abs %zu", i);                                                                 \
            SUM(&sum, fp_bits_##tag(n), "neg %zu", i);                                                                 \
            SUM(&sum, fp_bits_##tag(m), "mov %zu", i);                                                                 \
        }                                                                                                              \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
SIGNS(signs_s, f32, float, "s")
SIGNS(signs_d, f64, double, "d")

/* Reciprocals need only be near; of powers of two they are exact. */
CASE(insn_reciprocals)
{
    for (int e = -20; e <= 20; e += 4) {
        float x = ldexpf(1, e), a, b;
        double y = ldexp(1, e * 2), c, d;
        __asm__ volatile("recip.s %0, %4\n rsqrt.s %1, %4\n recip.d %2, %5\n rsqrt.d %3, %5"
                         : "=&f"(a), "=&f"(b), "=&f"(c), "=&f"(d)
                         : "f"(x), "f"(y));
        printf("%a %a %a %a\n", (double)a, (double)b, c, d);
    }
}

/* Condition codes 0 to 7: written by a comparison, read by branches and moves. */
#define CONDITION_CODE(n)                                                                                              \
    CASE(insn_condition_code_##n)                                                                                      \
    {                                                                                                                  \
        for (int v = 0; v < 2; v++) {                                                                                  \
            double a = v, b = 1, x = 10, y = 20, z = 30;                                                               \
            float f = 1, g = 2;                                                                                        \
            uint32_t t = 0, u = 0, p = 100, q = 200;                                                                   \
            __asm__ volatile(".set push\n .set noreorder\n c.eq.d $fcc" #n ", %8, %9\n"                                \
                             "bc1t $fcc" #n ", 1f\n addiu %0, %0, 1\n addiu %0, %0, 2\n 1:\n"                          \
                             "bc1f $fcc" #n ", 2f\n addiu %0, %0, 4\n addiu %0, %0, 8\n 2:\n"                          \
                             "bc1tl $fcc" #n ", 3f\n addiu %1, %1, 1\n addiu %1, %1, 2\n 3:\n"                         \
                             "bc1fl $fcc" #n ", 4f\n addiu %1, %1, 4\n addiu %1, %1, 8\n 4:\n"                         \
                             "movt %2, $0, $fcc" #n "\n movf %3, $0, $fcc" #n "\n"                                     \
                             "movt.d %4, %10, $fcc" #n "\n movf.d %5, %10, $fcc" #n "\n"                               \
                             "movt.s %6, %7, $fcc" #n "\n .set pop"                                                    \
                             : "+&r"(t), "+&r"(u), "+&r"(p), "+&r"(q), "+&f"(x), "+&f"(y), "+&f"(f), "+&f"(g)          \
                             : "f"(a), "f"(b), "f"(z)                                                                  \
                             : "$fcc" #n);                                                                             \
            printf("%u %u %u %u %g %g %g\n", t, u, p, q, x, y, (double)f);                                             \
        }                                                                                                              \
    }
CONDITION_CODE(0)
CONDITION_CODE(1)
CONDITION_CODE(2)
CONDITION_CODE(3)
CONDITION_CODE(4)
CONDITION_CODE(5)
CONDITION_CODE(6)
CONDITION_CODE(7)

/* Moves that depend on an integer register. */
CASE(insn_conditional_moves)
{
    for (uint32_t v = 0; v < 2; v++) {
        double x = 1, y = 2, z = 9;
        float f = 3, g = 4, h = 8;
        __asm__ volatile("movz.d %0, %4, %6\n movn.d %1, %4, %6\n movz.s %2, %5, %6\n movn.s %3, %5, %6"
                         : "+&f"(x), "+&f"(y), "+&f"(f), "+&f"(g)
                         : "f"(z), "f"(h), "r"(v));
        printf("%g %g %g %g\n", x, y, (double)f, (double)g);
    }
}

/* The control registers are views of one: codes (25), causes and flags (26), enables and rounding (28), all (31). */
CASE(insn_control_registers)
{
    uint32_t a, b, c, d, kept;
    __asm__ volatile("cfc1 %0, $31" : "=r"(kept));
    __asm__ volatile("ctc1 $0, $31\n ctc1 %4, $25\n cfc1 %0, $31\n cfc1 %1, $25\n ctc1 %5, $28\n cfc1 %2, $31\n"
                     "ctc1 %6, $26\n cfc1 %3, $31"
                     : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
                     : "r"(0xa5), "r"(3), "r"(0x0000007c));
    __asm__ volatile("ctc1 %0, $31" : : "r"(kept));
    printf("%08x %08x %08x %08x\n", a, b, c, d);
    __asm__ volatile("ctc1 %3, $31\n cfc1 %0, $25\n cfc1 %1, $26\n cfc1 %2, $28"
                     : "=&r"(a), "=&r"(b), "=r"(c)
                     : "r"(0x00800056));
    __asm__ volatile("ctc1 %0, $31" : : "r"(kept));
    printf("%08x %08x %08x\n", a, b, c);
}

/* The causes of one operation replace those of the one before; the flags add up. */
CASE(insn_causes_and_flags)
{
    uint32_t kept, s[5];
    double one = 1, three = 3, zero = 0, huge = 1e308, r;
    __asm__ volatile("cfc1 %0, $31" : "=r"(kept));
    __asm__ volatile(
        "ctc1 $0, $31\n div.d %5, %6, %7\n cfc1 %0, $31\n div.d %5, %6, %8\n cfc1 %1, $31\n"
        "mul.d %5, %9, %9\n cfc1 %2, $31\n div.d %5, %8, %8\n cfc1 %3, $31\n add.d %5, %6, %6\n cfc1 %4, $31"
        : "=&r"(s[0]), "=&r"(s[1]), "=&r"(s[2]), "=&r"(s[3]), "=&r"(s[4]), "=&f"(r)
        : "f"(one), "f"(three), "f"(zero), "f"(huge));
    __asm__ volatile("ctc1 %0, $31" : : "r"(kept));
    for (int i = 0; i < 5; i++)
        printf("%08x ", s[i]);
    printf("\n");
}

CASE(insn_fp_memory)
{
    union {
        double d[4];
        float f[8];
        uint32_t w[8];
    } room __attribute__((aligned(16)));
    for (int i = 0; i < 8; i++)
        room.w[i] = 0x40000000u + (uint32_t)i * 0x01234567u;
    double d, e;
    float f, g;
    __asm__ volatile("ldc1 %0, 8(%4)\n lwc1 %1, 4(%4)\n ldxc1 %2, %5(%4)\n lwxc1 %3, %6(%4)"
                     : "=&f"(d), "=&f"(f), "=&f"(e), "=&f"(g)
                     : "r"(&room), "r"(16), "r"(12)
                     : "memory");
    printf("%a %a %a %a\n", d, (double)f, e, (double)g);
    __asm__ volatile("sdc1 %0, 24(%4)\n swc1 %1, 0(%4)\n sdxc1 %2, %5(%4)\n swxc1 %3, %6(%4)"
                     :
                     : "f"(d), "f"(f), "f"(e), "f"(g), "r"(&room), "r"(8), "r"(20)
                     : "memory");
    for (int i = 0; i < 8; i++)
        printf("%08x ", room.w[i]);
    printf("\n");
}

CASE(insn_fp_moves)
{
    double d = 0;
    uint32_t low, high, word;
    float f;
    __asm__ volatile("mtc1 %4, %0\n mthc1 %5, %0\n mfc1 %1, %0\n mfhc1 %2, %0\n mtc1 %5, %3"
                     : "=&f"(d), "=&r"(low), "=&r"(high), "=&f"(f)
                     : "r"(0x54442d18), "r"(0x400921fb));
    __asm__ volatile("mfc1 %0, %1" : "=r"(word) : "f"(f));
    printf("%a %08x %08x %08x\n", d, low, high, word);
}

/* Word to float and back through registers, at the ends of the range. */
CASE(insn_fp_from_word)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t i = 0; i < INSN_VALUES; i++) {
        float f;
        double d;
        __asm__ volatile("mtc1 %2, %0\n cvt.s.w %0, %0\n mtc1 %2, %1\n cvt.d.w %1, %1"
                         : "=&f"(f), "=&f"(d)
                         : "r"(insn_values[i]));
        SUM(&sum, fp_bits_f32(f), "cvt.s.w %x", insn_values[i]);
        SUM(&sum, fp_bits_f64(d), "cvt.d.w %x", insn_values[i]);
    }
    corpus_sum_print("conversions", &sum);
}

/*
 * 64-bit registers (FR = 1): odd registers are registers of their own, and the 64-bit integer format exists. The whole
 * exchange with such registers happens inside one asm, because the compiler knows only what both modes share.
 */
#define WIDE(name, text)                                                                                               \
    CASE_ALONE(insn_##name)                                                                                            \
    {                                                                                                                  \
        static const double wide[] = {                                                                                 \
            0.5,    -0.5,  1.5,     2.5, 1e10, -1e10 - 0.5, 4503599627370497.5, 9.2e18, -9.223372036854775808e18,      \
            9.3e18, -1e19, INFINITY};                                                                                  \
        int mode = prctl(PR_SET_FP_MODE, PR_FP_MODE_FR);                                                               \
        for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {                                                    \
            uint32_t low, high;                                                                                        \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            __asm__ volatile(".set push\n .set fp=64\n ldc1 $f4, 0(%2)\n" text "\n mfc1 %0, $f6\n mfhc1 %1, $f6\n"     \
                             ".set pop"                                                                                \
                             : "=&r"(low), "=&r"(high)                                                                 \
                             : "r"(&wide[i])                                                                           \
                             : "$f4", "$f6", "memory");                                                                \
            printf("%d %08x%08x %u\n", mode, high, low, fp_flags());                                                   \
        }                                                                                                              \
    }
WIDE(cvt_l_d, "cvt.l.d $f6, $f4")
WIDE(round_l_d, "round.l.d $f6, $f4")
WIDE(trunc_l_d, "trunc.l.d $f6, $f4")
WIDE(ceil_l_d, "ceil.l.d $f6, $f4")
WIDE(floor_l_d, "floor.l.d $f6, $f4")
WIDE(cvt_l_s, "cvt.s.d $f4, $f4\n cvt.l.s $f6, $f4")
WIDE(cvt_d_l, "trunc.l.d $f6, $f4\n cvt.d.l $f6, $f6")
WIDE(cvt_s_l, "trunc.l.d $f6, $f4\n cvt.s.l $f6, $f6\n cvt.d.s $f6, $f6")

CASE_ALONE(insn_odd_registers)
{
    static const double v[2] = {1.5, 2.25};
    double sum, product;
    int mode = prctl(PR_SET_FP_MODE, PR_FP_MODE_FR);
    __asm__ volatile(
        ".set push\n .set fp=64\n .set oddspreg\n ldc1 $f4, 0(%2)\n ldc1 $f5, 8(%2)\n add.d $f6, $f4, $f5\n"
        "mul.d $f7, $f4, $f5\n sdc1 $f6, %0\n sdc1 $f7, %1\n .set pop"
        : "=m"(sum), "=m"(product)
        : "r"(v)
        : "$f4", "$f6", "memory");
    printf("%d %g %g\n", mode, sum, product);
    /* With 32-bit registers the odd one is the upper half of the even one. */
    mode = prctl(PR_SET_FP_MODE, 0);
    uint32_t low, high;
    __asm__ volatile(".set push\n .set fp=32\n ldc1 $f4, 0(%2)\n mfc1 %0, $f4\n mfc1 %1, $f5\n .set pop"
                     : "=&r"(low), "=&r"(high)
                     : "r"(v)
                     : "$f4");
    printf("%d %08x %08x\n", mode, low, high);
}
