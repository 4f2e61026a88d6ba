/* User mode jumps to a kernel address: AdEL there, even if the kernel runs that code. */
#include "test.h"
TEST
        MAP_PROGRAM
        b       2f
        nop
1:      jr      $t0
        nop
2:      la      $t0, test_finish
        RUN_USER 1b
        CHECK_EXCEPTION EXC_ADEL, test_finish
        CHECK_STATE S_BADVADDR, test_finish
        lw      $t1, S_STATUS($gp)
        CHECK_BITS $t1, ST_UM | ST_EXL, ST_UM | ST_EXL
TEST_END
