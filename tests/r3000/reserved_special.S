/* Functions of SPECIAL that no instruction of the R3000 has raise RI.
 * gxemul: no (it stops at some of them) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x01095001          /* 001 */
        EXPECT  EXC_RI, .word 0x01095005          /* 005 */
        EXPECT  EXC_RI, .word 0x0000000e          /* 016 */
        EXPECT  EXC_RI, .word 0x01095014          /* 024 (dsllv) */
        EXPECT  EXC_RI, .word 0x01095015          /* 025 */
        EXPECT  EXC_RI, .word 0x01095016          /* 026 (dsrlv) */
        EXPECT  EXC_RI, .word 0x01095017          /* 027 */
        EXPECT  EXC_RI, .word 0x0109001c          /* 034 (dmult) */
        EXPECT  EXC_RI, .word 0x0109001d          /* 035 */
        EXPECT  EXC_RI, .word 0x0109001e          /* 036 (ddiv) */
        EXPECT  EXC_RI, .word 0x0109001f          /* 037 */
        EXPECT  EXC_RI, .word 0x01095028          /* 050 */
        EXPECT  EXC_RI, .word 0x01095029          /* 051 */
        EXPECT  EXC_RI, .word 0x0109502c          /* 054 (dadd) */
        EXPECT  EXC_RI, .word 0x0109502d          /* 055 (daddu) */
        EXPECT  EXC_RI, .word 0x0109502e          /* 056 */
        EXPECT  EXC_RI, .word 0x0109502f          /* 057 */
        EXPECT  EXC_RI, .word 0x01090035          /* 065 */
        EXPECT  EXC_RI, .word 0x01090037          /* 067 */
        EXPECT  EXC_RI, .word 0x00095038          /* 070 (dsll) */
        EXPECT  EXC_RI, .word 0x00095039          /* 071 */
        EXPECT  EXC_RI, .word 0x0009503a          /* 072 (dsrl) */
        EXPECT  EXC_RI, .word 0x0009503b          /* 073 */
        EXPECT  EXC_RI, .word 0x0009503c          /* 074 (dsll32) */
        EXPECT  EXC_RI, .word 0x0009503d          /* 075 */
        EXPECT  EXC_RI, .word 0x0009503e          /* 076 */
        EXPECT  EXC_RI, .word 0x0009503f          /* 077 */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 27
TEST_END
