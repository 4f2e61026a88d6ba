/* divu: unsigned quotient and remainder. */
#include "alu.h"
TEST
        TO_HI_LO "divu $zero,", 0x00000000, 0x00000001, 0x00000000, 0x00000000
        TO_HI_LO "divu $zero,", 0x00000007, 0x00000002, 0x00000001, 0x00000003
        TO_HI_LO "divu $zero,", 0xffffffff, 0x00000001, 0x00000000, 0xffffffff
        TO_HI_LO "divu $zero,", 0xffffffff, 0x00000002, 0x00000001, 0x7fffffff
        TO_HI_LO "divu $zero,", 0xffffffff, 0xffffffff, 0x00000000, 0x00000001
        TO_HI_LO "divu $zero,", 0x80000000, 0xffffffff, 0x80000000, 0x00000000
        TO_HI_LO "divu $zero,", 0x80000000, 0x00000003, 0x00000002, 0x2aaaaaaa
        TO_HI_LO "divu $zero,", 0xdeadbeef, 0x00001234, 0x0000076b, 0x000c3ba5
        TO_HI_LO "divu $zero,", 0x00000005, 0x00000064, 0x00000005, 0x00000000
        TO_HI_LO "divu $zero,", 0x7fffffff, 0x80000000, 0x7fffffff, 0x00000000
TEST_END
