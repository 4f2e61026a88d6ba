/* Without cpu.page_walker its registers read as 0 and ignore writes, and a TLB miss is a refill exception. qemu: no */
#include "walker.h"
TEST
        mfc0    $t0, C0_CONFIG3
        li      $t1, CONFIG3_PW
        and     $t0, $t0, $t1
        CHECK   $t0, 0
        PREPARE_TABLES
        POKE    TABLE(0), TABLE(1)
        POKE    TABLE(1), PTE(4, LO_RW)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        mfc0    $t0, C0_PWBASE
        CHECK   $t0, 0
        mfc0    $t0, C0_PWFIELD
        CHECK   $t0, 0
        mfc0    $t0, C0_PWSIZE
        CHECK   $t0, 0
        mfc0    $t0, C0_PWCTL
        CHECK   $t0, 0
        EXPECT_REFILL 0
        CHECK_STATE S_COUNT, 1
TEST_END
