/* What programs see of walks, which QEMU's P5600 must see as well: how many accesses at random raise each exception, and what they
 * load and leave in memory, for tables of random entries. simos: --set cpu.page_walker=on */
/* qemu: -cpu P5600 */
#include "walker.h"
#define BASE 0x00c00000
#define ACCESSES 6000
/* The next random number in $t2. Changes $at. */
        .macro  RANDOM
        li      $at, 1664525
        mul     $t2, $t2, $at
        li      $at, 1013904223
        addu    $t2, $t2, $at
        .endm
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)      /* 8 MB have tables, 8 MB have none */
        POKE    TABLE(0) + 4 * 4, TABLE(2)
        li      $t2, 1
        li      $t0, TABLE(1)
        li      $t1, TABLE(3)
1:      RANDOM
        srl     $t3, $t2, 16                    /* one of 32 pages, */
        andi    $t3, $t3, 31
        li      $t4, LO(PAGE_PA(0), 0)
        sll     $t3, $t3, 6
        addu    $t4, $t4, $t3
        srl     $t3, $t2, 21                    /* valid but for one in eight, */
        andi    $t3, $t3, 7
        beqz    $t3, 2f
        nop
        ori     $t4, $t4, LO_V
2:      srl     $t3, $t2, 24                    /* writable but for one in four */
        andi    $t3, $t3, 3
        beqz    $t3, 3f
        nop
        ori     $t4, $t4, LO_D
3:      sll     $t4, $t4, PTEI
        ori     $t4, $t4, 0x0f
        sw      $t4, 0($t0)
        addiu   $t0, $t0, 4
        bne     $t0, $t1, 1b
        nop
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        FLUSH_TLB
        li      $t0, ACCESSES
        li      $t1, 0                          /* what was loaded */
        li      $s0, 0                          /* refills, loads and stores of invalid pages, stores to read-only ones */
        li      $s1, 0
        li      $s2, 0
        li      $s3, 0
4:      RANDOM
        srl     $t3, $t2, 8
        ins     $t3, $zero, 0, 2
        li      $t4, BASE
        addu    $t3, $t3, $t4
        lw      $t5, S_COUNT($gp)
        RESUME_AT 6f
        srl     $t4, $t2, 5
        andi    $t4, $t4, 1
        bnez    $t4, 5f
        nop
        lw      $t6, 0($t3)
        addu    $t1, $t1, $t6
        b       6f
        nop
5:      sw      $t2, 0($t3)
6:      sw      $zero, S_RESUME($gp)
        lw      $t6, S_COUNT($gp)
        beq     $t5, $t6, 7f
        nop
        lw      $s7, S_BADVADDR($gp)
        CHECK_SAME $s7, $t3
        lw      $t6, S_VECTOR($gp)
        lw      $t7, S_CAUSE($gp)
        ext     $t7, $t7, 2, 5
        sltiu   $at, $t6, 1
        addu    $s0, $s0, $at
        bnez    $at, 7f
        nop
        xori    $at, $t7, EXC_TLBL
        sltiu   $at, $at, 1
        addu    $s1, $s1, $at
        xori    $at, $t7, EXC_TLBS
        sltiu   $at, $at, 1
        addu    $s2, $s2, $at
        xori    $at, $t7, EXC_MOD
        sltiu   $at, $at, 1
        addu    $s3, $s3, $at
7:      addiu   $t0, $t0, -1
        bnez    $t0, 4b
        nop
        li      $t3, KSEG0(PAGE_PA(0))
        li      $t4, KSEG0(PAGE_PA(32))
        li      $t6, 0                          /* what is in memory */
8:      lw      $t5, 0($t3)
        addu    $t6, $t6, $t5
        rotr    $t6, $t6, 1
        addiu   $t3, $t3, 4
        bne     $t3, $t4, 8b
        nop
        CHECK   $s0, 0xba3
        CHECK   $s1, 0xa2
        CHECK   $s2, 0xc1
        CHECK   $s3, 0x127
        CHECK   $t1, 0x87ccd930
        CHECK   $t6, 0xb95a7322
TEST_END
