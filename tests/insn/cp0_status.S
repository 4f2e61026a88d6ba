/* Status keeps the bits that exist; those that do not stay clear. qemu: no (it keeps more of them) */
#include "test.h"
TEST
        li      $t0, 0xffffffff & ~(ST_EXL | ST_ERL | ST_IE | ST_UM)
        mtc0    $t0, C0_STATUS
        ehb
        mfc0    $t1, C0_STATUS
        CHECK_BITS $t1, 0x34400000 | 0xff00, 0x34400000 | 0xff00
        CHECK_BITS $t1, 0xc23800e8, 0
        mtc0    $zero, C0_STATUS
        ehb
        mfc0    $t1, C0_STATUS
        CHECK_BITS $t1, 0x3640ff17, 0
TEST_END
