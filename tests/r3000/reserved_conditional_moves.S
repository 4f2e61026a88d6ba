/* Conditional moves, movci and the trap-free selections of later architectures raise RI.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x0000480a          /* movz $t1, $zero, $zero */
        EXPECT  EXC_RI, .word 0x0008480b          /* movn $t1, $zero, $t0 */
        EXPECT  EXC_RI, .word 0x00004801          /* movf $t1, $zero, 0 */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 3
TEST_END
