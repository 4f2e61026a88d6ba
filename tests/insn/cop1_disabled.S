/* Floating-point instructions without Status.CU1: coprocessor 1 unusable (CE = 1), before anything else they could
 * raise; movf and movt too. */
#include "test.h"
.macro UNUSABLE insn:vararg
        EXPECT  EXC_CPU, \insn
        lw      $t0, S_CAUSE($gp)
        ext     $t0, $t0, 28, 2
        CHECK   $t0, 1
.endm
TEST
        UNUSABLE add.s $f0, $f2, $f4
        UNUSABLE add.d $f0, $f2, $f4
        UNUSABLE mtc1 $t1, $f0
        UNUSABLE mfc1 $t1, $f0
        UNUSABLE cfc1 $t1, $31
        UNUSABLE ctc1 $t1, $31
        UNUSABLE lwc1 $f0, 1($zero)
        UNUSABLE sdc1 $f0, 1($zero)
        UNUSABLE c.eq.s $f0, $f0
        UNUSABLE bc1t . + 8
        UNUSABLE movf $t1, $t2, $fcc0
        UNUSABLE madd.s $f0, $f0, $f0, $f0
        UNUSABLE ldxc1 $f0, $zero($zero)
        UNUSABLE cvt.d.w $f0, $f2
TEST_END
