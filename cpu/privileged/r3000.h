/*
 * What the files of the R3000 share: the bits of its Status register, and its table of CP0 registers.
 */
#ifndef SIMOS_CPU_PRIVILEGED_R3000_H
#define SIMOS_CPU_PRIVILEGED_R3000_H

#include "cpu/privileged/cp0.h"

/* Status. IE: interrupts are enabled, KU: user mode; now, before the last exception, and before the one before it. */
enum {
    R3000_IEC = 1 << 0,
    R3000_KUC = 1 << 1,
    R3000_IEP = 1 << 2,
    R3000_KUP = 1 << 3,
    R3000_IEO = 1 << 4,
    R3000_KUO = 1 << 5,
    R3000_KU_IE = 63,
    R3000_KU_IE_STEP = 2,
    R3000_ISC = 1 << 16, /* isolate the data cache */
    R3000_SWC = 1 << 17, /* swap the caches */
    R3000_PZ = 1 << 18,  /* cache parity is 0 */
    R3000_CM = 1 << 19,  /* the last load with an isolated cache missed */
};

/* Indexed by number; rows without a name are not implemented. */
extern const struct cp0_register r3000_cp0[CP0_COUNT_OF_REGISTERS];

#endif
