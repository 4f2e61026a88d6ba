/* sra: copies the sign. */
#include "alu.h"
TEST
        IMMEDIATE sra, 0x00000001, 0, 0x00000001
        IMMEDIATE sra, 0x00000001, 1, 0x00000000
        IMMEDIATE sra, 0x00000001, 4, 0x00000000
        IMMEDIATE sra, 0x00000001, 8, 0x00000000
        IMMEDIATE sra, 0x00000001, 16, 0x00000000
        IMMEDIATE sra, 0x00000001, 31, 0x00000000
        IMMEDIATE sra, 0x80000000, 0, 0x80000000
        IMMEDIATE sra, 0x80000000, 1, 0xc0000000
        IMMEDIATE sra, 0x80000000, 4, 0xf8000000
        IMMEDIATE sra, 0x80000000, 8, 0xff800000
        IMMEDIATE sra, 0x80000000, 16, 0xffff8000
        IMMEDIATE sra, 0x80000000, 31, 0xffffffff
        IMMEDIATE sra, 0x12345678, 0, 0x12345678
        IMMEDIATE sra, 0x12345678, 1, 0x091a2b3c
        IMMEDIATE sra, 0x12345678, 4, 0x01234567
        IMMEDIATE sra, 0x12345678, 8, 0x00123456
        IMMEDIATE sra, 0x12345678, 16, 0x00001234
        IMMEDIATE sra, 0x12345678, 31, 0x00000000
        IMMEDIATE sra, 0xdeadbeef, 0, 0xdeadbeef
        IMMEDIATE sra, 0xdeadbeef, 1, 0xef56df77
        IMMEDIATE sra, 0xdeadbeef, 4, 0xfdeadbee
        IMMEDIATE sra, 0xdeadbeef, 8, 0xffdeadbe
        IMMEDIATE sra, 0xdeadbeef, 16, 0xffffdead
        IMMEDIATE sra, 0xdeadbeef, 31, 0xffffffff
        IMMEDIATE_ALIASES sra, 0x82345678, 7, 0xff0468ac
TEST_END
