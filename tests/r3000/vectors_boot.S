/* With BEV set the vectors are uncached in the boot ROM: 0xbfc00180 for all exceptions but the UTLB miss, which has
 * 0xbfc00100. Everything else is as with BEV clear.
 * gxemul: no (its machine has no boot ROM)
 * simos: --set machine.board=simos */
#include "test.h"
        .section .rom, "ax"
        .set    noreorder
        .fill   0x40, 4, 0              /* to 0xbfc00100 */
        la      $k0, test_exception
        jr      $k0
        li      $k1, 0x100
        .fill   0x20 - 4, 4, 0          /* to 0xbfc00180 */
        la      $k0, test_exception
        jr      $k0
        li      $k1, 0x180
TEST
        SET_CP0 C0_STATUS, ST_BEV
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE_BITS S_STATUS, ST_BEV | ST_STACK, ST_BEV
        li      $t0, 0x00700000
        EXPECT_AT EXC_TLBL, 0x100, 0x00700004, lw $t1, 4($t0)
        EXPECT_AT EXC_TLBS, 0x100, 0x00700004, sw $t1, 4($t0)
        MAP     1, 0x00700000, LO(FREE_PA, 0)
        SET_ASID 0
        EXPECT_AT EXC_TLBL, 0x180, 0x00700004, lw $t1, 4($t0)
        li      $t0, 0xc0700000
        EXPECT_AT EXC_TLBL, 0x180, 0xc0700004, lw $t1, 4($t0)
        SET_CP0 C0_STATUS, 0
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
TEST_END
