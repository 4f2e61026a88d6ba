/* rfe into user mode, from the states whose previous pair says so: the user's syscall shows in Status what rfe had made
 * of the stack. */
#include "test.h"
TEST
        MAP_PROGRAM
        la      $s1, USER(user)
        .irp    state, 0x08, 0x0c, 0x18, 0x1c, 0x28, 0x2c, 0x38, 0x3c
        RESUME_AT 1f
        SET_CP0 C0_STATUS, \state
        jr      $s1
        rfe
1:      CHECK_EXCEPTION EXC_SYS, USER(user)
        CHECK_STATE_BITS S_STATUS, ST_STACK, \state & 0x3c
        .endr
        b       2f
        nop
user:   syscall
2:
TEST_END
