/* Unaligned loads: AdEL with BadVAddr; neither register nor memory changes. */
#include "memory.h"
TEST
        la      $t0, word
        li      $t1, 0x12345678
        sw      $t1, 0($t0)
        MISALIGNED EXC_ADEL, lh, 1
        MISALIGNED EXC_ADEL, lh, 3
        MISALIGNED EXC_ADEL, lhu, 1
        MISALIGNED EXC_ADEL, lhu, 3
        MISALIGNED EXC_ADEL, lw, 1
        MISALIGNED EXC_ADEL, lw, 2
        MISALIGNED EXC_ADEL, lw, 3
        lw      $t2, 0($t0)
        CHECK   $t2, 0x12345678
        lw      $t2, 4($t0)
        CHECK   $t2, 0
        EXPECT  EXC_ADEL, lw $zero, 2($t0)
TEST_END
