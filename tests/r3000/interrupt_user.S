/* Interrupts reach user mode by the same bits: without IEc none, with IEc the masks decide.
 * gxemul: no (it looks for requests only between its stretches of code) */
#include "test.h"
TEST
        MAP_PROGRAM
        SET_CP0 C0_CAUSE, CA_IP(0)
        RUN_USER user, ST_IM(0)         /* IEp clear: off */
        CHECK_EXCEPTION EXC_SYS, USER(end)
        CHECK_STATE_BITS S_CAUSE, 0x300, CA_IP(0)
        RUN_USER user, ST_IM(1) | ST_IEP
        CHECK_EXCEPTION EXC_SYS, USER(end)
        RUN_USER user, ST_IM(0) | ST_IEP
        CHECK_STATE_BITS S_CAUSE, 0x7c, EXC_INT << 2
        SET_CP0 C0_CAUSE, 0
        b       9f
        nop
user:   nop
        nop
        nop
        nop
end:    syscall
9:
TEST_END
