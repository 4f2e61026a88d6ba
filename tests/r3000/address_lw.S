/* Alignment of word loads: an address that is no multiple of the size raises AdEL and sets BadVAddr to it; the
 * register keeps its value. The multiples work. */
#include "address.h"
ADDRESS_TEST
        MISALIGNED EXC_ADEL, lw, 1
        MISALIGNED EXC_ADEL, lw, 2
        MISALIGNED EXC_ADEL, lw, 3
        lw      $t1, 4($t0)
        nop
        CHECK   $t1, 0x11223344
TEST_END
