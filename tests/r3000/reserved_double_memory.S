/* Loads and stores of 64 bits raise RI, also for coprocessors: ldc1, sdc1, ldc2, sdc2.
 * gxemul: no (it stops at some of them) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0xd5000000          /* ldc1 $f0, 0($t0) */
        RESERVED 0xf5000000          /* sdc1 $f0, 0($t0) */
        RESERVED 0xd9000000          /* ldc2 */
        RESERVED 0xf9000000          /* sdc2 */
RESERVED_TEST_END
