/*
 * The first-level misses that the second level answers, in machine code: what C code would do is four fifths overhead.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_SHORT_CUT_H
#define SIMOS_CPU_TRANSLATE_X86_SHORT_CUT_H

#include "cpu/translate/x86_registers.h"

/* The beginning of thunk WHICH (THUNK_FETCH, THUNK_READ_LINE..., THUNK_WRITE_LINE...): does all there is to do in the
 * usual case and returns, of data with the number of the address's line in eax; otherwise control comes behind it with
 * ecx as it was. Nothing if there is no short cut. */
void host_make_short_cut(const struct code_cache *cache, struct x86 *x, enum translate_thunk which);

/* Of x86_thunks.c: keep the registers of translated code but for rax, rcx, rdx; call FUNCTION(core, rsi, rdx). */
typedef void any_function(void);
void host_save_registers(struct x86 *x);
void host_restore_registers(struct x86 *x);
void host_call_c(struct x86 *x, any_function *function);

/* Return behind the jump that follows the call (x86_thunks.c). */
void host_return_behind(struct x86 *x);

#endif
