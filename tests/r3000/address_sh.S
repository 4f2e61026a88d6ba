/* Alignment of halfword stores: an address that is no multiple of the size raises AdES and sets BadVAddr to it; the
 * memory keeps its content. The multiples work. */
#include "address.h"
ADDRESS_TEST
        MISALIGNED EXC_ADES, sh, 1
        MISALIGNED EXC_ADES, sh, 3
        CHECK_WORD 0, $t0, 0x11223344
        CHECK_WORD 4, $t0, 0x11223344
        sh      $t1, 4($t0)
        sh      $t1, 2($t0)
        CHECK_WORD 0, $t0, 0x5a5a3344
        CHECK_WORD 4, $t0, 0x11225a5a
TEST_END
