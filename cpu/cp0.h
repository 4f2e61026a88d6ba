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

extern const struct cp0_register cp0_table[];
extern const size_t cp0_table_size;

/* Row of NUMBER or NULL (an unimplemented register reads as 0 and ignores writes). */
const struct cp0_register *cp0_find(unsigned number);

/* Reset values for core->number of core->cpus. */
void cp0_reset(struct core *core);

/* As mfc0 / mtc0 see them. Writing may change mode, translation, timer and interrupt state: sets core->attention. */
uint32_t cp0_read(struct core *core, unsigned number);
void cp0_write(struct core *core, unsigned number, uint32_t value);

/* Count and the timer. */
uint32_t cp0_count(const struct core *core);
void cp0_timer_arm(struct core *core);

#endif
