/* An address error sets BadVAddr and leaves EntryHi and Context as they are: these belong to the TLB's exceptions.
 * gxemul: no (its address errors set EntryHi and Context) */
#include "test.h"
TEST
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 9)
        SET_CP0 C0_CONTEXT, 0x7fe00000
        MAP     3, HI(0x00400000, 9), LO(FREE_PA, LO_RW)
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 9)
        mfc0    $t3, C0_CONTEXT
        li      $t0, KSEG0(FREE_PA)
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 2, lw $t1, 2($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 9)
        lw      $t4, S_CONTEXT($gp)
        nop
        CHECK_SAME $t4, $t3
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, sh $t1, 1($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 9)
        lw      $t4, S_CONTEXT($gp)
        nop
        CHECK_SAME $t4, $t3
        li      $t0, 0x00400000         /* in mapped memory too */
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, 0x00400002, lw $t1, 2($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 9)
        lw      $t4, S_CONTEXT($gp)
        nop
        CHECK_SAME $t4, $t3
TEST_END
