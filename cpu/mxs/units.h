/*
 * Functional units, for machines that limit their number.
 */
#ifndef SIMOS_CPU_MXS_UNITS_H
#define SIMOS_CPU_MXS_UNITS_H

#include "cpu/isa.h"

enum mxs_unit {
    UNIT_INTEGER,
    UNIT_SHIFT,
    UNIT_MULTIPLY, /* integer multiply and divide */
    UNIT_MEMORY,   /* address calculation */
    UNIT_FP_ADD,   /* also convert, compare, move */
    UNIT_FP_MULTIPLY,
    UNIT_FP_DIVIDE /* also square root */
};

extern const uint8_t mxs_unit_of[CLASSES];

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
