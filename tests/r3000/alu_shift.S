/* Shifts by a constant and by a register, of whose amount the lowest 5 bits count. */
#include "test.h"
TEST
        li      $t0, 0x80000001
        sll     $t2, $t0, 31
        CHECK   $t2, 0x80000000
        srl     $t2, $t0, 31
        CHECK   $t2, 1
        sra     $t2, $t0, 31
        CHECK   $t2, 0xffffffff
        sra     $t2, $t0, 0
        CHECK   $t2, 0x80000001
        li      $t1, 0xffffffe4         /* 4 */
        sllv    $t2, $t0, $t1
        CHECK   $t2, 0x10
        srlv    $t2, $t0, $t1
        CHECK   $t2, 0x08000000
        srav    $t2, $t0, $t1
        CHECK   $t2, 0xf8000000
        li      $t1, 32                 /* 0 */
        srlv    $t2, $t0, $t1
        CHECK   $t2, 0x80000001
TEST_END
