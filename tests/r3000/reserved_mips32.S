/* What MIPS32 added to SPECIAL2 and SPECIAL3 raises RI: mul, madd, clz, ext, ins, seb, rdhwr. */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x71094802          /* mul $t1, $t0, $t1 */
        EXPECT  EXC_RI, .word 0x71090000          /* madd */
        EXPECT  EXC_RI, .word 0x71090001          /* maddu */
        EXPECT  EXC_RI, .word 0x71090004          /* msub */
        EXPECT  EXC_RI, .word 0x71094820          /* clz */
        EXPECT  EXC_RI, .word 0x71094821          /* clo */
        EXPECT  EXC_RI, .word 0x7000003f          /* sdbbp */
        EXPECT  EXC_RI, .word 0x7d093800          /* ext */
        EXPECT  EXC_RI, .word 0x7d093804          /* ins */
        EXPECT  EXC_RI, .word 0x7c094c20          /* seb */
        EXPECT  EXC_RI, .word 0x7c094e20          /* seh */
        EXPECT  EXC_RI, .word 0x7c0948a0          /* wsbh */
        EXPECT  EXC_RI, .word 0x7c09e83b          /* rdhwr $t1, $29 */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 13
TEST_END
