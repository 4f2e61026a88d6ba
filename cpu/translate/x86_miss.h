/*
 * Inline handling, in machine code, of first-level misses that hit in the second level. In C, four fifths of the time
 * would be call overhead.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_MISS_PATH_H
#define SIMOS_CPU_TRANSLATE_X86_MISS_PATH_H

#include "cpu/translate/x86_registers.h"

/* Generate the start of stub WHICH (STUB_FETCH, STUB_READ_LINE..., STUB_WRITE_LINE...). It handles the common case
 * completely and returns; for data, eax then holds the line number of the address. Otherwise execution continues after
 * it, with ecx unchanged. Generates nothing if the memory system does not allow inline handling. */
void host_make_inline_miss(const struct code_cache *cache, struct x86 *x, enum translate_stub which);

/* From x86_stubs.c: save and restore the registers of translated code except rax, rcx, rdx; call FUNCTION(core, rsi,
 * rdx). */
typedef void any_function(void);
void host_save_registers(struct x86 *x);
void host_restore_registers(struct x86 *x);
void host_call_c(struct x86 *x, any_function *function);

/* Return past the jump instruction that follows the call (x86_stubs.c). */
void host_return_behind(struct x86 *x);

#endif
