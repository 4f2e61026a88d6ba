/* The moves of 64 bits and of high halves, dmfc1, dmtc1, mfhc1, mthc1, and the likely branches by the condition
 * raise RI.
 * gxemul: no (it stops at some of them) */
#include "fp.h"
FP_TEST
        li      $t1, 0x5a5a5a5a
        EXPECT  EXC_RI, .word 0x44294000        /* dmfc1 $t1, $f8 */
        EXPECT  EXC_RI, .word 0x44a94000        /* dmtc1 */
        EXPECT  EXC_RI, .word 0x44694000        /* mfhc1 */
        EXPECT  EXC_RI, .word 0x44e94000        /* mthc1 */
        EXPECT  EXC_RI, .word 0x45020001        /* bc1fl */
        EXPECT  EXC_RI, .word 0x45030001        /* bc1tl */
        CHECK   $t1, 0x5a5a5a5a
TEST_END
