/* ll and sc of MIPS II raise RI in kernel mode: their opcodes are the load and store of coprocessor 0, which has
 * none. */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0xc1090000          /* ll $t1, 0($t0) */
        EXPECT  EXC_RI, .word 0xe1090000          /* sc $t1, 0($t0) */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 2
TEST_END
