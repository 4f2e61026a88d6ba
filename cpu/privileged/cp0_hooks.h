/* Side effects of reads and writes of individual CP0 registers, for the register table. Private to
 * cpu/privileged/cp0*.c. */
#ifndef SIMOS_CPU_PRIVILEGED_CP0_HOOKS_H
#define SIMOS_CPU_PRIVILEGED_CP0_HOOKS_H

#include "cpu/core.h"

typedef uint32_t cp0_read_fn(struct core *core);
typedef void cp0_write_fn(struct core *core, uint32_t value);

cp0_read_fn cp0_read_random, cp0_read_lladdr, cp0_read_count;
uint32_t cp0_reset_bits_ebase(const struct core *core), cp0_reset_bits_config1(const struct core *core);
uint32_t cp0_reset_bits_config4(const struct core *core), cp0_reset_bits_watchhi(const struct core *core);
uint32_t cp0_reset_bits_config3(const struct core *core), cp0_reset_bits_pwfield(const struct core *core);
uint32_t cp0_reset_bits_pwsize(const struct core *core);
cp0_write_fn cp0_write_pwbase, cp0_write_pwfield, cp0_write_pwsize, cp0_write_pwctl;
cp0_write_fn cp0_write_watchlo0, cp0_write_watchlo1, cp0_write_watchlo2, cp0_write_watchlo3;
cp0_write_fn cp0_write_watchhi0, cp0_write_watchhi1, cp0_write_watchhi2, cp0_write_watchhi3;
cp0_read_fn cp0_read_perfcnt0, cp0_read_perfcnt1;
cp0_write_fn cp0_write_index, cp0_write_wired, cp0_write_pagemask, cp0_write_entryhi, cp0_write_config;
cp0_write_fn cp0_write_status, cp0_write_cause, cp0_write_count, cp0_write_compare;
cp0_write_fn cp0_write_perfctl0, cp0_write_perfctl1, cp0_write_perfcnt0, cp0_write_perfcnt1;

#endif
