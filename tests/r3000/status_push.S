/* An exception pushes the stack of Status: old pair <- previous <- current, and current becomes kernel mode with
 * interrupts off. All 16 states of previous and current. */
#include "test.h"
TEST
        .macro  PUSH_FROM low           /* IEc, KUc in \low with IEp, KUp; user mode is entered by rfe below */
        SET_CP0 C0_STATUS, \low
        EXPECT  EXC_SYS, syscall
        CHECK_STATE_BITS S_STATUS, ST_STACK, (\low & 0xf) << 2
        .endm
        .irp    low, 0x00, 0x01, 0x04, 0x05, 0x08, 0x09, 0x0c, 0x0d, 0x30, 0x3d
        PUSH_FROM \low
        .endr
TEST_END
