/* and, or, xor, nor; andi, ori and xori zero-extend their immediates; lui clears the lower half. */
#include "test.h"
TEST
        li      $t0, 0xff00ff00
        li      $t1, 0xf0f0f0f0
        and     $t2, $t0, $t1
        CHECK   $t2, 0xf000f000
        or      $t2, $t0, $t1
        CHECK   $t2, 0xfff0fff0
        xor     $t2, $t0, $t1
        CHECK   $t2, 0x0ff00ff0
        nor     $t2, $t0, $t1
        CHECK   $t2, 0x000f000f
        andi    $t2, $t0, 0xf0f0
        CHECK   $t2, 0xf000
        ori     $t2, $t0, 0xf0f0
        CHECK   $t2, 0xff00fff0
        xori    $t2, $t0, 0xf0f0
        CHECK   $t2, 0xff000ff0
        lui     $t2, 0x8000
        CHECK   $t2, 0x80000000
TEST_END
