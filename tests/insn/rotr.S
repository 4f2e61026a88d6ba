/* rotr */
#include "alu.h"
TEST
        IMMEDIATE rotr, 0x00000001, 0, 0x00000001
        IMMEDIATE rotr, 0x00000001, 1, 0x80000000
        IMMEDIATE rotr, 0x00000001, 4, 0x10000000
        IMMEDIATE rotr, 0x00000001, 8, 0x01000000
        IMMEDIATE rotr, 0x00000001, 16, 0x00010000
        IMMEDIATE rotr, 0x00000001, 31, 0x00000002
        IMMEDIATE rotr, 0x80000000, 0, 0x80000000
        IMMEDIATE rotr, 0x80000000, 1, 0x40000000
        IMMEDIATE rotr, 0x80000000, 4, 0x08000000
        IMMEDIATE rotr, 0x80000000, 8, 0x00800000
        IMMEDIATE rotr, 0x80000000, 16, 0x00008000
        IMMEDIATE rotr, 0x80000000, 31, 0x00000001
        IMMEDIATE rotr, 0x12345678, 0, 0x12345678
        IMMEDIATE rotr, 0x12345678, 1, 0x091a2b3c
        IMMEDIATE rotr, 0x12345678, 4, 0x81234567
        IMMEDIATE rotr, 0x12345678, 8, 0x78123456
        IMMEDIATE rotr, 0x12345678, 16, 0x56781234
        IMMEDIATE rotr, 0x12345678, 31, 0x2468acf0
        IMMEDIATE rotr, 0xdeadbeef, 0, 0xdeadbeef
        IMMEDIATE rotr, 0xdeadbeef, 1, 0xef56df77
        IMMEDIATE rotr, 0xdeadbeef, 4, 0xfdeadbee
        IMMEDIATE rotr, 0xdeadbeef, 8, 0xefdeadbe
        IMMEDIATE rotr, 0xdeadbeef, 16, 0xbeefdead
        IMMEDIATE rotr, 0xdeadbeef, 31, 0xbd5b7ddf
        IMMEDIATE_ALIASES rotr, 0x82345678, 7, 0xf10468ac
TEST_END
