/*
 * MIPS Coherence Manager 2 (CM2): its global control registers (GCRs), through which a kernel finds out how many cores
 * there are, tells each where to start, and moves it in and out of the coherent domain.
 * The register table is in coherence_manager.c.
 *
 * It describes one processor (VPE) a core. Real ones have at most 8 cores; the fields with one bit a core are widened
 * to 16 here.
 *
 * Not modelled: moving the blocks (the bases read back what a boot monitor would have set, a change is ignored), the
 * address regions' effect, bus error records, the L2's own registers, the debug block's performance counters. Coherence
 * is what the memory system does, whatever a core's COHERENCE says.
 *
 * What the CPU must say for a kernel to probe it: Config3.CMGCR (bit 29) = 1 with Config1.M = Config2.M = 1;
 * CMGCRBase (CP0 register 15 select 3) = base >> 4 (0x01fbf800); EBase.CPUNum = number of the core; PRId 0x0001a1xx;
 * Config.K0 writable (the kernel sets 5); no MT in Config3, no VP in Config5, no GlobalNumber; no data cache aliases
 * (Config7.AR = 1, or ways of at most 4 KB), else the kernel uses one core only.
 *
 * Device tree: nothing.
 */
#ifndef SIMOS_COHERENCE_MANAGER_H
#define SIMOS_COHERENCE_MANAGER_H

#include "devices/device_type.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/types.h"

enum {
    COHERENCE_MANAGER_MAX_CPUS = 16,
    /* The L2-only sync region lies behind the GCRs: where the kernel puts it by itself. */
    COHERENCE_MANAGER_L2_SYNC_OFFSET = 0x8000,
    COHERENCE_MANAGER_L2_SYNC_SIZE = 0x1000,
};

struct coherence_manager_config {
    unsigned cpus; /* cores, 1..COHERENCE_MANAGER_MAX_CPUS */
    paddr gcr_base, gic_base, cpc_base;
};

struct coherence_manager;

/* A coherence manager in the state in which a boot monitor leaves it: core 0 coherent, GIC and CPC mapped. CONFIG is
 * copied; LOG must outlive it. */
struct coherence_manager *coherence_manager_create(const struct coherence_manager_config *config, struct log *log);
void coherence_manager_free(struct coherence_manager *manager);

/* Register accesses: BOARD_GCR_SIZE bytes at config.gcr_base, opaque = the manager. */
extern const struct device_ops coherence_manager_device_ops;

/* The L2-only sync region, COHERENCE_MANAGER_L2_SYNC_SIZE bytes at gcr_base + COHERENCE_MANAGER_L2_SYNC_OFFSET, opaque
 * = the manager: a store orders the L2 cache, which needs no work here. */
extern const struct device_ops coherence_manager_l2_sync_ops;

/* Where core CPU fetches after a reset: a virtual address in kseg0 or kseg1, multiple of 4 KB. The core's bootstrap
 * exception vectors (Status.BEV = 1) lie relative to it as they otherwise do to 0xbfc00000. */
vaddr coherence_manager_reset_base(const struct coherence_manager *manager, unsigned cpu);

/* Is core CPU in the coherent domain? */
bool coherence_manager_is_coherent(const struct coherence_manager *manager, unsigned cpu);

/* Core CPU is being reset or loses its power: its own registers fall back, RESET_BASE and RESET_EXT_BASE stay. */
void coherence_manager_core_reset(struct coherence_manager *manager, unsigned cpu);

/* Add the section "cm". */
void coherence_manager_register_saved(struct coherence_manager *manager, struct saved *saved);

/* The board's own, of all its processors. */
extern const struct device_type coherence_manager_type;

#endif
