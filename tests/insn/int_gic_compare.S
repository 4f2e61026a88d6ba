/* The interrupt controller's own timer: the compare interrupt on the pin it is mapped to, masked, moved, cleared by
 * writing the compare value. qemu: no */
#include "test.h"
TEST
        li      $t0, GIC_KSEG1 + 0x8000
        li      $t1, 0x80000001         /* pin 1: IP3 */
        sw      $t1, 0x44($t0)
        li      $t1, 1 << 1
        sw      $t1, 0x0c($t0)          /* masked */
        li      $t2, GIC_KSEG1
        lw      $t3, 0x10($t2)
        addiu   $t3, $t3, 500
        sw      $zero, 0xa4($t0)
        sw      $t3, 0xa0($t0)
        lw      $t4, 4($t0)
        CHECK_BITS $t4, 2, 0
1:      lw      $t4, 4($t0)             /* pending, not delivered */
        andi    $t4, $t4, 2
        beqz    $t4, 1b
        nop
        lw      $t4, 0x10($t2)
        subu    $t4, $t4, $t3
        slti    $t5, $t4, 0
        CHECK   $t5, 0
        mfc0    $t4, C0_CAUSE
        CHECK_BITS $t4, 0xfc00, 0
        sw      $t1, 0x10($t0)
        mfc0    $t4, C0_CAUSE
        CHECK_BITS $t4, 0xfc00, 0x0800
        li      $t1, 0x80000003         /* moves to IP5 */
        sw      $t1, 0x44($t0)
        mfc0    $t4, C0_CAUSE
        CHECK_BITS $t4, 0xfc00, 0x2000
        HOOK    taken
        li      $s0, 0
        SET_STATUS ST_IE | 0x2000
        nop
        CHECK   $s0, 1
        SET_STATUS 0
        mfc0    $t4, C0_CAUSE
        CHECK_BITS $t4, 0xfc00, 0
        CHECK_STATE S_COUNT, 1
        b       end
        nop
taken:  li      $k1, -1
        sw      $k1, 0xa4($t0)
        addiu   $s0, $s0, 1
        eret
end:
TEST_END
