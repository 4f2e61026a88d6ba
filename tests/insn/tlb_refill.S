/* No entry matches: the refill vector, TLBL for loads and fetches, TLBS for stores; BadVAddr, Context and EntryHi. */
#include "test.h"
#define VA 0x0abcd000
.macro CHECK_REFILL address
        CHECK_STATE S_VECTOR, 0
        CHECK_STATE S_BADVADDR, \address
        CHECK_STATE S_ENTRYHI, ((\address) & 0xffffe000) | 0x42
        CHECK_STATE S_CONTEXT, 0xff800000 | (((\address) >> 13) << 4)
.endm
TEST
        SET_ASID 0x42
        li      $t0, 0xff800000
        mtc0    $t0, C0_CONTEXT
        li      $t0, VA
        EXPECT  EXC_TLBL, lw $t1, 4($t0)
        CHECK_REFILL VA + 4
        EXPECT  EXC_TLBS, sw $t1, 8($t0)
        CHECK_REFILL VA + 8
        EXPECT  EXC_TLBL, lbu $t1, 3($t0)
        CHECK_REFILL VA + 3
        EXPECT  EXC_TLBS, sh $t1, 0x1002($t0)
        CHECK_REFILL VA + 0x1002
        EXPECT  EXC_TLBL, lw $zero, 4($t0)
        CHECK_REFILL VA + 4
        RESUME_AT 1f
        addiu   $t1, $t0, 12
        jr      $t1
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, VA + 12
        CHECK_REFILL VA + 12
        li      $t0, 0xc0123450         /* kseg2, and the last page */
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_REFILL 0xc0123450
        li      $t0, 0xfffffffc
        EXPECT  EXC_TLBS, sw $t1, 0($t0)
        CHECK_REFILL 0xfffffffc
TEST_END
