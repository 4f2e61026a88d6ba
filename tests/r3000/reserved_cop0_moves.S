/* dmfc0 and dmtc0, the moves of 64 bits, and di and ei raise RI.
 * gxemul: no (it executes them on every CPU) */
#include "test.h"
TEST
        li      $t1, 0x5a5a5a5a
        EXPECT  EXC_RI, .word 0x40296000 /* dmfc0 $t1, Status */
        EXPECT  EXC_RI, .word 0x40a96000 /* dmtc0 */
        EXPECT  EXC_RI, .word 0x41696000 /* di $t1 */
        EXPECT  EXC_RI, .word 0x41696020 /* ei $t1 */
        CHECK   $t1, 0x5a5a5a5a
TEST_END
