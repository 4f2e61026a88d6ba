/* A watched instruction raises the Watch exception instead of being executed: sequentially, at a jump's target, in a delay
 * slot, and in code that has run before.
 * qemu: no (another processor)
 * simos: --set cpu.watch_registers=on */
#include "test.h"
TEST
        li      $t0, 0
        WATCH   0, one, WATCH_I
        RESUME_AT 1f
        .balign 8
        addiu   $t0, $t0, 1
        nop
one:    addiu   $t0, $t0, 0x10
        addiu   $t0, $t0, 0x100
1:      CHECK_EXCEPTION EXC_WATCH, one
        CHECK   $t0, 1
        CHECK_WATCHED 0, WATCH_I
        CHECK_WATCHED 1, 0
        RESUME_AT 1f                    /* the other word of it */
        la      $t1, one + 4
        jr      $t1
        addiu   $t0, $t0, 1
1:      CHECK_EXCEPTION EXC_WATCH, one + 4
        CHECK   $t0, 2

        RESUME_AT 1f                    /* in a delay slot */
        WATCH   1, slot, WATCH_I
        .balign 8
        nop
branch: b       2f
slot:   addiu   $t0, $t0, 0x10
        nop
2:      FAIL
1:      CHECK_EXCEPTION EXC_WATCH, branch, 1
        CHECK   $t0, 2
        UNWATCH 0
        UNWATCH 1

        li      $t1, 100                /* code that has run, and is switched to */
        li      $t0, 0
3:      WATCH   0, 0, 0
        addiu   $t1, $t1, -1
        bnez    $t1, 4f
        nop
        RESUME_AT 5f
        WATCH   0, 4f, WATCH_I, WATCH_G | 0x18
        .balign 32
4:      b       6f
        nop
        .balign 32
6:      addiu   $t0, $t0, 1
        bnez    $t1, 3b
        nop
        FAIL
5:      CHECK_EXCEPTION EXC_WATCH, 4b
        CHECK   $t0, 99
        UNWATCH 0

        /* before an address error and a TLB miss of the fetch */
        WATCH   0, 0x00700000, WATCH_I
        RESUME_AT 1f
        li      $t1, 0x00700000
        jr      $t1
        nop
1:      CHECK_EXCEPTION EXC_WATCH, 0x00700000
        RESUME_AT 1f
        li      $t1, 0x00700002
        jr      $t1
        nop
1:      CHECK_EXCEPTION EXC_WATCH, 0x00700002
        UNWATCH 0
        RESUME_AT 1f
        li      $t1, 0x00700000
        jr      $t1
        nop
1:      CHECK_EXCEPTION EXC_TLBL, 0x00700000

        /* user mode, by address space */
        MAP_PROGRAM
        SET_ASID 3
        WATCH   0, user - 0x80000000 + 8, WATCH_I, WATCH_ASID(3)
        li      $t0, 0
        RUN_USER user
        CHECK_EXCEPTION EXC_WATCH, USER(user) + 8
        CHECK   $t0, 1
        SET_ASID 4
        RUN_USER user
        CHECK_EXCEPTION EXC_SYS, USER(user) + 12
        CHECK   $t0, 0x12
        UNWATCH 0
TEST_END
        .balign 8
user:   addiu   $t0, $t0, 1
        nop
        addiu   $t0, $t0, 0x10
        syscall
