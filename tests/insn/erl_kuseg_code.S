/* Code in kuseg that sets ERL goes on in physical memory, not in the page that is mapped there; and when it clears ERL
 * again, in the mapped page. */
#include "test.h"
#define MAPPED (FREE_PA + 0x2000)
.macro PUT offset, physical, mapped
        li      $t0, KSEG1(FREE_PA)
        li      $t1, \physical
        sw      $t1, \offset($t0)
        li      $t0, KSEG1(MAPPED)
        li      $t1, \mapped
        sw      $t1, \offset($t0)
.endm
#define MTC0_S1_STATUS 0x40916000
#define JR_HB_S2       0x02400408
#define JR_RA          0x03e00008
#define LI_V0(n)       (0x24020000 + (n))
TEST
        /* where the words are the same, the hazard may be over or not */
        PUT     0, 0, MTC0_S1_STATUS
        PUT     4, JR_HB_S2, JR_HB_S2
        PUT     8, 0, 0
        PUT     16, LI_V0(2), LI_V0(1)
        PUT     20, JR_RA, JR_RA
        PUT     24, 0, 0
        PUT     32, MTC0_S1_STATUS, 0
        PUT     36, JR_HB_S2, JR_HB_S2
        PUT     40, 0, 0
        PUT     48, LI_V0(3), LI_V0(4)
        PUT     52, JR_RA, JR_RA
        PUT     56, 0, 0
        MAP     1, FREE_PA, LO(MAPPED, LO_RW), LO(MAPPED, LO_RW)
        li      $s0, 20
1:      li      $s1, ST_ERL
        li      $s2, FREE_PA + 16
        li      $v0, 0
        li      $t0, FREE_PA
        jalr.hb $t0
        nop
        CHECK   $v0, 2
        SET_STATUS 0
        li      $t0, FREE_PA + 16
        jalr.hb $t0
        nop
        CHECK   $v0, 1
        SET_STATUS ST_ERL
        li      $s1, 0
        li      $s2, FREE_PA + 48
        li      $t0, FREE_PA + 32
        jalr.hb $t0
        nop
        CHECK   $v0, 4
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
        CHECK_STATE S_COUNT, 0
TEST_END
