/* Functions of SPECIAL that no instruction of the R3000 has raise RI.
 * gxemul: no (it stops at some of them) */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x01095001          /* 001 */
        RESERVED 0x01095005          /* 005 */
        RESERVED 0x0000000e          /* 016 */
        RESERVED 0x01095014          /* 024 (dsllv) */
        RESERVED 0x01095015          /* 025 */
        RESERVED 0x01095016          /* 026 (dsrlv) */
        RESERVED 0x01095017          /* 027 */
        RESERVED 0x0109001c          /* 034 (dmult) */
        RESERVED 0x0109001d          /* 035 */
        RESERVED 0x0109001e          /* 036 (ddiv) */
        RESERVED 0x0109001f          /* 037 */
        RESERVED 0x01095028          /* 050 */
        RESERVED 0x01095029          /* 051 */
        RESERVED 0x0109502c          /* 054 (dadd) */
        RESERVED 0x0109502d          /* 055 (daddu) */
        RESERVED 0x0109502e          /* 056 */
        RESERVED 0x0109502f          /* 057 */
        RESERVED 0x01090035          /* 065 */
        RESERVED 0x01090037          /* 067 */
        RESERVED 0x00095038          /* 070 (dsll) */
        RESERVED 0x00095039          /* 071 */
        RESERVED 0x0009503a          /* 072 (dsrl) */
        RESERVED 0x0009503b          /* 073 */
        RESERVED 0x0009503c          /* 074 (dsll32) */
        RESERVED 0x0009503d          /* 075 */
        RESERVED 0x0009503e          /* 076 */
        RESERVED 0x0009503f          /* 077 */
RESERVED_TEST_END
