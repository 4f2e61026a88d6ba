/* sll */
#include "alu.h"
TEST
        IMMEDIATE sll, 0x00000001, 0, 0x00000001
        IMMEDIATE sll, 0x00000001, 1, 0x00000002
        IMMEDIATE sll, 0x00000001, 4, 0x00000010
        IMMEDIATE sll, 0x00000001, 8, 0x00000100
        IMMEDIATE sll, 0x00000001, 16, 0x00010000
        IMMEDIATE sll, 0x00000001, 31, 0x80000000
        IMMEDIATE sll, 0x80000000, 0, 0x80000000
        IMMEDIATE sll, 0x80000000, 1, 0x00000000
        IMMEDIATE sll, 0x80000000, 4, 0x00000000
        IMMEDIATE sll, 0x80000000, 8, 0x00000000
        IMMEDIATE sll, 0x80000000, 16, 0x00000000
        IMMEDIATE sll, 0x80000000, 31, 0x00000000
        IMMEDIATE sll, 0x12345678, 0, 0x12345678
        IMMEDIATE sll, 0x12345678, 1, 0x2468acf0
        IMMEDIATE sll, 0x12345678, 4, 0x23456780
        IMMEDIATE sll, 0x12345678, 8, 0x34567800
        IMMEDIATE sll, 0x12345678, 16, 0x56780000
        IMMEDIATE sll, 0x12345678, 31, 0x00000000
        IMMEDIATE sll, 0xdeadbeef, 0, 0xdeadbeef
        IMMEDIATE sll, 0xdeadbeef, 1, 0xbd5b7dde
        IMMEDIATE sll, 0xdeadbeef, 4, 0xeadbeef0
        IMMEDIATE sll, 0xdeadbeef, 8, 0xadbeef00
        IMMEDIATE sll, 0xdeadbeef, 16, 0xbeef0000
        IMMEDIATE sll, 0xdeadbeef, 31, 0x80000000
        IMMEDIATE_ALIASES sll, 0x82345678, 7, 0x1a2b3c00
TEST_END
