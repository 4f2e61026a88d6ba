/* Flags accumulate, causes are those of the last operation; a quiet operation clears the causes only; ctc1 clears. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0
        SINGLE  20, 0x3f800000
        SINGLE  22, 0
        div.s   $f24, $f20, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_CAUSE(FC_Z)
        div.s   $f24, $f22, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V | FC_CAUSE(FC_V)
        add.s   $f24, $f20, $f20
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V
        SINGLE  22, 0x40400000
        div.s   $f24, $f20, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V | FC_I | FC_CAUSE(FC_I)
        mov.s   $f24, $f20
        CHECK_FCSR FC_CAUSES, FC_CAUSE(FC_I)
        SET_FCSR 0
        CHECK_FCSR 0xffffffff, 0
TEST_END
