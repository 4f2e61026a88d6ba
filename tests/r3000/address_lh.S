/* Alignment of halfword loads: an address that is no multiple of the size raises AdEL and sets BadVAddr to it; the
 * register keeps its value. The multiples work. */
#include "address.h"
ADDRESS_TEST
        MISALIGNED EXC_ADEL, lh, 1
        MISALIGNED EXC_ADEL, lh, 3
        MISALIGNED EXC_ADEL, lhu, 1
        MISALIGNED EXC_ADEL, lhu, 3
        lh      $t1, 4($t0)
        nop
        CHECK   $t1, 0x3344
        lhu     $t1, 2($t0)
        nop
        CHECK   $t1, 0x1122
TEST_END
