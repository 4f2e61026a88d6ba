/* Requests that are pending together show in Cause together; one exception is taken for them. */
#include "test.h"
TEST
        SET_CP0 C0_CAUSE, CA_IP(0) | CA_IP(1)
        RESUME_AT 1f
        SET_CP0 C0_STATUS, ST_IM(0) | ST_IM(1) | ST_IEC
        SETTLE
        FAIL
1:      CHECK_STATE_BITS S_CAUSE, 0x37c, CA_IP(0) | CA_IP(1)
        CHECK_STATE S_COUNT, 1
        SET_CP0 C0_CAUSE, 0
TEST_END
