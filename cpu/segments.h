/*
 * The segments of the 32-bit MIPS address space (MD00090 section 4), which are the same since MIPS I:
 *
 *   kuseg  0x00000000  mapped by the TLB; the only one that user mode may access
 *   kseg0  0x80000000  the first 512 MB of physical memory, cached
 *   kseg1  0xa0000000  the same, uncached
 *   kseg2  0xc0000000  mapped by the TLB, for the kernel; MIPS32 calls its upper half kseg3
 *
 * Kernel and devices have addresses in the unmapped segments, kseg0 and kseg1.
 */
#ifndef SIMOS_CPU_SEGMENTS_H
#define SIMOS_CPU_SEGMENTS_H

#include "src/base/types.h"

#define KSEG0_BASE        0x80000000u
#define KSEG1_BASE        0xa0000000u
#define KSEG2_BASE        0xc0000000u
#define UNMAPPED_PHYSICAL 0x1fffffffu /* the physical address in one in kseg0 or kseg1 */

static inline bool vaddr_in_kuseg(vaddr address)
{
    return address < KSEG0_BASE;
}

static inline bool vaddr_in_kseg0(vaddr address)
{
    return address >> 29 == KSEG0_BASE >> 29;
}

static inline bool vaddr_in_kseg1(vaddr address)
{
    return address >> 29 == KSEG1_BASE >> 29;
}

/* Is ADDRESS in kseg0 or kseg1? */
static inline bool vaddr_is_unmapped(vaddr address)
{
    return address >> 30 == KSEG0_BASE >> 30;
}

/* The physical address of one in kseg0 or kseg1. */
static inline paddr vaddr_physical(vaddr unmapped)
{
    return unmapped & UNMAPPED_PHYSICAL;
}

/* The addresses in kseg0 and kseg1 of PA, which is below 512 MB. */
static inline vaddr vaddr_of_kseg0(paddr pa)
{
    return KSEG0_BASE | pa;
}

static inline vaddr vaddr_of_kseg1(paddr pa)
{
    return KSEG1_BASE | pa;
}

#endif
