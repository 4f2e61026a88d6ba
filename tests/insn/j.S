/* j: the delay slot executes, then the target in the same 256 MB. */
#include "test.h"
TEST
        li      $t0, 0
        j       1f
        addiu   $t0, $t0, 1
        addiu   $t0, $t0, 2
1:      CHECK   $t0, 1
        li      $t1, 0                  /* the region is that of the delay slot: the same through kseg1 */
        la      $t2, 2f
        lui     $t3, 0x2000
        or      $t2, $t2, $t3
        jr      $t2
        nop
2:      j       3f
        nop
3:      bal     4f
        nop
4:      CHECK   $ra, 4b + 0x20000000
TEST_END
