/* The same from user mode: KUc is pushed into KUp, and the handler runs in kernel mode. */
#include "test.h"
TEST
        MAP_PROGRAM
        .irp    low, 0x08, 0x0c, 0x28, 0x3c
        RUN_USER 1f, \low
        CHECK_EXCEPTION EXC_SYS, USER(1f)
        CHECK_STATE_BITS S_STATUS, ST_STACK, (ST_KUP | \low) & 0x3c
        .endr
        b       2f
        nop
1:      syscall
        nop
2:
TEST_END
