/* An exception of the slot's instruction does not lose the load: the handler's instructions see the new value, as the
 * load is ahead of them. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        .macro  SLOT_FAULT code, insn:vararg
        li      $t2, 0x33
        RESUME_AT 1f
        lw      $t2, 0($t0)
        \insn
        FAIL
1:      CHECK_STATE_BITS S_CAUSE, 0x7c, \code << 2
        CHECK   $t2, 0x11
        .endm
        SLOT_FAULT EXC_SYS, syscall
        SLOT_FAULT EXC_BP, break
        SLOT_FAULT EXC_ADEL, lw $t3, 1($t0)
        SLOT_FAULT EXC_RI, .word 0x0000003f
        SLOT_FAULT EXC_TLBL, lw $t3, 0($zero)
TEST_END
