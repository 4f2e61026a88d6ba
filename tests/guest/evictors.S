/* For test_evictors.sh: two functions, and two words of data, at one place of two pages each. In direct-mapped caches of a
 * page they are in each other's way, in every turn of the loop. */
#include "test.h"
#define TIMES 500

TEST
        li      $s0, TIMES
        la      $s1, left
        la      $s2, right
        la      $s3, first
        la      $s4, second
1:
        jalr    $s3
        nop
        jalr    $s4
        nop
        lw      $t0, 0($s1)
        lw      $t1, 0($s2)
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
TEST_END

        .balign 4096
        .space  0x800
        .globl  first, second, left, right
first:
        jr      $ra
        nop
behind_first:
        .space  4096 - 8
second:
        jr      $ra
        nop
behind_second:
        .space  0x400 - 8

        .data
        .balign 4096
        .space  0xc00
left:
        .word   1
behind_left:
        .space  4096 - 4
right:
        .word   2
behind_right:
        .space  64
