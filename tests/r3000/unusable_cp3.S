/* Every instruction of coprocessor 3 raises CpU with CE 3 while CU3 is clear: moves, operations, branches, loads,
 * stores.
 * gxemul: no (it stops at coprocessors 2 and 3) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT_UNUSABLE 3, .word 0x40090000 | 3 << 26          /* mfc3 $t1, $0 */
        EXPECT_UNUSABLE 3, .word 0x40490000 | 3 << 26          /* cfc3 $t1, $0 */
        EXPECT_UNUSABLE 3, .word 0x40890000 | 3 << 26          /* mtc3 $t1, $0 */
        EXPECT_UNUSABLE 3, .word 0x40c90000 | 3 << 26          /* ctc3 $t1, $0 */
        EXPECT_UNUSABLE 3, .word 0x41000001 | 3 << 26          /* bc3f */
        EXPECT_UNUSABLE 3, .word 0x41010001 | 3 << 26          /* bc3t */
        EXPECT_UNUSABLE 3, .word 0x42000001 | 3 << 26          /* cop3 1 */
        EXPECT_UNUSABLE 3, .word 0xc1090000 | 3 << 26          /* lwc3 $9, 0($t0) */
        EXPECT_UNUSABLE 3, .word 0xe1090000 | 3 << 26          /* swc3 $9, 0($t0) */
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
TEST_END
