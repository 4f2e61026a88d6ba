/*
 * The guest's page tables, for debuggers and scripts: what an address that the TLB does not hold at present would be
 * translated to. The tables are walked as the guest itself does it: the code at the vector of TLB refills is carried
 * out on registers of its own, up to its tlbwr, and nothing is written.
 *
 * Known of Linux besides: an entry of the last table has bit 0 set if its page is in memory, whether or not it may be
 * used without the kernel's hearing of it (arch/mips/include/asm/pgtable-bits.h, _PAGE_PRESENT).
 */
#ifndef SIMOS_PAGE_TABLES_H
#define SIMOS_PAGE_TABLES_H

#include "cpu/core.h"

/* The physical address of ADDRESS, mapped, in the address space that CORE is in. False: its page is not in memory, or
 * what is at the vector is no handler that this understands. Any guest will do: nothing there is trusted. */
bool page_tables_translate(const struct core *core, vaddr address, paddr *pa);

#endif
