/* div: truncates towards zero; the remainder has the sign of the dividend. */
#include "alu.h"
TEST
        TO_HI_LO "div $zero,", 0x00000000, 0x00000001, 0x00000000, 0x00000000
        TO_HI_LO "div $zero,", 0x00000007, 0x00000002, 0x00000001, 0x00000003
        TO_HI_LO "div $zero,", 0xfffffff9, 0x00000002, 0xffffffff, 0xfffffffd
        TO_HI_LO "div $zero,", 0x00000007, 0xfffffffe, 0x00000001, 0xfffffffd
        TO_HI_LO "div $zero,", 0xfffffff9, 0xfffffffe, 0xffffffff, 0x00000003
        TO_HI_LO "div $zero,", 0x7fffffff, 0x00000001, 0x00000000, 0x7fffffff
        TO_HI_LO "div $zero,", 0x80000000, 0x00000001, 0x00000000, 0x80000000
        TO_HI_LO "div $zero,", 0x80000000, 0x00000002, 0x00000000, 0xc0000000
        TO_HI_LO "div $zero,", 0xffffffff, 0x7fffffff, 0xffffffff, 0x00000000
        TO_HI_LO "div $zero,", 0x12345678, 0x00001234, 0x00000da8, 0x00010004
        TO_HI_LO "div $zero,", 0x00000005, 0x00000064, 0x00000005, 0x00000000
        TO_HI_LO "div $zero,", 0xfffffffb, 0x00000064, 0xfffffffb, 0x00000000
TEST_END
