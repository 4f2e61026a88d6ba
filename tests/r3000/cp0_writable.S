/* Every register of CP0 keeps the bits that Kane and Heinrich, chapters 4 and 6, make writable, and no others.
 * gxemul: no (it keeps all bits that mtc0 writes) */
#include "test.h"
TEST
        KEEPS   0x00003f00, 0, C0_INDEX
        KEEPS   0xffffff00, 0, C0_ENTRYLO
        KEEPS   0xffe00000, 0, C0_CONTEXT
        READ_ONLY C0_BADVADDR
        KEEPS   0xffffffc0, 0, C0_ENTRYHI
        /* in kernel mode with interrupts off; a load needs caches that are not isolated. Cause: cause_writable.S */
        KEEPS_WITHIN 0xf044ff3c, 0, 0, ST_ISC | ST_SWC | ST_KUC | ST_IEC, C0_STATUS
        .irp    caches, ST_ISC, ST_SWC, ST_ISC | ST_SWC
        li      $t0, \caches
        mtc0    $t0, C0_STATUS
        SETTLE
        mfc0    $t1, C0_STATUS
        mtc0    $zero, C0_STATUS
        SETTLE
        CHECK_SAME $t0, $t1
        .endr
        READ_ONLY C0_EPC
        READ_ONLY C0_PRID
TEST_END
