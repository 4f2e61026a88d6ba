/* Performance counters: readable and writable; event 1 counts instructions exactly, in the modes chosen; event 0 counts
 * cycles, of which an instruction takes at least one where one graduates at a time. qemu: no (it has none)
 * simos: --set mxs.graduate_width=1 */
#include "test.h"
#define CTL_EXL 1
#define CTL_K   2
#define CTL_U   8
#define EVENT(n) ((n) << 5)
TEST
        li      $t0, 0x12345678
        mtc0    $t0, C0_PERFCNT0
        li      $t0, 0x9abcdef0
        mtc0    $t0, C0_PERFCNT1
        ehb
        mfc0    $t0, C0_PERFCNT0
        CHECK   $t0, 0x12345678
        mfc0    $t0, C0_PERFCNT1
        CHECK   $t0, 0x9abcdef0
        li      $t0, EVENT(1) | CTL_K
        mtc0    $t0, C0_PERFCTL0
        li      $t0, EVENT(0) | CTL_K
        mtc0    $t0, C0_PERFCTL1
        mtc0    $zero, C0_PERFCNT1
        mtc0    $zero, C0_PERFCNT0
        ehb
        mfc0    $t0, C0_PERFCNT0
        mfc0    $t1, C0_PERFCNT0
        subu    $t2, $t1, $t0
        CHECK   $t2, 1
        mfc0    $t0, C0_PERFCNT0
        li      $t3, 99
1:      bnez    $t3, 1b
        addiu   $t3, $t3, -1
        mfc0    $t1, C0_PERFCNT0
        subu    $t2, $t1, $t0
        CHECK   $t2, 2 + 200
        mfc0    $t1, C0_PERFCNT0
        mfc0    $t0, C0_PERFCNT1
        sltu    $t2, $t0, $t1
        CHECK   $t2, 0
        li      $t0, EVENT(1) | CTL_U   /* not in kernel mode */
        mtc0    $t0, C0_PERFCTL0
        mtc0    $zero, C0_PERFCTL1
        mtc0    $zero, C0_PERFCNT0
        ehb
        mfc0    $t1, C0_PERFCNT0
        CHECK   $t1, 0
        MAP_PROGRAM
        b       3f
        nop
2:      nop
        nop
        nop
        syscall
3:      RUN_USER 2b
        mfc0    $t1, C0_PERFCNT0
        addiu   $t1, $t1, -3            /* does the syscall that traps count? either way */
        sltiu   $t1, $t1, 2
        CHECK   $t1, 1
TEST_END
