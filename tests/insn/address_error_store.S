/* Unaligned stores: AdES with BadVAddr; neither register nor memory changes. */
#include "memory.h"
TEST
        la      $t0, word
        li      $t1, 0x12345678
        sw      $t1, 0($t0)
        MISALIGNED EXC_ADES, sh, 1
        MISALIGNED EXC_ADES, sh, 3
        MISALIGNED EXC_ADES, sw, 1
        MISALIGNED EXC_ADES, sw, 2
        MISALIGNED EXC_ADES, sw, 3
        lw      $t2, 0($t0)
        CHECK   $t2, 0x12345678
        lw      $t2, 4($t0)
        CHECK   $t2, 0
TEST_END
