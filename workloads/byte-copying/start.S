/* Start of the program on the bare machine, its exception vector, and the end of the run. */
        .set    noreorder
        .set    noat

#define ST_CU1       0x20000000
#define ST_BEV       0x00400000
#define CONTROL_EXIT 0xb8010014         /* devices/board/control.c */
#define FRAME        (32 * 4 + 16)      /* registers by their numbers above the arguments of a call */

        .text
        .globl  start
start:  li      $t0, ST_BEV
        mtc0    $t0, $12
        ehb
        li      $t0, 0x80000000
        mtc0    $t0, $15, 1             /* EBase */
        mtc0    $zero, $13
        li      $t1, ST_CU1
        mtc0    $t1, $12
        ehb
        la      $t1, vector             /* the general exception vector */
        li      $t2, 4
1:      lw      $t3, 0($t1)
        sw      $t3, 0x180($t0)
        addiu   $t1, $t1, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t0, $t0, 4
        li      $t0, 0x80000180
        synci   0($t0)
        sync
        la      $sp, stack_end - 16
        jal     main
        nop
        move    $a0, $v0

/* finish(status): ends the run */
        .globl  finish
finish: li      $t0, CONTROL_EXIT
        sw      $a0, 0($t0)
1:      b       1b
        nop

vector: lui     $k0, %hi(exception)
        addiu   $k0, $k0, %lo(exception)
        jr      $k0
        nop

/* Saves what a C function may change, has emulate(frame, Cause, EPC) carry out the instruction, and continues where it
 * says. */
exception:
        addiu   $sp, $sp, -FRAME
        .irp    number,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,24,25,28,30,31
        sw      $\number, (\number * 4 + 16)($sp)
        .endr
        .irp    number,16,17,18,19,20,21,22,23
        sw      $\number, (\number * 4 + 16)($sp)
        .endr
        sw      $zero, 16($sp)
        addiu   $k1, $sp, FRAME
        sw      $k1, (29 * 4 + 16)($sp)
        mfhi    $t0
        mflo    $t1
        addiu   $sp, $sp, -24
        sw      $t0, 16($sp)
        sw      $t1, 20($sp)
        addiu   $a0, $sp, 40
        mfc0    $a1, $13
        jal     emulate
        mfc0    $a2, $14
        mtc0    $v0, $14
        lw      $t0, 16($sp)
        lw      $t1, 20($sp)
        mthi    $t0
        mtlo    $t1
        addiu   $sp, $sp, 24
        .irp    number,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,24,25,28,30,31
        lw      $\number, (\number * 4 + 16)($sp)
        .endr
        addiu   $sp, $sp, FRAME
        ehb
        eret
