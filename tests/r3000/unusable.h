/* The program of unusable_cp2 and unusable_cp3, about coprocessor UNIT. */
#ifndef SIMOS_TESTS_R3000_UNUSABLE_H
#define SIMOS_TESTS_R3000_UNUSABLE_H

#include "test.h"

TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT_UNUSABLE UNIT, .word 0x40090000 | UNIT << 26          /* mfcz $t1, $0 */
        EXPECT_UNUSABLE UNIT, .word 0x40490000 | UNIT << 26          /* cfcz $t1, $0 */
        EXPECT_UNUSABLE UNIT, .word 0x40890000 | UNIT << 26          /* mtcz $t1, $0 */
        EXPECT_UNUSABLE UNIT, .word 0x40c90000 | UNIT << 26          /* ctcz $t1, $0 */
        EXPECT_UNUSABLE UNIT, .word 0x41000001 | UNIT << 26          /* bczf */
        EXPECT_UNUSABLE UNIT, .word 0x41010001 | UNIT << 26          /* bczt */
        EXPECT_UNUSABLE UNIT, .word 0x42000001 | UNIT << 26          /* copz 1 */
        EXPECT_UNUSABLE UNIT, .word 0xc1090000 | UNIT << 26          /* lwcz $9, 0($t0) */
        EXPECT_UNUSABLE UNIT, .word 0xe1090000 | UNIT << 26          /* swcz $9, 0($t0) */
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
TEST_END

#endif
