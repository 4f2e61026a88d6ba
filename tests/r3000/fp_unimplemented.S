/* What the R3010 lacks is not the R3000's to refuse: sqrt, round.w, trunc.w, ceil.w, floor.w of MIPS II, movf, recip
 * and long words of later ones set E and the interrupt; so do formats an operation does not have.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x40800000
        SINGLE  21, 0
        REQUESTS FC_E, .word 0x4600a604         /* sqrt.s $f24, $f20 */
        REQUESTS FC_E, .word 0x4620a604         /* sqrt.d */
        REQUESTS FC_E, .word 0x4600a60c         /* round.w.s */
        REQUESTS FC_E, .word 0x4600a60d         /* trunc.w.s */
        REQUESTS FC_E, .word 0x4600a60e         /* ceil.w.s */
        REQUESTS FC_E, .word 0x4600a60f         /* floor.w.s */
        REQUESTS FC_E, .word 0x4600a611         /* movf.s */
        REQUESTS FC_E, .word 0x4600a615         /* recip.s */
        REQUESTS FC_E, .word 0x4600a625         /* cvt.l.s */
        REQUESTS FC_E, .word 0x46a0a620         /* cvt.s.l */
        REQUESTS FC_E, .word 0x4600a620         /* cvt.s.s */
        REQUESTS FC_E, .word 0x4694a600         /* add.w */
        CHECK_STATE S_COUNT, 0
TEST_END
