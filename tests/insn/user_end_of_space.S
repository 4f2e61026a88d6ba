/* Straight-line code runs over the end of user space: the fetch at 0x80000000 is an address error in user mode. */
#include "test.h"
TEST
        MAP     1, 0x7fffe000, LO(FREE_PA, LO_RW), LO(FREE_PA, LO_RW)
        SET_ASID 0
        li      $t0, KSEG0(FREE_PA)
        sw      $zero, 0xff8($t0)
        li      $t1, 0x24420001         /* addiu $v0, $v0, 1 */
        sw      $t1, 0xffc($t0)
        synci   0xff8($t0)
        sync
        RESUME_AT 1f
        li      $v0, 0
        li      $t0, 0x7ffffff8
        mtc0    $t0, C0_EPC
        SET_STATUS ST_UM | ST_EXL
        eret
1:      CHECK_EXCEPTION EXC_ADEL, 0x80000000
        CHECK_STATE S_BADVADDR, 0x80000000
        CHECK   $v0, 1
TEST_END
