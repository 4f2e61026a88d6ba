/* What only MIPS I and II have is reserved, or means something else: rfe, the condition of coprocessor 0 (bc0f, bc0t), and
 * coprocessor 3 (lwc3 is pref now, cop3 is COP1X). */
#include "test.h"
TEST
        li      $t0, 0x12345678
        EXPECT  EXC_RI, .word 0x42000010        /* rfe */
        EXPECT  EXC_RI, .word 0x41000000        /* bc0f */
        EXPECT  EXC_RI, .word 0x41010000        /* bc0t */
        EXPECT  EXC_RI, .word 0xed080000        /* swc3 */
        .word   0xcd080000                      /* lwc3 */
        CHECK   $t0, 0x12345678
        SET_STATUS ST_CU1
        EXPECT  EXC_RI, .word 0x4c000002        /* cop3 */
        EXPECT  EXC_RI, .word 0x4600001b        /* cop1: an operation that is not there, which the R3010 calls unimplemented */
TEST_END
