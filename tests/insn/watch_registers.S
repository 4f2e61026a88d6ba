/* The watch registers as software sees them (MIPS32 PRA, WatchLo and WatchHi; Linux probes them so): Config1.WR, four pairs
 * of which two watch fetches and two data, address masks, and M while another pair follows.
 * qemu: no (another processor)
 * simos: --set cpu.watch_registers=on */
#include "test.h"
TEST
        mfc0    $t0, C0_CONFIG1
        CHECK_BITS $t0, 1 << 3, 1 << 3
        KEEPS   0xfffffffc, 0, C0_WATCHLO(0)
        KEEPS   0xfffffffc, 0, C0_WATCHLO(1)
        KEEPS   0xfffffffb, 0, C0_WATCHLO(2)
        KEEPS   0xfffffffb, 0, C0_WATCHLO(3)
        KEEPS   0x40ff0ff8, 0x80000000, C0_WATCHHI(0)
        KEEPS   0x40ff0ff8, 0x80000000, C0_WATCHHI(1)
        KEEPS   0x40ff0ff8, 0x80000000, C0_WATCHHI(2)
        KEEPS   0x40ff0ff8, 0, C0_WATCHHI(3)
        KEEPS   0, 0, $18, 4
        KEEPS   0, 0, $19, 4
        li      $t0, -1                 /* Cause.WP: software clears it only */
        mtc0    $t0, C0_CAUSE
        ehb
        mfc0    $t0, C0_CAUSE
        mtc0    $zero, C0_CAUSE
        CHECK_BITS $t0, CA_WP, 0
TEST_END
