/* An exception leaves all general registers (but the handler's $k0 and $k1), HI and LO as they are. */
#include "test.h"
TEST
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 29, 30, 31
        li      $\n, 0x01010101 * \n
        .endr
        mthi    $2
        mtlo    $3
        EXPECT  EXC_SYS, syscall
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 29, 30, 31
        CHECK   $\n, 0x01010101 * \n
        .endr
        mfhi    $4
        mflo    $5
        CHECK   $4, 0x02020202
        CHECK   $5, 0x03030303
TEST_END
