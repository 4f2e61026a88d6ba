/* The one quotient that does not fit, -2^31 / -1: no exception; LO is -2^31, HI 0 (psx-spx).
 * gxemul: no (its remainder is not 0) */
#include "alu.h"
TEST
        TO_HI_LO "div $zero,", 0x80000000, -1, 0, 0x80000000
        CHECK_STATE S_COUNT, 0
TEST_END
