/* The cache instruction of later architectures raise RI: caches are managed by isolating them.
 * gxemul: no (it executes them on every CPU) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0xbd000000          /* cache 0, 0($t0) */
        RESERVED 0xbd190000          /* cache 0x19, 0($t0) */
RESERVED_TEST_END
