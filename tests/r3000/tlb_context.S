/* Context: PTEBase in bits 31..21 is software's, the number of the page at fault in bits 20..2 the hardware's; mtc0
 * does not write these, bits 1..0 read as zero.
 * gxemul: no (it lets mtc0 write the page number) */
#include "test.h"
TEST
        SET_CP0 C0_CONTEXT, 0
        li      $t0, 0x7ffff000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_CONTEXT, 0x7ffff << 2
        SET_CP0 C0_CONTEXT, 0xffffffff
        CHECK_CP0 C0_CONTEXT, 0xffe00000 | (0x7ffff << 2)
        SET_CP0 C0_CONTEXT, 0xa5400000
        CHECK_CP0 C0_CONTEXT, 0xa5400000 | (0x7ffff << 2)
        li      $t0, 0x00001000
        EXPECT  EXC_TLBS, sw $t1, 0($t0)
        CHECK_STATE S_CONTEXT, 0xa5400000 | (1 << 2)
TEST_END
