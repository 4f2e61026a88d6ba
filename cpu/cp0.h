/*
 * CP0, the system control coprocessor, as a table: one row a register with its reset value, the bits software may
 * write, and hooks where a read or write does more. MIPS32 Privileged Resource Architecture (MD00090) release 2.
 */
#ifndef SIMOS_CPU_CP0_H
#define SIMOS_CPU_CP0_H

#include "cpu/core.h"

struct cp0_register {
    uint16_t number; /* CP0_NUMBER(reg, sel) */
    const char *name;
    uint32_t reset;
    uint32_t write_mask;
    uint32_t (*read)(struct core *core);              /* NULL: plain */
    void (*write)(struct core *core, uint32_t value); /* NULL: plain under write_mask */
};

/* Line size in bytes of the first-level caches that Config1 and rdhwr SYNCI_Step announce: what CACHE and synci act on,
 * whatever caches are modelled. */
enum { CP0_CACHE_LINE = 32 };

/* Indexed by number; rows without a name are not implemented. */
extern const struct cp0_register cp0_table[CP0_COUNT_OF_REGISTERS];

/* Row of NUMBER or NULL (an unimplemented register reads as 0 and ignores writes). */
const struct cp0_register *cp0_find(unsigned number);

/* Reset values for core->number of core->cpus. The levels of the interrupt pins stay. */
void cp0_reset(struct core *core);

/* As mfc0 / mtc0 see them. Writing may change mode, translation, timer and interrupt state: sets core->attention. */
uint32_t cp0_read(struct core *core, unsigned number);
void cp0_write(struct core *core, unsigned number, uint32_t value);
/* Set EntryHi; an address space that is left is forgotten by the flat tables. */
void cp0_set_entryhi(struct core *core, uint32_t value);
/* Status changed by hardware or software, from any value to VALUE: mode, translation and counters follow. */
void cp0_set_status(struct core *core, uint32_t value);

/* Count at the core's local time s.cycle. */
uint32_t cp0_count(const struct core *core);
/* Schedule core->timer for the moment at which Count reaches Compare; sets attention if that is the next event. */
void cp0_timer_arm(struct core *core);
/* What core->timer does: sets Cause.TI. */
void cp0_timer_fire(void *core);

/* Performance counters (cp0_perf.c). Two of them; they count event 0 (cycles) and event 1 (instructions completed), in
 * the modes that PerfCtl.{U,K,EXL} choose; other events count nothing. Not modelled: the overflow interrupt. A stopped
 * counter is in PerfCnt; a running one is PerfCnt plus the low 32 bits of what it counts, so that it runs by itself. */
uint32_t cp0_perf_read(const struct core *core, unsigned counter);
void cp0_perf_write(struct core *core, unsigned counter, uint32_t value);
void cp0_perf_write_control(struct core *core, unsigned counter, uint32_t value);
/* Status has changed from OLD_STATUS: start and stop the counters whose modes those are. s is in sync. */
void cp0_perf_mode(struct core *core, uint32_t old_status);

#endif
