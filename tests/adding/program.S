/*
 * Uses every toy in one run: the instruction, the device, a counter, an event. The run ends with the status that is
 * stored in the toy device before the mark 1, where a checkpoint can be written: 7.
 */
#include "test.h"
#define TOY          KSEG1(0x18040000)
#define CONTROL      KSEG1(0x18010000)
#define CONTROL_MARK KSEG1(0x18010018)
TEST
        li      $t0, 4
        li      $t1, 8
        .word   0x71095010              /* toy $t2, $t0, $t1 */
        CHECK   $t2, 6
        li      $s0, TOY
        lw      $t0, 0($s0)
        CHECK   $t0, 0x00594f54
        li      $t0, 7
        sw      $t0, 4($s0)
        li      $s1, CONTROL
        lw      $t0, 0($s1)
        lw      $t0, 0($s1)
        la      $t0, 1f                 /* a return from an exception level */
        mtc0    $t0, C0_EPC
        mfc0    $t0, C0_STATUS
        ori     $t0, $t0, ST_EXL
        mtc0    $t0, C0_STATUS
        ehb
        eret
1:      li      $t0, 1
        li      $t1, CONTROL_MARK
        sw      $t0, 0($t1)
        lw      $t0, 4($s0)
        li      $t1, CONTROL_EXIT
        sw      $t0, 0($t1)
TEST_END
