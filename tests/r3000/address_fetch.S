/* A jump to an address that is no multiple of 4 succeeds; the fetch there raises AdEL, with EPC and BadVAddr the
 * address itself, not the jump's, and BD clear.
 * gxemul: no (it fetches from misaligned addresses) */
#include "test.h"
        .macro  JUMP_TO offset
        la      $t0, 9f + \offset
        RESUME_AT 8f
        jr      $t0
        li      $t2, 0x100 + \offset    /* the delay slot executes */
        FAIL
9:      nop
        nop
        FAIL
8:      CHECK_EXCEPTION EXC_ADEL, 9b + \offset
        CHECK_STATE S_BADVADDR, 9b + \offset
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t2, 0x100 + \offset
        .endm
TEST
        JUMP_TO 1
        JUMP_TO 2
        JUMP_TO 3
        la      $t0, 1f + 2             /* jalr links before that */
        li      $t3, 0
        RESUME_AT 2f
        jalr    $t3, $t0
        nop
1:      nop
        FAIL
2:      CHECK_EXCEPTION EXC_ADEL, 1b + 2
        CHECK   $t3, 1b
TEST_END
