/* Code in mapped pages: control runs from one page into the next, whose frame is elsewhere; a page that is missing or
 * invalid raises TLBL at its first instruction, with EPC and BadVAddr its address and BD clear. */
#include "test.h"
TEST
        PUT_CODE 0x0ff8, 0x24020001     /* addiu $v0, $zero, 1 */
        PUT_CODE 0x0ffc, 0x24420002     /* addiu $v0, $v0, 2 */
        PUT_CODE 0x3000, 0x24420004
        PUT_CODE 0x3004, CODE_JR_RA
        PUT_CODE 0x3008, 0x24420008
        MAP     1, 0x00700000, LO(FREE_PA, LO_V)
        SET_ASID 0
        li      $t0, 0x00700ff8
        RESUME_AT 1f                    /* missing */
        jalr    $t0
        nop
        FAIL
1:      CHECK   $v0, 3
        CHECK_EXCEPTION EXC_TLBL, 0x00701000
        CHECK_STATE S_BADVADDR, 0x00701000
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        MAP     2, 0x00701000, LO(FREE_PA + 0x3000, 0)
        SET_ASID 0
        RESUME_AT 1f                    /* invalid */
        jalr    $t0
        nop
        FAIL
1:      CHECK   $v0, 3
        CHECK_EXCEPTION EXC_TLBL, 0x00701000
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        MAP     2, 0x00701000, LO(FREE_PA + 0x3000, LO_V)
        SET_ASID 0
        jalr    $t0
        nop
        CHECK   $v0, 15
TEST_END
