/* A fetch from an address that nothing answers raises IBE with EPC the address.
 * gxemul: no (nothing is missing from its bus) */
#include "test.h"
TEST
        li      $t0, KSEG1(NOWHERE)
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_IBE, KSEG1(NOWHERE)
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
TEST_END
