/* Branches that link: taken and not taken, with the delay slot of the others; $ra written in both cases, also by a
 * likely branch that annuls its slot. */
#include "branch.h"
TEST
        COMPARE_VALUES COMPARE_ZERO_LINK, bltzal,  LESS,            EXECUTED
        COMPARE_VALUES COMPARE_ZERO_LINK, bgezal,  GREATER | EQUAL, EXECUTED
        COMPARE_VALUES COMPARE_ZERO_LINK, bltzall, LESS,            ANNULLED
        COMPARE_VALUES COMPARE_ZERO_LINK, bgezall, GREATER | EQUAL, ANNULLED
TEST_END
