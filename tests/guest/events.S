/* For test_events.sh: every event of a bare machine that annotations know, in a fixed order. box is what is accessed. */
#include "../insn/walker.h"
        .macro  mark number             /* to the control device */
        li      $at, KSEG1(0x18010018)
        li      $s7, \number
        sw      $s7, 0($at)
        .endm
        .macro  quiet                   /* nothing is in flight */
        mfc0    $at, C0_STATUS
        mtc0    $at, C0_STATUS
        ehb
        .endm
TEST
        MAP_PROGRAM
        la      $s0, box
        li      $t0, 0x89abcdef
        li      $t1, 0x12345678
        quiet
        sb      $t0, 0($s0)
        sh      $t0, 4($s0)
        sw      $t0, 8($s0)
        swl     $t0, 13($s0)
        swr     $t0, 18($s0)
        ll      $t2, 8($s0)
        move    $t2, $t0
        sc      $t2, 8($s0)
        sc      $t1, 8($s0)             /* fails */
        SET_STATUS ST_CU1
        mtc1    $t0, $f0
        mtc1    $t0, $f1
        swc1    $f0, 20($s0)
        sdc1    $f0, 24($s0)
        lb      $t2, 0($s0)
        lbu     $t2, 0($s0)
        lh      $t2, 4($s0)
        lhu     $t2, 4($s0)
        lw      $t2, 8($s0)
        lwl     $t2, 13($s0)
        lwr     $t2, 18($s0)
        lwc1    $f2, 20($s0)
        ldc1    $f2, 24($s0)
        pref    0, 0($s0)
        cache   0x15, 0($s0)
        synci   0($s0)
        b       1f                      /* in delay slots */
        sh      $t0, 6($s0)
1:      bnez    $s0, 1f
        lb      $t3, 7($s0)
1:      la      $t4, KSEG1(0)
        or      $t4, $t4, $s0
        lbu     $t3, 1($t4)             /* uncached */
        sb      $t3, 2($t4)
        li      $t4, KSEG1(0x18010000)
        lw      $t3, 0($t4)             /* a device */
        EXPECT  EXC_ADES, sh $t0, 1($s0)
        EXPECT  EXC_ADEL, lw $t0, 2($s0)
        EXPECT_IN_SLOT EXC_ADEL, "b 7f", lw $t0, 2($s0)
        li      $t3, 0x7fffffff
        EXPECT  EXC_OV, addi $t2, $t3, 1
        EXPECT  EXC_SYS, syscall
        EXPECT  EXC_BP, break
        EXPECT  EXC_TR, teq $zero, $zero
        EXPECT  EXC_RI, .word 0x7c0af83b
        li      $t5, 0x40000000
        EXPECT  EXC_TLBL, lw $t2, 0($t5)
        EXPECT  EXC_TLBS, sw $t2, 8($t5)
        EXPECT_IN_SLOT EXC_TLBS, "bnez $s0, 7f", sb $t2, 12($t5)
        SET_ASID 3
        SET_ASID 0
        b       2f
        nop
1:      ext     $t6, $s0, 0, 29         /* box in user space */
        sb      $t0, 3($t6)             /* through the TLB */
        lhu     $t2, 2($t6)
        bnez    $t6, 8f
        sw      $t2, 16($t6)
8:      syscall
        nop
2:      RUN_USER 1b
        la      $s0, box
        RESUME_AT 3f                    /* a software interrupt */
        li      $t2, CA_IP0
        mtc0    $t2, C0_CAUSE
        ehb
        SET_STATUS (ST_IE | ST_IM0)
        nop
        nop
3:      mtc0    $zero, C0_CAUSE
        ehb
        jal     function
        li      $a0, 7
        li      $t0, CA_IP1             /* wait does not wait: an interrupt is pending */
        ROUTE_TIMER
        mtc0    $zero, C0_COUNT
        li      $t0, 1000
        mtc0    $t0, C0_COMPARE
        RESUME_AT 4f
        SET_STATUS (ST_IE | ST_IM7)
        wait
        nop
4:      mtc0    $zero, C0_COMPARE
        mark    17
        li      $t1, KSEG1(0x18000000)
        li      $t2, 'h'
        sb      $t2, 0($t1)
        li      $t2, '\n'
        sb      $t2, 0($t1)
        li      $t2, 300000
5:      bnez    $t2, 5b
        addiu   $t2, $t2, -1
        quiet
        la      $s1, cold               /* misses, each alone */
        lw      $t2, 0($s1)
        quiet
        sw      $t2, 256($s1)
        quiet
        la      $t3, cold_code
        quiet
        jalr    $t3
        nop
        quiet
        PREPARE_TABLES                  /* walks: found, failed, found for a fetch */
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        POKE    TABLE(1) + 4, PTE(1, LO_RW)
        POKE    TABLE(1) + 3 * 4, PTE(3, LO_RW)
        POKE    KSEG0(PAGE_PA(3)), 0x03e00008   /* jr $ra */
        POKE    KSEG0(PAGE_PA(3)) + 4, 0
        synci   0($at)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        li      $t5, 0x00c01000
        lw      $t2, 0($t5)
        quiet
        POKE    TABLE(0) + 4 * 4, 0
        li      $t5, 0x01000000
        EXPECT  EXC_TLBS, sw $t2, 4($t5)
        b       6f                      /* in a delay slot, and for a fetch */
        move    $t5, $zero
6:      li      $t3, 0x00c03000
        jalr    $t3
        nop
        quiet
TEST_END

        .globl  function
        .ent    function
function:
        addiu   $v0, $a0, 1
        jr      $ra
        addiu   $v1, $v0, 1
        .end    function

        .balign 4096
        .globl  cold_code
cold_code:
        jr      $ra
        nop
        .balign 4096
        .data
        .globl  box, cold
        .balign 4096
box:    .space  64
        .balign 4096
cold:   .space  4096
