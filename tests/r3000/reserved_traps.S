/* The conditional traps of MIPS II raise RI, whatever their operands are.
 * gxemul: no (it executes them on every CPU) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x01090030          /* tge $t0, $t1 */
        RESERVED 0x01090031          /* tgeu */
        RESERVED 0x01090032          /* tlt */
        RESERVED 0x01090033          /* tltu */
        RESERVED 0x01090034          /* teq */
        RESERVED 0x01090036          /* tne */
        RESERVED 0x01080034          /* teq $t0, $t0 */
        RESERVED 0x05080000          /* tgei $t0, 0 */
        RESERVED 0x05090000          /* tgeiu */
        RESERVED 0x050a0000          /* tlti */
        RESERVED 0x050b0000          /* tltiu */
        RESERVED 0x050c0000          /* teqi */
        RESERVED 0x050e0000          /* tnei */
RESERVED_TEST_END
