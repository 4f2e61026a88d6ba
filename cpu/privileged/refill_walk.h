/*
 * Page table walk for debuggers and scripts: translates an address that is not in the TLB. The walk uses the guest's
 * own code: its TLB refill handler is executed on private registers, up to its tlbwr, without writes.
 *
 * Known about Linux: bit 0 of a last-level entry is set if its page is in memory, whether or not it may be used without
 * a page fault (arch/mips/include/asm/pgtable-bits.h, _PAGE_PRESENT).
 */
#ifndef SIMOS_CPU_PRIVILEGED_REFILL_WALK_H
#define SIMOS_CPU_PRIVILEGED_REFILL_WALK_H

#include "cpu/core.h"

/* Translate the mapped ADDRESS in CORE's present address space to a physical address. False if its page is not in
 * memory, or the code at the vector is not a supported handler: one that uses registers, loads words, and reads and
 * writes CP0 registers without side effects. Safe for any guest: nothing is assumed about its memory. */
bool refill_walk_translate(const struct core *core, vaddr address, paddr *pa);

#endif
