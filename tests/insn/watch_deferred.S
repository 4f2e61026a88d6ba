/* With Status.EXL or ERL set a watched access completes and sets Cause.WP; the Watch exception comes when both are clear,
 * at the instruction that is next then, after an interrupt that is pending too. Software cancels it by clearing WP.
 * qemu: no (another processor)
 * simos: --set cpu.watch_registers=on */
#include "test.h"
TEST
        la      $t0, words
        li      $t1, 5
        sw      $t1, 8($t0)
        HOOK    handler
        li      $t2, 0                  /* exceptions, in base 16: their codes + 1, as they come */

        SET_STATUS ST_EXL               /* by mtc0 */
        WATCH   2, words + 8, WATCH_R | WATCH_W
        li      $t1, 0
        lw      $t1, 8($t0)
        CHECK   $t1, 5
        li      $t1, 6
        sw      $t1, 8($t0)
        CHECK_WATCHED 2, WATCH_R | WATCH_W
        mfc0    $t3, C0_CAUSE
        CHECK_BITS $t3, CA_WP, CA_WP
        CHECK   $t2, 0
        mtc0    $zero, C0_STATUS
        ehb
1:      CHECK   $t2, 0x118              /* Watch once */
        lw      $t3, S_EPC($gp)
        la      $t4, 1b - 4
        beq     $t3, $t4, 2f            /* behind mtc0: with or without ehb */
        nop
        la      $t4, 1b
        CHECK_SAME $t3, $t4
2:

        SET_STATUS ST_EXL               /* by eret, to its target */
        lw      $t1, 8($t0)
        CHECK   $t1, 6
        la      $t3, 3f
        mtc0    $t3, C0_EPC
        ehb
        li      $t2, 0
        eret
        FAIL
3:      CHECK   $t2, 0x118
        CHECK_STATE S_EPC, 3b

        SET_STATUS ST_ERL               /* ERL: kuseg is unmapped, kseg0 is as ever */
        lw      $t1, 8($t0)
        mfc0    $t3, C0_CAUSE
        CHECK_BITS $t3, CA_WP, CA_WP
        mtc0    $zero, C0_CAUSE         /* cancelled */
        ehb
        li      $t2, 0
        mtc0    $zero, C0_STATUS
        ehb
        CHECK   $t2, 0

        SET_STATUS ST_EXL               /* an interrupt first */
        lw      $t1, 8($t0)
        mfc0    $t3, C0_CAUSE
        ori     $t3, $t3, CA_IP0
        mtc0    $t3, C0_CAUSE
        la      $t3, 4f
        mtc0    $t3, C0_EPC
        SET_STATUS ST_EXL | ST_IE | ST_IM0
        li      $t2, 0
        eret
        FAIL
4:      CHECK   $t2, 0x101118
        SET_STATUS 0

        SET_STATUS ST_EXL               /* a fetch */
        UNWATCH 2
        WATCH   0, 5f, WATCH_I
        li      $t2, 0
        la      $t3, 6f
        mtc0    $t3, C0_EPC
        b       5f
        nop
        .balign 8
5:      li      $t1, 7
        nop
        CHECK   $t1, 7
        CHECK_WATCHED 0, WATCH_I
        UNWATCH 0
        mfc0    $t3, C0_CAUSE
        CHECK_BITS $t3, CA_WP, CA_WP
        eret
        FAIL
6:      CHECK   $t2, 0x118
        CHECK_STATE S_EPC, 6b
        b       end
        nop

        /* Adds the exception to $t2; clears WP after Watch, IP0 after an interrupt; goes on where it came from. */
handler:
        lw      $k1, S_CAUSE($k0)
        ext     $k1, $k1, 2, 5
        bnez    $k1, 1f
        sll     $t2, $t2, 12
        ori     $t2, $t2, 0x101
        mfc0    $k1, C0_CAUSE
        ins     $k1, $zero, 8, 1
        mtc0    $k1, C0_CAUSE
        ehb
        eret
1:      addiu   $k1, $k1, 0x101
        or      $t2, $t2, $k1
        mfc0    $k1, C0_CAUSE
        ins     $k1, $zero, 22, 1
        mtc0    $k1, C0_CAUSE
        ehb
        eret
end:
TEST_END
        .data
        .balign 8
words:  .space  64
