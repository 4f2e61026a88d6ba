/* Encodings that no MIPS32 release 2 processor has raise RI and change nothing. qemu: no (it has DSP, MT) */
#include "test.h"
TEST
        li      $t0, 0x12345678
        EXPECT  EXC_RI, .word 0x00000005        /* SPECIAL 05 */
        EXPECT  EXC_RI, .word 0x0109002c        /* dadd */
        EXPECT  EXC_RI, .word 0x0109003c        /* SPECIAL 3c: dsll32 */
        EXPECT  EXC_RI, .word 0x05050000        /* REGIMM 05 */
        EXPECT  EXC_RI, .word 0x70000003        /* SPECIAL2 03 */
        EXPECT  EXC_RI, .word 0x7c000005        /* SPECIAL3 05 */
        EXPECT  EXC_RI, .word 0x61080001        /* daddi */
        EXPECT  EXC_RI, .word 0x65080001        /* daddiu */
        EXPECT  EXC_RI, .word 0xdd080000        /* ld */
        EXPECT  EXC_RI, .word 0xfd080000        /* sd */
        EXPECT  EXC_RI, .word 0x75080000        /* jalx is not for us: opcode 1d */
        EXPECT  EXC_RI, .word 0xcd0b0000 | 0x10000000
        EXPECT  EXC_RI, .word 0x7c08503f        /* rdhwr with a nonzero field */
        CHECK   $t0, 0x12345678
        SET_STATUS ST_CU1
        EXPECT  EXC_RI, .word 0x4600003c & ~0x3c | 0x1b
        EXPECT  EXC_RI, .word 0x46c00000        /* add.ps */
        EXPECT  EXC_RI, .word 0x4c000002        /* COP1X 02 */
TEST_END
