/* A sum over 256 pages with a refill handler at the refill vector that uses tlbwr and a page table in kseg0, as a kernel
 * does: every word arrives, and there are as many refills as pairs of pages at least. */
#include "test.h"
#define VA 0x10000000
TEST
        HOOK    refill
        li      $s1, 3
        li      $t3, 0
2:      li      $t0, VA
        li      $t1, 256
1:      sw      $t1, 0x20($t0)
        lw      $t2, 0x20($t0)
        addu    $t3, $t3, $t2
        addiu   $t1, $t1, -1
        bnez    $t1, 1b
        addiu   $t0, $t0, 0x1000
        addiu   $s1, $s1, -1
        bnez    $s1, 2b
        nop
        CHECK   $t3, 3 * 256 * 257 / 2
        lw      $t0, S_COUNT($gp)
        sltiu   $t0, $t0, 128
        CHECK   $t0, 0
        b       end
        nop
refill: lw      $k1, S_VECTOR($k0)
        bnez    $k1, bad
        mfc0    $k1, C0_BADVADDR
        srl     $k1, $k1, 13            /* pair of frames: FREE_PA + VPN2 % 128 * 8 KB */
        andi    $k1, $k1, 127
        sll     $k1, $k1, 7
        addiu   $k1, $k1, 0x1e
        lui     $k0, (FREE_PA >> 6) >> 16
        addu    $k1, $k1, $k0
        .if (FREE_PA >> 6) & 0xffff
        .error "FREE_PA"
        .endif
        mtc0    $k1, C0_ENTRYLO0
        addiu   $k1, $k1, 0x40
        mtc0    $k1, C0_ENTRYLO1
        ehb
        tlbwr
        eret
bad:    FAIL
end:
TEST_END
