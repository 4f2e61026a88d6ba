/* CP0 instructions in user mode, in delay slots too: coprocessor 0 unusable (CE = 0), none has an effect. */
#include "test.h"
.macro USER_CP0 insn:vararg
        b       2f
        nop
1:      \insn
        syscall
2:      RUN_USER 1b
        CHECK_EXCEPTION EXC_CPU, USER(1b)
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 0
.endm
.macro USER_CP0_IN_SLOT insn:vararg
        b       2f
        nop
1:      b       3f
        \insn
3:      syscall
2:      RUN_USER 1b
        CHECK_EXCEPTION EXC_CPU, USER(1b), 1
.endm
TEST
        MAP_PROGRAM
        li      $t1, 0x1234
        mtc0    $t1, C0_COMPARE
        USER_CP0 mfc0 $t1, C0_PRID
        CHECK   $t1, 0x1234
        USER_CP0 mtc0 $zero, C0_COMPARE
        USER_CP0 di $t1
        USER_CP0 ei
        USER_CP0 tlbwi
        USER_CP0 tlbwr
        USER_CP0 tlbp
        USER_CP0 tlbr
        USER_CP0 eret
        USER_CP0 wait
        USER_CP0 cache 0, 0($t1)
        USER_CP0 rdpgpr $t1, $t1
        USER_CP0 wrpgpr $t1, $t1
        USER_CP0_IN_SLOT mfc0 $t1, C0_PRID
        CHECK   $t1, 0x1234
        USER_CP0_IN_SLOT mtc0 $zero, C0_ENTRYLO0
        USER_CP0_IN_SLOT tlbwr
        mfc0    $t1, C0_COMPARE
        CHECK   $t1, 0x1234
TEST_END
