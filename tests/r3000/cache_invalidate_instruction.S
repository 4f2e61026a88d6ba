/* After byte stores to its lines while the instruction cache is swapped and isolated, code is fetched from memory
 * again: what a loader has put there meanwhile. */
#include "cache.h"
TEST
        PUT_CODE 0, 0x24020011          /* addiu $v0, $zero, 0x11 */
        PUT_CODE 4, CODE_JR_RA
        PUT_CODE 8, CODE_NOP
        li      $t0, KSEG0(FREE_PA)
        jalr    $t0
        nop
        CHECK   $v0, 0x11
        PUT_CODE 0, 0x24020022
        INVALIDATE INSTRUCTION_CACHE, $t0, 64
        jalr    $t0
        nop
        CHECK   $v0, 0x22
        PUT_CODE 0, 0x24020033          /* and again, by the kernel's stores through the data cache */
        li      $t1, 0x24020044
        sw      $t1, 0($t0)
        INVALIDATE INSTRUCTION_CACHE, $t0, 64
        jalr    $t0
        nop
        CHECK   $v0, 0x44
TEST_END
