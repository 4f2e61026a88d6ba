/* Alignment of word stores: an address that is no multiple of the size raises AdES and sets BadVAddr to it; the
 * memory keeps its content. The multiples work. */
#include "address.h"
ADDRESS_TEST
        MISALIGNED EXC_ADES, sw, 1
        MISALIGNED EXC_ADES, sw, 2
        MISALIGNED EXC_ADES, sw, 3
        CHECK_WORD 0, $t0, 0x11223344
        CHECK_WORD 4, $t0, 0x11223344
        sw      $t1, 4($t0)
        CHECK_WORD 4, $t0, 0x5a5a5a5a
TEST_END
