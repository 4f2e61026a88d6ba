/*
 * Out-of-line instruction semantics: the functions that isa.def names with CALL. Every engine calls them, after it has
 * set core->s.pc to the address of the instruction.
 *
 * Floating point (fpu.c): each function checks Status.CU1 (coprocessor 1 unusable), operates under FCSR's rounding mode
 * and FS bit, sets Cause and Flags, and raises EXC_FPE without writing the result if an enabled exception occurred or
 * the operation is unimplemented (MIPS32 vol. I section 5; legacy NaN encoding: quiet bit clear means quiet).
 */
#ifndef SIMOS_CPU_PRIVILEGED_SEMANTICS_H
#define SIMOS_CPU_PRIVILEGED_SEMANTICS_H

#include "cpu/privileged/cp0.h"

/* System control (semantics.c). Privileged instructions raise EXC_CPU for coprocessor 0 in user mode without CU0. */
semantic_fn sem_mfc0, sem_mtc0, sem_rdpgpr, sem_di, sem_ei, sem_tlbr, sem_tlbwi, sem_tlbwr, sem_tlbp, sem_wait;
semantic_fn sem_rdhwr, sem_coprocessor2, sem_coprocessor3, sem_reserved, sem_rfe;
semantic_fn sem_use_coprocessor0; /* does nothing else than sem_check_coprocessor0() */

/* eret: clears Status.ERL or EXL and breaks the load-link; *TARGET is the return address. */
int sem_eret(struct core *core, vaddr *target);

/* synci: translate the effective address as tlb_translate() does; may raise (TLB, address error). Stores to code notify
 * the engines themselves, so only the effect on the engine's caches is left to the caller. */
int sem_synci(struct core *core, const struct insn *insn, paddr *pa, bool *cached);

/* Check that coprocessor 0 is usable. Nonzero: exception raised (EXC_CPU, coprocessor 0). */
int sem_check_coprocessor0(struct core *core);

/* fpu.c */
/* Raises Unimplemented Operation. */
semantic_fn fpu_unimplemented;
semantic_fn fpu_mfhc1, fpu_mthc1, fpu_cfc1, fpu_ctc1;
#define FPU_BOTH(name) fpu_##name##_s, fpu_##name##_d
semantic_fn FPU_BOTH(add), FPU_BOTH(sub), FPU_BOTH(mul), FPU_BOTH(div), FPU_BOTH(sqrt), FPU_BOTH(abs), FPU_BOTH(mov),
    FPU_BOTH(neg), FPU_BOTH(round_l), FPU_BOTH(trunc_l), FPU_BOTH(ceil_l), FPU_BOTH(floor_l), FPU_BOTH(round_w),
    FPU_BOTH(trunc_w), FPU_BOTH(ceil_w), FPU_BOTH(floor_w), FPU_BOTH(recip), FPU_BOTH(rsqrt), FPU_BOTH(cvt_w),
    FPU_BOTH(cvt_l), FPU_BOTH(compare), FPU_BOTH(movf), FPU_BOTH(movt), FPU_BOTH(movz), FPU_BOTH(movn), FPU_BOTH(madd),
    FPU_BOTH(msub), FPU_BOTH(nmadd), FPU_BOTH(nmsub);
semantic_fn fpu_cvt_d_s, fpu_cvt_d_w, fpu_cvt_d_l, fpu_cvt_s_d, fpu_cvt_s_w, fpu_cvt_s_l;
#undef FPU_BOTH

/* FCSR (fcr31): condition code 0 is bit 23, codes 1..7 are bits 25..31. */
static inline unsigned fpu_condition(const struct cpu *cpu, unsigned cc)
{
    return (cpu->fcr31 >> (cc == 0 ? 23 : 24 + cc)) & 1;
}
static inline bool fpu_usable(const struct core *core)
{
    return core->s.cp0[CP0_STATUS] & STATUS_CU1;
}

/* 64-bit value of FPR NUMBER. With Status.FR = 0: the pair NUMBER & ~1 (low word) and NUMBER | 1 (high word). */
static inline uint64_t fpu_read_double(const struct cpu *cpu, unsigned number)
{
    if (cpu->cp0[CP0_STATUS] & STATUS_FR)
        return (uint64_t)cpu->fpr[number][1] << 32 | cpu->fpr[number][0];
    return (uint64_t)cpu->fpr[number | 1][0] << 32 | cpu->fpr[number & ~1u][0];
}
static inline void fpu_write_double(struct cpu *cpu, unsigned number, uint64_t value)
{
    if (cpu->cp0[CP0_STATUS] & STATUS_FR) {
        cpu->fpr[number][0] = (uint32_t)value;
        cpu->fpr[number][1] = (uint32_t)(value >> 32);
    } else {
        cpu->fpr[number & ~1u][0] = (uint32_t)value;
        cpu->fpr[number | 1][0] = (uint32_t)(value >> 32);
    }
}

#endif
