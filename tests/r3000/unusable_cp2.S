/* Every instruction of coprocessor 2 raises CpU with CE 2 while CU2 is clear: moves, operations, branches, loads,
 * stores.
 * gxemul: no (it stops at coprocessors 2 and 3) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT_UNUSABLE 2, .word 0x40090000 | 2 << 26          /* mfc2 $t1, $0 */
        EXPECT_UNUSABLE 2, .word 0x40490000 | 2 << 26          /* cfc2 $t1, $0 */
        EXPECT_UNUSABLE 2, .word 0x40890000 | 2 << 26          /* mtc2 $t1, $0 */
        EXPECT_UNUSABLE 2, .word 0x40c90000 | 2 << 26          /* ctc2 $t1, $0 */
        EXPECT_UNUSABLE 2, .word 0x41000001 | 2 << 26          /* bc2f */
        EXPECT_UNUSABLE 2, .word 0x41010001 | 2 << 26          /* bc2t */
        EXPECT_UNUSABLE 2, .word 0x42000001 | 2 << 26          /* cop2 1 */
        EXPECT_UNUSABLE 2, .word 0xc1090000 | 2 << 26          /* lwc2 $9, 0($t0) */
        EXPECT_UNUSABLE 2, .word 0xe1090000 | 2 << 26          /* swc2 $9, 0($t0) */
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
TEST_END
