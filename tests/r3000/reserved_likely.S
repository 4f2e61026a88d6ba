/* Branch-likely of MIPS II raises RI, taken or not.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x51080001          /* beql $t0, $t0 */
        EXPECT  EXC_RI, .word 0x51090001          /* beql $t0, $t1 */
        EXPECT  EXC_RI, .word 0x55090001          /* bnel */
        EXPECT  EXC_RI, .word 0x59000001          /* blezl */
        EXPECT  EXC_RI, .word 0x5d000001          /* bgtzl */
        EXPECT  EXC_RI, .word 0x05020001          /* bltzl */
        EXPECT  EXC_RI, .word 0x05030001          /* bgezl */
        EXPECT  EXC_RI, .word 0x05120001          /* bltzall */
        EXPECT  EXC_RI, .word 0x05130001          /* bgezall */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 9
TEST_END
