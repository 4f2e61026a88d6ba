/* Major opcodes without an instruction raise RI.
 * gxemul: no (it stops at some of them) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x60000000          /* 030 */
        RESERVED 0x64000000          /* 031 */
        RESERVED 0x68000000          /* 032 (ldl) */
        RESERVED 0x6c000000          /* 033 (ldr) */
        RESERVED 0x70000000          /* 034 */
        RESERVED 0x74000000          /* 035 */
        RESERVED 0x78000000          /* 036 */
        RESERVED 0x7c000000          /* 037 */
        RESERVED 0x9d090000          /* 047 (lwu) */
        RESERVED 0xb1090000          /* 054 (sdl) */
        RESERVED 0xb5090000          /* 055 (sdr) */
        RESERVED 0xd1090000          /* 064 (lld) */
        RESERVED 0xdd090000          /* 067 (ld) */
        RESERVED 0xf1090000          /* 074 (scd) */
        RESERVED 0xfd090000          /* 077 (sd) */
RESERVED_TEST_END
