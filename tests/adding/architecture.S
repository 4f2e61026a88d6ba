/*
 * What tells the toy architecture from the R3000: FIR, and the vector of a system call. The run ends with status 7; with
 * another FIR with 5, at the R3000's vector with 3.
 */
#include "test.h"
#define CONTROL_EXIT KSEG1(0x18010014)
        .text
        .globl  test_start
test_start:
        li      $t0, ST_CU1
        mtc0    $t0, C0_STATUS
        la      $t1, handlers
        li      $t2, KSEG1(0)
        lw      $t3, 0($t1)             /* li $a0, 3 */
        lw      $t4, 4($t1)             /* li $a0, 7 */
        sw      $t3, 0x80($t2)
        sw      $t4, 0x180($t2)
        lw      $t3, 8($t1)
        lw      $t4, 12($t1)
        sw      $t3, 0x84($t2)
        sw      $t3, 0x184($t2)
        sw      $t4, 0x88($t2)
        sw      $t4, 0x188($t2)
        sw      $zero, 0x8c($t2)
        sw      $zero, 0x18c($t2)
        la      $s1, leave
        cfc1    $t0, $0
        SETTLE
        li      $t1, 0x0770
        bne     $t0, $t1, other
        nop
        syscall
other:  li      $a0, 5
leave:  li      $t0, CONTROL_EXIT
        sw      $a0, 0($t0)
1:      b       1b
        nop
handlers:
        li      $a0, 3
        li      $a0, 7
        jr      $s1
        nop
