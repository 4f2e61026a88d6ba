/*
 * Page table walk for debuggers and scripts: translates an address that is not in the TLB. The walk uses the guest's
 * own code: its TLB refill handler is interpreted on private registers, up to its tlbwr, without writes.
 *
 * Known about Linux: bit 0 of a last-level entry is set if its page is in memory, whether or not it may be used without
 * a page fault (arch/mips/include/asm/pgtable-bits.h, _PAGE_PRESENT).
 */
#ifndef SIMOS_MACHINE_PAGE_TABLES_H
#define SIMOS_MACHINE_PAGE_TABLES_H

#include "cpu/core.h"

/* Translate the mapped ADDRESS in CORE's present address space to a physical address. False if its page is not in
 * memory, or the code at the vector is not a supported handler. Safe for any guest: nothing is assumed about its
 * memory. */
bool page_tables_translate(const struct core *core, vaddr address, paddr *pa);

#endif
