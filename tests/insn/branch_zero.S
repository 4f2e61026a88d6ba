/* Branches that compare a register with zero: taken and not taken; the delay slot executed in both cases, or annulled
 * where a likely branch is not taken. */
#include "branch.h"
TEST
        COMPARE_VALUES COMPARE_ZERO, bltz,  LESS,            EXECUTED
        COMPARE_VALUES COMPARE_ZERO, blez,  LESS | EQUAL,    EXECUTED
        COMPARE_VALUES COMPARE_ZERO, bgez,  GREATER | EQUAL, EXECUTED
        COMPARE_VALUES COMPARE_ZERO, bgtz,  GREATER,         EXECUTED
        COMPARE_VALUES COMPARE_ZERO, bltzl, LESS,            ANNULLED
        COMPARE_VALUES COMPARE_ZERO, blezl, LESS | EQUAL,    ANNULLED
        COMPARE_VALUES COMPARE_ZERO, bgezl, GREATER | EQUAL, ANNULLED
        COMPARE_VALUES COMPARE_ZERO, bgtzl, GREATER,         ANNULLED
TEST_END
