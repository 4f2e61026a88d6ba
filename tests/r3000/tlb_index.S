/* Index holds the entry's number in bits 13..8 and P in bit 31, which only tlbp sets; EntryHi holds the page number
 * and a 6-bit ASID; the bits between read as zero.
 * gxemul: no (it keeps all bits that mtc0 writes) */
#include "test.h"
TEST
        SET_CP0 C0_INDEX, 0x7fffffff
        CHECK_CP0 C0_INDEX, INDEX(63)
        SET_CP0 C0_INDEX, 0
        CHECK_CP0 C0_INDEX, 0
        SET_CP0 C0_ENTRYHI, 0xffffffff
        CHECK_CP0 C0_ENTRYHI, HI(0xfffff000, 63)
        SET_CP0 C0_ENTRYHI, 0
        CHECK_CP0 C0_ENTRYHI, 0
        SET_CP0 C0_ENTRYLO, 0xffffffff
        CHECK_CP0 C0_ENTRYLO, 0xffffff00
        SET_CP0 C0_ENTRYLO, 0
TEST_END
