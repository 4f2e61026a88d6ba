/* Exceptions nest three deep in the stack of Status: the third pushes the first one's state out, and two returns by rfe
 * bring back what is still there; the old pair stays as it is.
 * gxemul: no (its rfe clears the old pair) */
#include "test.h"
TEST
        HOOK    first
        SET_CP0 C0_STATUS, ST_IEC | ST_KUO      /* kernel, interrupts on, none masked in */
        syscall
1:      nop
        mfc0    $t0, C0_STATUS
        nop
        SET_CP0 C0_STATUS, 0
        CHECK_BITS $t0, ST_STACK, ST_IEC | ST_IEP | ST_IEO      /* the previous pair is what the old one was */
        CHECK   $s0, ST_IEP             /* in the first handler */
        CHECK   $s1, ST_IEO | ST_IEP    /* in the second, from a first one that had switched interrupts on */
        CHECK   $s2, ST_IEO             /* in the third, from a second one that had not */
        CHECK   $s3, ST_IEO | ST_IEP
        CHECK   $s4, ST_IEP | ST_IEC | ST_IEO
        CHECK_STATE S_COUNT, 3
        b       9f
        nop

first:  lw      $s5, S_EPC($k0)
        lw      $s0, S_STATUS($k0)
        HOOK    second
        andi    $s0, $s0, ST_STACK
        mfc0    $t0, C0_STATUS
        nop
        ori     $t0, $t0, ST_IEC
        mtc0    $t0, C0_STATUS
        SETTLE
        syscall
        mfc0    $s4, C0_STATUS          /* after the second one's rfe */
        nop
        andi    $s4, $s4, ST_STACK
        addiu   $s5, $s5, 4
        jr      $s5
        rfe
second: lw      $s6, S_EPC($k0)
        lw      $s1, S_STATUS($k0)
        HOOK    third
        andi    $s1, $s1, ST_STACK
        syscall
        mfc0    $s3, C0_STATUS          /* after the third one's rfe */
        nop
        andi    $s3, $s3, ST_STACK
        addiu   $s6, $s6, 4
        jr      $s6
        rfe
third:  lw      $s2, S_STATUS($k0)
        nop
        andi    $s2, $s2, ST_STACK
        HOOK_RETURN 4
9:      UNHOOK
TEST_END
