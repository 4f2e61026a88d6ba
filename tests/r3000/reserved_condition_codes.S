/* There is one condition code. A branch by another is RI, as the other numbers in that field of BC1 are; a comparison that
 * would set another is an operation that the R3010 lacks: E and the interrupt, and the condition stays.
 * gxemul: no (it stops at some of them) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x3f800000
        SINGLE  22, 0x40000000
        SET_FCSR FC_C
        EXPECT  EXC_RI, .word 0x45040001        /* bc1f $fcc1, .+8 */
        EXPECT  EXC_RI, .word 0x45050001        /* bc1t $fcc1 */
        EXPECT  EXC_RI, .word 0x451c0001        /* bc1f $fcc7 */
        EXPECT  EXC_RI, .word 0x451d0001        /* bc1t $fcc7 */
        EXPECT  EXC_RI, .word 0x45100001        /* bc1f $fcc4 */
        REQUESTS FC_E, .word 0x4616a132         /* c.eq.s $fcc1, $f20, $f22 */
        REQUESTS FC_E, .word 0x4636a732         /* c.eq.d $fcc7 */
        REQUESTS FC_E, .word 0x4616a43c         /* c.lt.s $fcc4 */
        SET_FCSR FC_C
        .word   0x4616a132                      /* c.eq.s $fcc1, and it does not hold */
        SETTLE
        CHECK_FCSR FC_C | FC_CAUSES, FC_C | FC_E
        SET_FCSR 0
TEST_END
