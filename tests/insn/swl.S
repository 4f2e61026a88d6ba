/* swl: all four alignments; the other bytes of memory stay. */
#include "memory.h"
TEST
        STORE   swl, 0, 0x5a5a5a12
        STORE   swl, 1, 0x5a5a12b4
        STORE   swl, 2, 0x5a12b4d6
        STORE   swl, 3, 0x12b4d6f8
TEST_END
