/*
 * Data watchpoints: callbacks on loads and stores to a range of addresses. A page with a watched byte has no entry in
 * the flat tables, so all accesses to it take the slow path, which calls the watchers; other pages are not affected.
 * Simulated time and statistics do not change, because the slow path has the same results as the fast path.
 *
 * Not watched: instruction fetches, DMA, debugger accesses.
 */
#ifndef SIMOS_CPU_PRIVILEGED_DATA_WATCH_H
#define SIMOS_CPU_PRIVILEGED_DATA_WATCH_H

#include "cpu/core.h"

/* A completed access to RAM or a device. A load's destination register is not written yet; a store has changed memory.
 * s.pc is the address of the instruction, and registers have their values from before it. */
struct data_access {
    enum access kind; /* ACCESS_LOAD or ACCESS_STORE */
    uint8_t size;     /* bytes: 1, 2, 4, 8; lwl, lwr, swl and swr report the whole aligned word and its address */
    vaddr address;
    paddr physical;
    bool uncounted; /* s.insns does not have the instruction yet */
    uint64_t value; /* the bytes, as an unsigned number: not sign-extended, whatever the register has above them */
};

/* May read everything, add and remove watches, and request the end of the run, which ends after the instruction. */
typedef void data_watch_fn(void *opaque, struct core *core, const struct data_access *access);

struct data_range {
    bool loads, stores;
    bool by_virtual; /* FIRST and LAST are virtual addresses, in any address space; otherwise physical */
    uint32_t first, last;
    data_watch_fn *callback;
    void *opaque;
};

/* Watch RANGE on all cores of CORE's machine. */
void data_watch_add(struct core *core, const struct data_range *range);
/* Watch virtual addresses RANGE.first to RANGE.last as a debugger means them: addresses that the TLB does not translate
 * (kseg0, kseg1) are watched by physical address, so that accesses to the same memory through any other virtual address
 * are reported too; all other addresses are watched by_virtual. */
void data_watch_add_virtual(struct core *core, const struct data_range *range);
/* Remove the watches added with TOLD and OPAQUE. */
void data_watch_remove(struct core *core, data_watch_fn *told, const void *opaque);

/* Begin (SHOW true) or stop reading s.pc and registers in the middle of accesses. Models keep them up to date there
 * while at least one such reader exists. */
void data_watch_add_observer(struct core *core, bool show);

/* Called by the slow path after every access while core->data_watch is not NULL: calls the watchers. */
void data_watch_notify(struct core *core, const struct data_access *access);

/* For vmap.c: the page flags (src/memory/physmem.h) that watches by virtual address add for the page of ADDRESS. */
uint8_t data_watch_flags(const struct core *core, vaddr address);

#endif
