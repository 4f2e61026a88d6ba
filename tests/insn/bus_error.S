/* Nothing at a physical address: DBE for data, IBE for fetches, also for code in a device. qemu: no (another board) */
#include "test.h"
#define NOWHERE KSEG1(0x1e000000)
TEST
        li      $t0, NOWHERE
        li      $t1, 0x1234
        EXPECT  7, lw $t1, 0($t0)
        CHECK   $t1, 0x1234
        EXPECT  7, sw $t1, 4($t0)
        EXPECT  7, lbu $t1, 1($t0)
        EXPECT  7, lwl $t1, 1($t0)
        EXPECT_IN_SLOT 7, "b 7f", lw $t1, 0($t0)
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION 6, NOWHERE
        li      $t0, CONTROL_EXIT & ~0xfff
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION 6, CONTROL_EXIT & ~0xfff
        MAP     1, 0x00c00000, LO(0x1e000000, LO_RW), 0
        li      $t0, 0x00c00000
        EXPECT  7, lw $t1, 0x10($t0)
TEST_END
