/* sync, an instruction of MIPS II, raises RI.
 * gxemul: no (it executes them on every CPU) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x0000000f          /* sync */
RESERVED_TEST_END
