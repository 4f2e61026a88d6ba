/*
 * Watching loads and stores: whoever wants to hear of accesses to a range of addresses. A page with a watched byte has
 * no entry in the flat tables, so all accesses to it take the slow path, which tells; no other page notices. Time and
 * statistics are the same: the slow path comes to what the fast one does.
 *
 * Not watched: fetches, DMA, debuggers.
 */
#ifndef SIMOS_CPU_DATA_WATCH_H
#define SIMOS_CPU_DATA_WATCH_H

#include "cpu/core.h"

/* An access that has been made: of RAM or of a device. A load's register is not written yet; a store has changed
 * memory. s.pc is the instruction's, registers are as it found them. */
struct data_access {
    enum access kind; /* ACCESS_LOAD or ACCESS_STORE */
    uint8_t size;     /* bytes: 1, 2, 4, 8; of lwl, lwr, swl and swr the whole word counts, at its address */
    vaddr address;
    paddr physical;
    uint64_t value;
};

/* May read everything, add and remove watches, and ask the run to end, which it does behind the instruction. */
typedef void data_watch_fn(void *opaque, struct core *core, const struct data_access *access);

struct data_range {
    bool loads, stores;
    bool by_virtual; /* FIRST and LAST are virtual addresses, in whatever address space; else physical */
    uint32_t first, last;
    data_watch_fn *told;
    void *opaque;
};

/* All cores of CORE's machine tell of RANGE from now on. */
void data_watch_add(struct core *core, const struct data_range *range);
/* The same of virtual addresses RANGE.first to RANGE.last as a debugger means them: those that the TLB does not
 * translate (kseg0, kseg1) are watched by the physical addresses behind them, so that whoever uses these by whatever
 * other address is told of; all others by_virtual. */
void data_watch_add_virtual(struct core *core, const struct data_range *range);
/* What was added with TOLD and OPAQUE is told no longer. */
void data_watch_remove(struct core *core, data_watch_fn *told, const void *opaque);

/* Somebody looks at s.pc and registers in the middle of accesses (SHOW), or does no longer: models keep them there as
 * long as anybody does. */
void data_watch_show(struct core *core, bool show);

/* For the slow path, behind every access while core->data_watch is there. */
void data_watch_tell(struct core *core, const struct data_access *access);

/* For vmap.c: page flags (src/base/physmem.h) that the page of virtual ADDRESS has by itself. */
uint8_t data_watch_flags(const struct core *core, vaddr address);

#endif
