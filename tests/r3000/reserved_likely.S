/* Branch-likely of MIPS II raises RI, taken or not.
 * gxemul: no (it executes them on every CPU) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x51080001          /* beql $t0, $t0 */
        RESERVED 0x51090001          /* beql $t0, $t1 */
        RESERVED 0x55090001          /* bnel */
        RESERVED 0x59000001          /* blezl */
        RESERVED 0x5d000001          /* bgtzl */
        RESERVED 0x05020001          /* bltzl */
        RESERVED 0x05030001          /* bgezl */
        RESERVED 0x05120001          /* bltzall */
        RESERVED 0x05130001          /* bgezall */
RESERVED_TEST_END
