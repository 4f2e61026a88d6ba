/* The delay slot of a branch-likely that is not taken is never fetched from an unmapped page; the instruction after it
 * is, and misses outside of a delay slot. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)
        la      $t1, code
        lw      $t2, 0($t1)
        sw      $t2, 0xffc($t0)
        synci   0xffc($t0)
        sync
        ehb
        MAP     1, VA, LO(FREE_PA, LO_RW), 0
        li      $t0, VA + 0xffc
        RESUME_AT back
        jr      $t0
        nop
        FAIL
code:   bnel    $zero, $zero, . + 16
back:   CHECK_EXCEPTION EXC_TLBL, VA + 0x1004
        CHECK_STATE S_BADVADDR, VA + 0x1004
TEST_END
