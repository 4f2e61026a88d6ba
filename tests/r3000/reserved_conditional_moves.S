/* Conditional moves, movci and the trap-free selections of later architectures raise RI.
 * gxemul: no (it executes them on every CPU) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x0000480a          /* movz $t1, $zero, $zero */
        RESERVED 0x0008480b          /* movn $t1, $zero, $t0 */
        RESERVED 0x00004801          /* movf $t1, $zero, 0 */
RESERVED_TEST_END
