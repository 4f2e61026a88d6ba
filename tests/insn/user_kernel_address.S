/* User mode at kseg0, kseg1, kseg2: AdEL for loads and fetches, AdES for stores, with BadVAddr, whatever is mapped. */
#include "test.h"
.macro USER_ACCESS code, address, insn:vararg
        b       2f
        nop
1:      \insn
        syscall
2:      li      $t0, \address
        li      $t1, 0x1234
        RUN_USER 1b
        CHECK_EXCEPTION \code, USER(1b)
        CHECK_STATE S_BADVADDR, \address
        CHECK   $t1, 0x1234
.endm
TEST
        MAP_PROGRAM
        MAP     1, 0xc0000000, LO(FREE_PA, LO_RW | LO_G), LO(FREE_PA, LO_RW | LO_G)
        SET_ASID 0
        li      $t0, KSEG0(FREE_PA)     /* as the kernel has just done */
        sw      $zero, 0($t0)
        lw      $t1, 0($t0)
        li      $t0, 0xc0000000
        sw      $zero, 0($t0)
        lw      $t1, 0($t0)
        USER_ACCESS EXC_ADEL, KSEG0(FREE_PA), lw $t1, 0($t0)
        USER_ACCESS EXC_ADES, KSEG0(FREE_PA), sw $t1, 0($t0)
        USER_ACCESS EXC_ADEL, KSEG1(FREE_PA), lbu $t1, 0($t0)
        USER_ACCESS EXC_ADES, KSEG1(FREE_PA), sb $t1, 0($t0)
        USER_ACCESS EXC_ADEL, 0xc0000000, lw $t1, 0($t0)
        USER_ACCESS EXC_ADES, 0xc0000000, sw $t1, 0($t0)
        USER_ACCESS EXC_ADEL, 0xfffffffc, lw $t1, 0($t0)
        li      $t0, 0xc0000000
        lw      $t1, 0($t0)
        CHECK   $t1, 0
TEST_END
