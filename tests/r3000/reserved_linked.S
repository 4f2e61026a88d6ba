/* ll and sc of MIPS II raise RI in kernel mode: their opcodes are the load and store of coprocessor 0, which has
 * none. */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0xc1090000          /* ll $t1, 0($t0) */
        RESERVED 0xe1090000          /* sc $t1, 0($t0) */
RESERVED_TEST_END
