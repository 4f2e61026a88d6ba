/*
 * Where routines begin in code without symbols, from its execution profile: at the targets of calls, and where control
 * comes from nowhere in the code, as at the start of a process, in a signal handler, or through a register that is no
 * call's. In a routine with a jump through a register, what nothing explains is a case of a switch.
 *
 * A routine that did not execute is a part of the one before it.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_ROUTINES_H
#define SIMOS_CPU_OBSERVE_CODE_ROUTINES_H

#include "cpu/observe/profiled_code.h"

/* The first words of the routines of CODE, whose own routines are ignored, ascending: COUNT of them, one at least. The
 * caller frees them. */
size_t *code_routines_find(const struct profiled_code *code, size_t *count);

#endif
