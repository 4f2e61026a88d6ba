/* The conditional traps of MIPS II raise RI, whatever their operands are.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x01090030          /* tge $t0, $t1 */
        EXPECT  EXC_RI, .word 0x01090031          /* tgeu */
        EXPECT  EXC_RI, .word 0x01090032          /* tlt */
        EXPECT  EXC_RI, .word 0x01090033          /* tltu */
        EXPECT  EXC_RI, .word 0x01090034          /* teq */
        EXPECT  EXC_RI, .word 0x01090036          /* tne */
        EXPECT  EXC_RI, .word 0x01080034          /* teq $t0, $t0 */
        EXPECT  EXC_RI, .word 0x05080000          /* tgei $t0, 0 */
        EXPECT  EXC_RI, .word 0x05090000          /* tgeiu */
        EXPECT  EXC_RI, .word 0x050a0000          /* tlti */
        EXPECT  EXC_RI, .word 0x050b0000          /* tltiu */
        EXPECT  EXC_RI, .word 0x050c0000          /* teqi */
        EXPECT  EXC_RI, .word 0x050e0000          /* tnei */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 13
TEST_END
