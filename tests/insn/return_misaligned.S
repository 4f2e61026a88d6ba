/* Returns (jr $ra) to addresses that are not a multiple of 4: AdEL at the target, whatever calls are outstanding; a
 * translator that pairs returns with calls must not take them for addresses of its own. qemu: no (its processor has
 * MIPS16, to which odd addresses lead) */
#include "test.h"
        .text
        .balign 4096
TEST
        /* with no call outstanding: this return has none */
        la      $ra, 1f
        jr      $ra
        nop
1:      RESUME_AT 2f
        li      $ra, 2
        jr      $ra
        nop
        FAIL
2:      CHECK_EXCEPTION EXC_ADEL, 2
        CHECK_STATE S_BADVADDR, 2
        RESUME_AT 3f
        li      $ra, 1
        jr      $ra
        nop
        FAIL
3:      CHECK_EXCEPTION EXC_ADEL, 1

        /* all neighbours of the address that the last call returns to */
        .irp    distance, -3, -2, -1, 1, 2, 3
        RESUME_AT 4f
        jal     5f
        nop
6:      FAIL
5:      addiu   $ra, $ra, \distance
        jr      $ra
        nop
        FAIL
4:      CHECK_EXCEPTION EXC_ADEL, 6b + \distance
        CHECK_STATE S_BADVADDR, 6b + \distance
        .endr

        /* the same in user mode, where a call of the kernel is the last */
        MAP_PROGRAM
        .irp    distance, -3, -2, -1, 0, 1, 2, 3
        jal     5f
        nop
6:      FAIL
4:      jr      $ra
        nop
5:      addiu   $ra, $ra, \distance
        RUN_USER 4b
        CHECK_EXCEPTION EXC_ADEL, 6b + \distance
        CHECK_STATE S_BADVADDR, 6b + \distance
        lw      $t1, S_STATUS($gp)
        CHECK_BITS $t1, ST_UM | ST_EXL, ST_UM | ST_EXL
        .endr
TEST_END
        .balign 4096 /* data are in another page: stores there would end what runs */
