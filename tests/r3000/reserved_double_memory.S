/* Loads and stores of 64 bits raise RI, also for coprocessors: ldc1, sdc1, ldc2, sdc2.
 * gxemul: no (it stops at some of them) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0xd5000000          /* ldc1 $f0, 0($t0) */
        EXPECT  EXC_RI, .word 0xf5000000          /* sdc1 $f0, 0($t0) */
        EXPECT  EXC_RI, .word 0xd9000000          /* ldc2 */
        EXPECT  EXC_RI, .word 0xf9000000          /* sdc2 */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 4
TEST_END
