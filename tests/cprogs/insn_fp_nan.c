/*
 * NaNs in the legacy MIPS encoding, to the bit: a quiet NaN has the top bit of its fraction 0. Operations on a
 * signalling one, and invalid ones, give the default NaN, 7fbfffff or 7ff7ffffffffffff; a quiet operand is passed on.
 */
#include "corpus.h"
#include "fp.h"

static const uint32_t narrow[] = {0x7fbfffff, 0x7f800001, 0xffb12345, 0x7fc00000, 0xffffffff, 0x3f800000, 0x7f800000};
static const uint64_t wide[] = {
    0x7ff7ffffffffffff, 0x7ff0000000000001, 0xfff123456789abcd, 0x7ff8000000000000,
    0xffffffffffffffff, 0x3ff0000000000000, 0x7ff0000000000000,
};
#define NANS (sizeof narrow / sizeof narrow[0])

/*
 * Bits and flags of one operation on every pair with at least one NaN. The only quiet NaN among the operands is the
 * default one: whether another one's payload is passed on or dropped is a choice that implementations make differently.
 */
#define BINARY(name, text, type, print, values)                                                                        \
    CASE(insn_nan_##name)                                                                                              \
    {                                                                                                                  \
        for (size_t i = 0; i < NANS; i++)                                                                              \
            for (size_t j = 0; j < NANS; j++) {                                                                        \
                type a = fp_##type(values[i]), b = fp_##type(values[j]), r;                                            \
                if (i == 1 || i == 2 || j == 1 || j == 2 || (i >= 5 && j >= 5))                                        \
                    continue;                                                                                          \
                feclearexcept(FE_ALL_EXCEPT);                                                                          \
                __asm__ volatile(text " %0, %1, %2" : "=f"(r) : "f"(a), "f"(b));                                       \
                unsigned flags = fp_flags();                                                                           \
                printf("%zu%zu ", i, j);                                                                               \
                print(r);                                                                                              \
                printf(" %u\n", flags);                                                                                \
            }                                                                                                          \
    }
static void print_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf("%08x", bits);
}

static void print_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf("%016llx", (unsigned long long)bits);
}

#define NARROW(name, text) BINARY(name, text, float, print_float, narrow)
#define WIDE(name, text)   BINARY(name, text, double, print_double, wide)
NARROW(add_s, "add.s")
NARROW(sub_s, "sub.s")
NARROW(mul_s, "mul.s")
NARROW(div_s, "div.s")
WIDE(add_d, "add.d")
WIDE(sub_d, "sub.d")
WIDE(mul_d, "mul.d")
WIDE(div_d, "div.d")

CASE(insn_nan_sqrt)
{
    for (size_t i = 0; i < NANS; i++) {
        float a = fp_float(narrow[i]), r;
        double b = fp_double(wide[i]), q;
        if (i == 1 || i == 2)
            continue;
        feclearexcept(FE_ALL_EXCEPT);
        __asm__ volatile("sqrt.s %0, %2\n sqrt.d %1, %3" : "=&f"(r), "=&f"(q) : "f"(a), "f"(b));
        unsigned flags = fp_flags();
        uint32_t r_bits;
        uint64_t q_bits;
        memcpy(&r_bits, &r, sizeof r);
        memcpy(&q_bits, &q, sizeof q);
        printf("%08x %016llx %u\n", r_bits, (unsigned long long)q_bits, flags);
    }
}

/* Conversions between the formats: a signalling NaN raises invalid. The payload of a quiet one is not looked at. */
CASE(insn_nan_convert_signalling)
{
    for (size_t i = 3; i < 5; i++) {
        float a = fp_float(narrow[i]), r;
        double b = fp_double(wide[i]), q;
        feclearexcept(FE_ALL_EXCEPT);
        __asm__ volatile("cvt.d.s %1, %2\n cvt.s.d %0, %3" : "=&f"(r), "=&f"(q) : "f"(a), "f"(b));
        unsigned flags = fp_flags();
        uint32_t r_bits;
        uint64_t q_bits;
        memcpy(&r_bits, &r, sizeof r);
        memcpy(&q_bits, &q, sizeof q);
        printf("%08x %016llx %u\n", r_bits, (unsigned long long)q_bits, flags);
    }
}

/* Invalid operations without any NaN operand. */
CASE(insn_nan_generated)
{
    float zero = 0, infinite = INFINITY, minus = -1, r[4];
    double dzero = 0, dinfinite = INFINITY, dminus = -1, q[4];
    __asm__ volatile("div.s %0, %4, %4\n sub.s %1, %5, %5\n mul.s %2, %4, %5\n sqrt.s %3, %6"
                     : "=&f"(r[0]), "=&f"(r[1]), "=&f"(r[2]), "=&f"(r[3])
                     : "f"(zero), "f"(infinite), "f"(minus));
    __asm__ volatile("div.d %0, %4, %4\n sub.d %1, %5, %5\n mul.d %2, %4, %5\n sqrt.d %3, %6"
                     : "=&f"(q[0]), "=&f"(q[1]), "=&f"(q[2]), "=&f"(q[3])
                     : "f"(dzero), "f"(dinfinite), "f"(dminus));
    for (int i = 0; i < 4; i++) {
        uint32_t r_bits;
        uint64_t q_bits;
        memcpy(&r_bits, &r[i], sizeof r_bits);
        memcpy(&q_bits, &q[i], sizeof q_bits);
        printf("%08x %016llx\n", r_bits, (unsigned long long)q_bits);
    }
}

/* Loads, stores and moves do not touch NaNs of either kind. */
CASE(insn_nan_moves)
{
    feclearexcept(FE_ALL_EXCEPT);
    for (size_t i = 0; i < NANS; i++) {
        float r;
        double q;
        uint32_t r_bits;
        uint64_t q_bits;
        __asm__ volatile("lwc1 %0, %2\n mov.s %0, %0\n ldc1 %1, %3\n mov.d %1, %1"
                         : "=&f"(r), "=&f"(q)
                         : "m"(narrow[i]), "m"(wide[i]));
        memcpy(&r_bits, &r, sizeof r);
        memcpy(&q_bits, &q, sizeof q);
        printf("%08x %016llx\n", r_bits, (unsigned long long)q_bits);
    }
    printf("%u\n", fp_flags());
}
