/* syscall and break have no delay slot: what follows them does not execute before the handler. */
#include "test.h"
TEST
        li      $t0, 1
        RESUME_AT 1f
        syscall
        li      $t0, 2
        FAIL
1:      CHECK   $t0, 1
        RESUME_AT 1f
        break
        li      $t0, 2
        FAIL
1:      CHECK   $t0, 1
TEST_END
