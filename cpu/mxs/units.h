/*
 * Functional units, for machines that limit their number.
 */
#ifndef SIMOS_CPU_MXS_UNITS_H
#define SIMOS_CPU_MXS_UNITS_H

#include "cpu/isa.h"

/* Can a unit accept an instruction of CLASS every cycle? Multiplications, divisions and square roots occupy it until
 * they are done. */
static inline bool mxs_is_pipelined(unsigned class)
{
    switch (class) {
    case CLASS_MULTIPLY:
    case CLASS_DIVIDE:
    case CLASS_FP_DIVIDE_S:
    case CLASS_FP_DIVIDE_D:
    case CLASS_FP_SQRT_S:
    case CLASS_FP_SQRT_D: return false;
    default: return true;
    }
}

#endif
