/* The shapes of tests/insn/alu_check.h for the R3000. */
#ifndef SIMOS_TESTS_R3000_ALU_H
#define SIMOS_TESTS_R3000_ALU_H

#include "test.h"
#include "../insn/alu_check.h"

#endif
