/* A delay slot on another page than its branch: a miss of the slot's fetch has BD set, EPC at the branch, BadVAddr
 * at the slot. */
#include "test.h"
TEST
        PUT_CODE 0xff8, CODE_NOP
        PUT_CODE 0xffc, CODE_JR_RA
        MAP     1, 0x00600000, LO(FREE_PA, LO_V)
        SET_ASID 0
        li      $t0, 0x00600ff8
        RESUME_AT 1f
        jalr    $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, 0x00600ffc, 1
        CHECK_STATE S_BADVADDR, 0x00601000
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        CHECK_STATE_BITS S_ENTRYHI, 0xfffff000, 0x00601000
TEST_END
