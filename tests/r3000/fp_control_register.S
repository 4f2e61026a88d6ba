/* FCR31 keeps condition, causes, enables, flags and the rounding mode; the other bits read as zero. No interrupt is
 * wanted here, so that no cause is written together with its enable.
 * gxemul: no (its FCR31 keeps all bits) */
#include "fp.h"
FP_TEST
        .irp    value, 0x00800000, 0x0001f000, 0x00000f80, 0x0000007c, 0x00000003, 0x00800f83, 0
        SET_FCSR \value
        CHECK_FCSR 0xffffffff, \value
        .endr
        SET_FCSR 0xff7c0000
        CHECK_FCSR 0xffffffff, 0
TEST_END
