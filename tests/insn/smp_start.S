/* The power controller starts a second processor at the address the coherence manager holds for it: BEV and ERL set,
 * its own number, through kseg1. simos: --cpus 2 */
/* qemu: no */
#include "test.h"
TEST
        li      $t0, CPC_KSEG1          /* off: state D0 */
        li      $t1, 1 << 16
        sw      $t1, 0x2010($t0)
        lw      $t2, 0x4008($t0)
        ext     $t2, $t2, 19, 4
        CHECK   $t2, 0
        li      $t0, GCR_KSEG1
        lw      $t1, 0x2028($t0)
        CHECK   $t1, 0
        li      $t1, 1 << 16
        sw      $t1, 0x2018($t0)
        la      $t1, entry
        sw      $t1, 0x4020($t0)
        li      $t0, CPC_KSEG1
        li      $t1, 3
        sw      $t1, 0x4000($t0)
        la      $t0, shared
1:      lw      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        CHECK   $t1, 1                  /* rdhwr's processor number */
        lw      $t1, 4($t0)
        CHECK   $t1, 0x80000001         /* EBase */
        lw      $t1, 8($t0)
        CHECK_BITS $t1, ST_BEV | ST_ERL | ST_IE, ST_BEV | ST_ERL
        lw      $t1, 12($t0)
        CHECK   $t1, entry + 0x20000008
        li      $t0, CPC_KSEG1
        lw      $t2, 0x4008($t0)
        ext     $t2, $t2, 19, 4
        CHECK_TRUE $t2
TEST_END
        .balign 4096
entry:  bal     1f
        nop
1:      la      $t0, shared
        rdhwr   $t1, $0
        mfc0    $t2, C0_EBASE
        sw      $t2, 4($t0)
        mfc0    $t2, C0_STATUS
        sw      $t2, 8($t0)
        sw      $ra, 12($t0)
        sync
        sw      $t1, 0($t0)
2:      b       2b
        nop
        .data
        .balign 32
shared: .word   0, 0, 0, 0
