/* There is no coprocessor 2: unusable (CE = 2). qemu: no (its processor tells RI for some of them) */
#include "test.h"
.macro UNUSABLE insn:vararg
        EXPECT  EXC_CPU, \insn
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 2
.endm
TEST
        UNUSABLE .word 0x48000000       /* mfc2 */
        UNUSABLE .word 0x4a000000       /* cop2 */
        UNUSABLE .word 0xc8000000       /* lwc2 */
        UNUSABLE .word 0xd8000000       /* ldc2 */
        UNUSABLE .word 0xe8000000       /* swc2 */
        UNUSABLE .word 0xf8000000       /* sdc2 */
        EXPECT  EXC_SYS, syscall        /* CE does not stick */
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 0
TEST_END
