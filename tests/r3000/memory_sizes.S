/* Byte and halfword stores change their part of the word, little-endian; loads extend by sign or by zero. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        sw      $zero, 0($t0)
        li      $t1, 0x12f4
        sb      $t1, 1($t0)
        CHECK_WORD 0, $t0, 0x0000f400
        sh      $t1, 2($t0)
        CHECK_WORD 0, $t0, 0x12f4f400
        lb      $t2, 2($t0)
        lbu     $t3, 2($t0)
        lh      $t4, 0($t0)
        lhu     $t5, 0($t0)
        nop
        CHECK   $t2, 0xfffffff4
        CHECK   $t3, 0xf4
        CHECK   $t4, 0xfffff400
        CHECK   $t5, 0xf400
        addiu   $t0, $t0, 0x4000        /* negative offsets */
        addiu   $t0, $t0, 0x4000
        CHECK_WORD -0x8000, $t0, 0x12f4f400
TEST_END
