/*
 * CP0, the system control coprocessor, as a table of each architecture: one row per register with its reset value, the
 * bits software may write, and hooks where a read or write does more.
 */
#ifndef SIMOS_CPU_PRIVILEGED_CP0_H
#define SIMOS_CPU_PRIVILEGED_CP0_H

#include "cpu/core.h"

struct cp0_register {
    uint16_t number; /* CP0_NUMBER(reg, sel) */
    const char *name;
    uint32_t reset;
    uint32_t write_mask;
    bool identifies; /* the bits that software cannot write are the same in every checkpoint of such a processor */
    uint32_t (*reset_bits)(const struct core *core);  /* further bits of the reset value; NULL: none */
    uint32_t (*read)(struct core *core);              /* NULL: the stored value */
    void (*write)(struct core *core, uint32_t value); /* NULL: the bits in write_mask are stored */
};

/* First-level cache line size in bytes that Config1 and rdhwr SYNCI_Step report; CACHE and synci operate on lines of
 * this size, whatever caches are modelled. */
enum { CP0_CACHE_LINE = 32 };

/* The registers of mips32r2, indexed by number; rows without a name are not implemented. */
extern const struct cp0_register mips32r2_cp0[CP0_COUNT_OF_REGISTERS];

/* Row of register NUMBER, for code that does not know the core. NULL if the register is not implemented: it reads as 0
 * and ignores writes. */
const struct cp0_register *cp0_find(const struct architecture *architecture, unsigned number);

/* Set the reset values for core->number of core->cpus. The levels of the interrupt pins are kept. */
void cp0_reset(struct core *core);
/* The reset value of register NUMBER of CORE. */
uint32_t cp0_reset_value(const struct core *core, unsigned number);

/* Read and write as mfc0 and mtc0 do. A write may change mode, translation, timer and interrupt state; it sets
 * core->attention. */
uint32_t cp0_read(struct core *core, unsigned number);
void cp0_write(struct core *core, unsigned number, uint32_t value);
/* Set EntryHi; if the ASID changes, the flat tables drop the pages of the old address space. */
void cp0_set_entryhi(struct core *core, uint32_t value);
/* Status changes to VALUE, by hardware or software: update mode, translation and performance counters. */
void cp0_set_status(struct core *core, uint32_t value);

/* Value of Count at the core's local time s.cycle. */
uint32_t cp0_count(const struct core *core);
/* Schedule core->timer for the time at which Count equals Compare; sets attention if that is the next event. */
void cp0_timer_arm(struct core *core);
/* Callback of core->timer: sets Cause.TI. */
void cp0_timer_fire(void *core);

/* Performance counters (cp0_perf.c; MD00090 section 9.42). There are two; they count the events of perf_events.def in
 * the modes that PerfCtl.{U,K,EXL} select. A counter whose event the model does not count keeps what is written and
 * stands still. While bit 31 of a counter with PerfCtl.IE is set, Cause.PCI is set and the interrupt output is high;
 * that happens at the instruction, or cycle, of the overflow. PerfCnt of a stopped counter is its value; a running
 * counter's value is PerfCnt plus the low 32 bits of the quantity counted, so it needs no update while it runs. s must
 * be in sync. */
uint32_t cp0_perf_read(const struct core *core, unsigned counter);
void cp0_perf_write(struct core *core, unsigned counter, uint32_t value);
void cp0_perf_write_control(struct core *core, unsigned counter, uint32_t value);
/* Status changed from OLD_STATUS: start and stop the counters that depend on the mode. */
void cp0_perf_mode(struct core *core, uint32_t old_status);
/* Callback of core->perf_check: has a counter overflowed? */
void cp0_perf_check(void *core);
/* `wait` has ended, and core->s.cycle is the present: counters that stood still go on. */
void cp0_perf_woken(struct core *core);
/* The control registers were reset, or replaced from outside. */
void cp0_perf_reset(struct core *core);
void cp0_perf_state_changed(struct core *core);
/* Before and after a replacement of the model, or of the statistics that are counted: keep the values. */
void cp0_perf_suspend(struct core *core);
void cp0_perf_resume(struct core *core);
/* A checkpoint was loaded: the counters have VALUE, and perf_check is for a core of this WIDTH. */
void cp0_perf_loaded(struct core *core, const uint32_t value[CORE_PERF_COUNTERS], unsigned width);

#endif
