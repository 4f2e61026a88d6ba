/* The sixteen conditions of c.cond.fmt as a table, and a row of checks for one pair of operands. A program defines
 * COMPARE, the instruction of its format. */
#ifndef SIMOS_TESTS_INSN_FP_COMPARE_H
#define SIMOS_TESTS_INSN_FP_COMPARE_H

#include "fp.h"

/* Code 0 is bit 23 of FCSR, the others are bits 25 to 31. True is -1 in the assembler. */
#define FC_CC(cc) (FC_C << ((cc) - ((cc) > 0)))

#ifdef __ASSEMBLER__
/* One condition, true for the relations of TRUE_FOR, on operands of this RELATION. The condition code has the opposite
 * value before, and the comparison raises FLAG. */
.macro CONDITION cond, cc, true_for, relation, flag
        .if     (\true_for) & (\relation)
        SET_FCSR 0
        COMPARE \cond, \cc
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_CC(\cc) | (\flag)
        .else
        SET_FCSR FC_CC(\cc)
        COMPARE \cond, \cc
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, \flag
        .endif
.endm

/* All conditions. The second eight differ from the first in that they raise Invalid for a quiet NaN too: QUIET is the
 * flag that the first eight raise, SIGNALS that of the second. */
.macro CONDITIONS relation, quiet, signals
        CONDITION f,    0, 0,                        \relation, \quiet
        CONDITION un,   1, UNORDERED,                \relation, \quiet
        CONDITION eq,   2, EQUAL,                    \relation, \quiet
        CONDITION ueq,  3, EQUAL | UNORDERED,        \relation, \quiet
        CONDITION olt,  4, LESS,                     \relation, \quiet
        CONDITION ult,  5, LESS | UNORDERED,         \relation, \quiet
        CONDITION ole,  6, LESS | EQUAL,             \relation, \quiet
        CONDITION ule,  7, LESS | EQUAL | UNORDERED, \relation, \quiet
        CONDITION sf,   0, 0,                        \relation, \signals
        CONDITION ngle, 1, UNORDERED,                \relation, \signals
        CONDITION seq,  2, EQUAL,                    \relation, \signals
        CONDITION ngl,  3, EQUAL | UNORDERED,        \relation, \signals
        CONDITION lt,   4, LESS,                     \relation, \signals
        CONDITION nge,  5, LESS | UNORDERED,         \relation, \signals
        CONDITION le,   6, LESS | EQUAL,             \relation, \signals
        CONDITION ngt,  7, LESS | EQUAL | UNORDERED, \relation, \signals
.endm
#endif
#endif
