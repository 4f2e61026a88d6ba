/* A request does not interrupt while IEc is clear, nor while its mask bit is clear, whatever the other masks are; it
 * stays pending in Cause. */
#include "test.h"
TEST
        SET_CP0 C0_CAUSE, CA_IP(0)
        SET_CP0 C0_STATUS, ST_IM(0)
        SETTLE
        CHECK_STATE S_COUNT, 0
        SET_CP0 C0_STATUS, ST_IEC
        SETTLE
        CHECK_STATE S_COUNT, 0
        SET_CP0 C0_STATUS, ST_IEC | ST_IM(1)
        SETTLE
        SET_CP0 C0_STATUS, ST_IM(0) | ST_IEP | ST_IEO
        SETTLE
        CHECK_STATE S_COUNT, 0
        CHECK_CP0_BITS C0_CAUSE, 0x300, CA_IP(0)
        SET_CP0 C0_CAUSE, CA_IP(1)
        SET_CP0 C0_STATUS, ST_IEC | ST_IM(0)
        SETTLE
        SET_CP0 C0_STATUS, 0
        CHECK_STATE S_COUNT, 0
        CHECK_CP0_BITS C0_CAUSE, 0x300, CA_IP(1)
        SET_CP0 C0_CAUSE, 0
TEST_END
