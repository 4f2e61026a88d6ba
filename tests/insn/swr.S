/* swr: all four alignments; the other bytes of memory stay. */
#include "memory.h"
TEST
        STORE   swr, 0, 0x12b4d6f8
        STORE   swr, 1, 0xb4d6f85a
        STORE   swr, 2, 0xd6f85a5a
        STORE   swr, 3, 0xf85a5a5a
TEST_END
