/* lwl with lwr, swl with swr: whole words at every alignment. */
#include "memory.h"
        .macro  UNALIGNED_LOAD offset, value
        lwr     $t1, \offset($t0)
        lwl     $t1, \offset + 3($t0)
        CHECK   $t1, \value
        .endm
        .macro  UNALIGNED_STORE offset, value
        li      $t1, \value
        swl     $t1, \offset + 3($t3)
        swr     $t1, \offset($t3)
        lwl     $t2, \offset + 3($t3)
        lwr     $t2, \offset($t3)
        CHECK   $t2, \value
        .endm
TEST
        la      $t0, bytes
        UNALIGNED_LOAD 0, 0xf4338211
        UNALIGNED_LOAD 1, 0x55f43382
        UNALIGNED_LOAD 2, 0xa655f433
        UNALIGNED_LOAD 3, 0x77a655f4
        UNALIGNED_LOAD 4, 0xc877a655
        la      $t3, copy
        UNALIGNED_STORE 0, 0x9abcdef0
        UNALIGNED_STORE 1, 0x9abcdef1
        UNALIGNED_STORE 2, 0x9abcdef2
        UNALIGNED_STORE 3, 0x9abcdef3
        UNALIGNED_STORE 4, 0x9abcdef4
TEST_END

        .data
copy:   .space  16
