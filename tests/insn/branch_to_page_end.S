/* A branch to the last word of a page, which is itself a branch, straight-line code that crosses pages, and a branch
 * between the ends of two pages. */
#include "test.h"
TEST
        li      $t0, 0
        b       1f
        nop
        .balign 4096
        .space  4092
1:      b       2f
        addiu   $t0, $t0, 1             /* first word of the next page */
        .space  4088
2:      b       3f                      /* last word of that one */
        addiu   $t0, $t0, 2
        .space  4080
3:      addiu   $t0, $t0, 4
        addiu   $t0, $t0, 8             /* last */
        addiu   $t0, $t0, 16            /* first */
        CHECK   $t0, 31
TEST_END
