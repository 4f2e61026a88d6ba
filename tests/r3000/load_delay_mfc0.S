/* mfc0 has the delay of a load: its slot sees the register's old value.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        li      $t2, 0x33
        mfc0    $t2, C0_ENTRYHI
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x33
        CHECK   $t4, HI(0x12345000, 3)
TEST_END
