/* The cache instruction of later architectures raise RI: caches are managed by isolating them.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0xbd000000          /* cache 0, 0($t0) */
        EXPECT  EXC_RI, .word 0xbd190000          /* cache 0x19, 0($t0) */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 2
TEST_END
