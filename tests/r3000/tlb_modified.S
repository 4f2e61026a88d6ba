/* A store to a valid page whose D is clear raises Mod through the general vector and does not store; loads and fetches
 * work. BadVAddr, EntryHi and Context are set. */
#include "test.h"
TEST
        PUT_CODE 0, CODE_JR_RA
        PUT_CODE 4, CODE_NOP
        PUT_CODE 0x678, 0x01020304
        MAP     1, HI(0x12345000, 0x15), LO(FREE_PA, LO_V)
        SET_CP0 C0_CONTEXT, 0xffe00000
        SET_ASID 0x15
        li      $t0, 0x12345678
        EXPECT_AT EXC_MOD, VECTOR_GENERAL, 0x12345678, sw $t0, 0($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 0x15)
        CHECK_STATE S_CONTEXT, 0xffe00000 | (0x12345 << 2)
        EXPECT_AT EXC_MOD, VECTOR_GENERAL, 0x12345679, sb $t0, 1($t0)
        EXPECT_AT EXC_MOD, VECTOR_GENERAL, 0x1234567a, sh $t0, 2($t0)
        EXPECT  EXC_MOD, swl $t0, 3($t0)
        CHECK_STATE_BITS S_BADVADDR, ~3, 0x12345678
        EXPECT  EXC_MOD, swr $t0, 1($t0)
        CHECK_STATE_BITS S_BADVADDR, ~3, 0x12345678
        CHECK_WORD 0, $t0, 0x01020304
        li      $t0, 0x12345000
        jalr    $t0
        nop
        CHECK_STATE S_COUNT, 5
TEST_END
