/* Of a coprocessor that is not usable, encodings that do not exist too raise CpU: it comes before RI. */
#include "test.h"
TEST
        MAP_PROGRAM
        EXPECT  EXC_CPU, .word 0x46000018       /* COP1.S 18 */
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 1
        EXPECT  EXC_CPU, .word 0x4c000002       /* COP1X 02 */
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 1
        b       2f
        nop
1:      .word   0x4200000f                      /* C0 0f */
        syscall
2:      RUN_USER 1b
        CHECK_EXCEPTION EXC_CPU, USER(1b)
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 0
        RUN_USER 1b, ST_CU0
        CHECK_EXCEPTION EXC_RI, USER(1b)
        SET_STATUS ST_CU1
        EXPECT  EXC_RI, .word 0x46000018
        EXPECT  EXC_RI, .word 0x4c000002
        EXPECT  EXC_RI, .word 0x4200000f
TEST_END
