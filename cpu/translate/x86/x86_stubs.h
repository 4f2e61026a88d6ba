/* The parts of stubs, the code between machine code and C. Private to x86_stubs.c and x86_exceptions.c. */
#ifndef SIMOS_CPU_TRANSLATE_X86_X86_STUBS_H
#define SIMOS_CPU_TRANSLATE_X86_X86_STUBS_H

#include "cpu/translate/x86/x86_registers.h"

/* x86_stubs.c */
/* Stub WHICH begins here. */
void stub_begin(struct code_cache *cache, struct x86 *x, enum translate_stub which);

static inline const uint8_t *stub_address(const struct code_cache *cache, enum translate_stub which)
{
    return (const uint8_t *)(uintptr_t)cache->stub[which];
}

/* The byte of frame.position with the flags in bits 8 to 15 (POSITION_...). */
static inline struct x86_operand stub_position_flags(void)
{
    struct x86_operand flags = AT_FRAME(position);
    flags.displacement++;
    return flags;
}

/* Store the guest registers and the budget. */
void stub_store_registers(struct x86 *x);

/* Add the part of the block behind frame.position back to the budget, and subtract it from the counts. Changes rax. */
void stub_uncharge_block(struct x86 *x);

typedef void stub_function(void);
#define STUB_C(function) ((stub_function *)(function))

/* Call FUNCTION(core, rsi, rdx), with all registers stored, and jump to the machine code whose address it returns. */
void stub_jump_to_c_result(struct x86 *x, stub_function *function);

/* x86_jumps.c: jump to the guest address in eax, in MODE (VMAP_...), or to LOOKUP if the flat table has no code of its
 * page. Changes rcx, rdx. */
void stub_dispatch(struct x86 *x, unsigned mode, const uint8_t *lookup);

/* x86_exceptions.c */
/* The access to the address in ecx is not in the flat tables. If it certainly raises a TLB refill exception in user
 * mode, jump to stub WHICH, one of STUB_REFILL_...; otherwise execution continues. SIZE: the alignment required, in
 * bytes. Changes rdx for a fetch. For data it changes rax, and the jump drops the return address on the stack. */
void stub_take_certain_refill(const struct code_cache *cache, struct x86 *x, enum translate_stub which, unsigned size);
/* Make STUB_REFILL_...; STUB_ERET and STUB_RFE. */
void host_make_refill_stubs(struct code_cache *cache, struct x86 *x);
void host_make_return_stubs(struct code_cache *cache, struct x86 *x);

#endif
