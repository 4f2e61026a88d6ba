/* A store to a valid page that is not dirty: Mod through the general vector, memory unchanged; loads and fetches work,
 * and the store works once D is set. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x03e00008         /* jr $ra */
        sw      $t1, 0($t0)
        sw      $zero, 4($t0)
        synci   0($t0)
        sync
        MAP     1, VA, LO(FREE_PA, LO_V), LO(FREE_PA, LO_V)
        li      $t0, VA
        lw      $t1, 4($t0)
        CHECK   $t1, 0
        li      $t1, 0x99
        EXPECT  EXC_MOD, sw $t1, 4($t0)
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_BADVADDR, VA + 4
        CHECK_STATE S_ENTRYHI, VA
        EXPECT  EXC_MOD, sb $t1, 0x1007($t0)
        CHECK_STATE S_BADVADDR, VA + 0x1007
        EXPECT  EXC_MOD, swl $t1, 6($t0)
        CHECK_STATE S_BADVADDR, VA + 6
        lw      $t1, 4($t0)
        CHECK   $t1, 0
        jalr    $t0
        nop
        MAP     1, VA, LO(FREE_PA, LO_RW), LO(FREE_PA, LO_V)
        li      $t1, 0x99
        sw      $t1, 4($t0)
        lw      $t1, 4($t0)
        CHECK   $t1, 0x99
        EXPECT  EXC_MOD, sw $t1, 0x1004($t0)
TEST_END
