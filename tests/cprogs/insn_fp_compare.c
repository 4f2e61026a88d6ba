/*
 * The sixteen comparisons in both formats: every pair of special operands, the condition and the invalid flag. The
 * second eight raise invalid for quiet NaNs too.
 */
#include "corpus.h"
#include "fp.h"

#define COMPARE(condition, letter, type, tag)                                                                          \
    CASE(insn_c_##condition##_##letter)                                                                                \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT, flags = CORPUS_SUM_INIT;                                              \
        unsigned holds = 0;                                                                                            \
        for (size_t i = 0; i < FP_VALUES; i++)                                                                         \
            for (size_t j = 0; j < FP_VALUES; j++) {                                                                   \
                type a = fp_##type(fp_values_##tag[i]), b = fp_##type(fp_values_##tag[j]);                             \
                uint32_t status;                                                                                       \
                feclearexcept(FE_ALL_EXCEPT);                                                                          \
                __asm__ volatile("c." #condition "." #letter " %1, %2\n cfc1 %0, $31"                                  \
                                 : "=r"(status)                                                                        \
                                 : "f"(a), "f"(b)                                                                      \
                                 : "$fcc0");                                                                           \
                SUM(&sum, status >> 23 & 1, "%zu, %zu", i, j);                                                         \
                SUM(&flags, fp_flags(), "flags of %zu, %zu", i, j);                                                    \
                holds += status >> 23 & 1;                                                                             \
            }                                                                                                          \
        printf("holds %u\n", holds);                                                                                   \
        corpus_sum_print("conditions", &sum);                                                                          \
        corpus_sum_print("flags", &flags);                                                                             \
    }
#define BOTH(condition) COMPARE(condition, s, float, f32) COMPARE(condition, d, double, f64)

BOTH(f)
BOTH(un)
BOTH(eq)
BOTH(ueq)
BOTH(olt)
BOTH(ult)
BOTH(ole)
BOTH(ule)
BOTH(sf)
BOTH(ngle)
BOTH(seq)
BOTH(ngl)
BOTH(lt)
BOTH(nge)
BOTH(le)
BOTH(ngt)
