/* addu, addiu, subu and the shifts never raise Ov: they wrap, or drop bits. */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 1
        addu    $t2, $t0, $t1
        CHECK   $t2, 0x80000000
        addiu   $t2, $t0, 0x7fff
        CHECK   $t2, 0x80007ffe
        li      $t0, 0x80000000
        subu    $t2, $t0, $t1
        CHECK   $t2, 0x7fffffff
        addiu   $t2, $t0, -1
        CHECK   $t2, 0x7fffffff
        sll     $t2, $t0, 1
        CHECK   $t2, 0
        CHECK_STATE S_COUNT, 0
TEST_END
