/* mult and multu leave the 64-bit product in HI and LO: signs, limits, zero. */
#include "alu.h"
TEST
        TO_HI_LO mult, 0, 0x12345678, 0, 0
        TO_HI_LO mult, 0x12345678, 0x10, 0x1, 0x23456780
        TO_HI_LO mult, 0xffffffff, 0xffffffff, 0, 1
        TO_HI_LO mult, 0xffffffff, 1, 0xffffffff, 0xffffffff
        TO_HI_LO mult, 0x80000000, 0x80000000, 0x40000000, 0
        TO_HI_LO mult, 0x80000000, 0xffffffff, 0, 0x80000000
        TO_HI_LO mult, 0x7fffffff, 0x80000000, 0xc0000000, 0x80000000
        TO_HI_LO multu, 0xffffffff, 0xffffffff, 0xfffffffe, 1
        TO_HI_LO multu, 0x80000000, 0x80000000, 0x40000000, 0
        TO_HI_LO multu, 0xffffffff, 1, 0, 0xffffffff
        TO_HI_LO multu, 0x80000000, 2, 1, 0
TEST_END
