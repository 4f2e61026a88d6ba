/* syscall: ExcCode 8 whatever its code field; the field is in the instruction at EPC. */
#include "test.h"
TEST
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, 0x180
        EXPECT  EXC_SYS, syscall 0x12345
        lw      $t0, S_EPC($gp)
        lw      $t0, 0($t0)
        CHECK   $t0, 0x12345 << 6 | 0x0c
        lw      $t0, S_STATUS($gp)      /* EXL was set in the handler */
        CHECK_BITS $t0, ST_EXL | ST_IE | ST_UM, ST_EXL
        mfc0    $t0, C0_STATUS
        CHECK_BITS $t0, ST_EXL, 0
TEST_END
