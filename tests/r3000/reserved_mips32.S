/* What MIPS32 added to SPECIAL2 and SPECIAL3 raises RI: mul, madd, clz, ext, ins, seb, rdhwr. */
#include "reserved.h"
RESERVED_TEST
        RESERVED 0x71094802          /* mul $t1, $t0, $t1 */
        RESERVED 0x71090000          /* madd */
        RESERVED 0x71090001          /* maddu */
        RESERVED 0x71090004          /* msub */
        RESERVED 0x71094820          /* clz */
        RESERVED 0x71094821          /* clo */
        RESERVED 0x7000003f          /* sdbbp */
        RESERVED 0x7d093800          /* ext */
        RESERVED 0x7d093804          /* ins */
        RESERVED 0x7c094c20          /* seb */
        RESERVED 0x7c094e20          /* seh */
        RESERVED 0x7c0948a0          /* wsbh */
        RESERVED 0x7c09e83b          /* rdhwr $t1, $29 */
RESERVED_TEST_END
