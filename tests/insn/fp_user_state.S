/* Floating point in user mode with CU1; the registers and FCSR survive exceptions. */
#include "fp.h"
TEST
        MAP_PROGRAM
        SET_STATUS ST_CU1
        SET_FCSR RM_UP
        SINGLE  20, 0x3f800000
        SINGLE  22, 0x40400000
        b       2f
        nop
1:      div.s   $f24, $f20, $f22
        syscall
2:      RUN_USER 1b, ST_CU1
        CHECK_EXCEPTION EXC_SYS, USER(1b) + 4
        CHECK_SINGLE 24, 0x3eaaaaab
        CHECK_FCSR 3 | FC_FLAGS, RM_UP | FC_I
        RUN_USER 1b
        CHECK_EXCEPTION EXC_CPU, USER(1b)
TEST_END
