/* eret, the return of MIPS III, raises RI: the R3000 returns by a jump and rfe.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        EXPECT  EXC_SYS, syscall        /* EPC leads somewhere else */
        EXPECT  EXC_RI, .word 0x42000018 /* eret */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_STATE S_COUNT, 2
TEST_END
