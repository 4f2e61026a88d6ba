/* Major opcodes without an instruction raise RI.
 * gxemul: no (it stops at some of them) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT  EXC_RI, .word 0x60000000          /* 030 */
        EXPECT  EXC_RI, .word 0x64000000          /* 031 */
        EXPECT  EXC_RI, .word 0x68000000          /* 032 (ldl) */
        EXPECT  EXC_RI, .word 0x6c000000          /* 033 (ldr) */
        EXPECT  EXC_RI, .word 0x70000000          /* 034 */
        EXPECT  EXC_RI, .word 0x74000000          /* 035 */
        EXPECT  EXC_RI, .word 0x78000000          /* 036 */
        EXPECT  EXC_RI, .word 0x7c000000          /* 037 */
        EXPECT  EXC_RI, .word 0x9d090000          /* 047 (lwu) */
        EXPECT  EXC_RI, .word 0xb1090000          /* 054 (sdl) */
        EXPECT  EXC_RI, .word 0xb5090000          /* 055 (sdr) */
        EXPECT  EXC_RI, .word 0xd1090000          /* 064 (lld) */
        EXPECT  EXC_RI, .word 0xdd090000          /* 067 (ld) */
        EXPECT  EXC_RI, .word 0xf1090000          /* 074 (scd) */
        EXPECT  EXC_RI, .word 0xfd090000          /* 077 (sd) */
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 15
TEST_END
