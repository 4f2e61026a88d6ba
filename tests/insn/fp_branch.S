/* bc1t, bc1f: taken and not, on every condition code; the delay slot executes. */
#include "fp.h"
.macro BRANCHES cc, bit
        SET_FCSR \bit
        li      $t0, 0
        bc1t    $fcc\cc, 1f
        addiu   $t0, $t0, 1
        addiu   $t0, $t0, 2
1:      bc1f    $fcc\cc, 2f
        addiu   $t0, $t0, 4
        addiu   $t0, $t0, 8
2:      CHECK   $t0, 1 + 4 + 8
        SET_FCSR ~(\bit) & 0xfe800000
        li      $t0, 0
        bc1t    $fcc\cc, 1f
        addiu   $t0, $t0, 1
        addiu   $t0, $t0, 2
1:      bc1f    $fcc\cc, 2f
        addiu   $t0, $t0, 4
        addiu   $t0, $t0, 8
2:      CHECK   $t0, 1 + 2 + 4
.endm
TEST
        SET_STATUS ST_CU1
        BRANCHES 0, 0x00800000
        BRANCHES 1, 0x02000000
        BRANCHES 2, 0x04000000
        BRANCHES 3, 0x08000000
        BRANCHES 4, 0x10000000
        BRANCHES 5, 0x20000000
        BRANCHES 6, 0x40000000
        BRANCHES 7, 0x80000000
        SET_FCSR FC_C                 /* an exception in the slot */
        EXPECT_IN_SLOT EXC_SYS, "bc1t 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bc1f 7f", syscall
TEST_END
