/* Every exception that an instruction can raise is raised in user mode as in kernel mode: Sys, Bp, Ov, AdEL, AdES,
 * TLBL, TLBS, Mod, also in a delay slot; the handler runs in kernel mode and Status says where it came from. */
#include "test.h"
        .macro  IN_USER label, code, bd=0
        RUN_USER \label
        CHECK_EXCEPTION \code, USER(\label), \bd
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP
        .endm
TEST
        MAP_PROGRAM
        MAP     1, 0x00701000, LO(FREE_PA, LO_V)
        SET_ASID 0
        li      $t0, 0x00700000
        li      $t2, 0x7fffffff
        IN_USER u0, EXC_SYS
        IN_USER u1, EXC_BP
        IN_USER u2, EXC_OV
        IN_USER u3, EXC_ADEL
        IN_USER u4, EXC_ADES
        IN_USER u5, EXC_TLBL
        IN_USER u6, EXC_TLBS
        IN_USER u7, EXC_MOD
        IN_USER u8, EXC_SYS, 1
        b       9f
        nop
u0:     syscall
u1:     break
u2:     add     $t3, $t2, $t2
u3:     lw      $t3, 1($t0)
u4:     sw      $t3, 2($t0)
u5:     lw      $t3, 0($t0)
u6:     sw      $t3, 0($t0)
u7:     sw      $t3, 0x1000($t0)
u8:     b       u0
        syscall
9:
TEST_END
