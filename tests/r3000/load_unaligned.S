/* lwl and lwr of the two words of an unaligned word merge without an instruction between: the second takes the first
 * one's result out of its delay. All four places, both orders. Little-endian, as the DECstations are. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x44332211
        sw      $t1, 0($t0)
        li      $t1, 0x88776655
        sw      $t1, 4($t0)
        .macro  UNALIGNED place, value
        li      $t2, 0x5a5a5a5a
        lwr     $t2, \place($t0)
        lwl     $t2, \place + 3($t0)
        nop
        CHECK   $t2, \value
        li      $t2, 0x5a5a5a5a
        lwl     $t2, \place + 3($t0)
        lwr     $t2, \place($t0)
        nop
        CHECK   $t2, \value
        .endm
        UNALIGNED 0, 0x44332211
        UNALIGNED 1, 0x55443322
        UNALIGNED 2, 0x66554433
        UNALIGNED 3, 0x77665544
TEST_END
