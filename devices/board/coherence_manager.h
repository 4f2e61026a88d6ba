/*
 * MIPS Coherence Manager 2 (CM2): its global control registers (GCRs). A kernel reads the number of cores from them,
 * sets the reset vector of each core, and moves cores into and out of the coherence domain. The register table is in
 * coherence_manager.c.
 *
 * Each core has one virtual processing element (VPE). A real CM2 has at most 8 cores; the fields with one bit per core
 * are widened to 16 bits here.
 *
 * Not modelled: moving the register blocks (the base registers read as a boot monitor sets them; a change is ignored),
 * the effect of the address regions, bus error records, the L2's own registers, the performance counters of the debug
 * block. The memory system keeps all caches coherent, whatever COHERENCE contains.
 *
 * For a kernel to probe the CM2 the CPU must have: Config3.CMGCR (bit 29) = 1 with Config1.M = Config2.M = 1; CMGCRBase
 * (CP0 register 15 select 3) = base >> 4 (0x01fbf800); EBase.CPUNum = number of the core; PRId 0x0001a1xx; Config.K0
 * writable (the kernel sets 5); no MT in Config3, no VP in Config5, no GlobalNumber; no data cache aliases (Config7.AR
 * = 1, or ways of at most 4 KB), else the kernel uses one core only.
 *
 * Device tree: no node.
 */
#ifndef SIMOS_DEVICES_BOARD_COHERENCE_MANAGER_H
#define SIMOS_DEVICES_BOARD_COHERENCE_MANAGER_H

#include "devices/device_type.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/types.h"

enum {
    COHERENCE_MANAGER_MAX_CPUS = 64,
    /* The L2-only sync region follows the GCRs, at the address that Linux chooses by default. */
    COHERENCE_MANAGER_L2_SYNC_OFFSET = 0x8000,
    COHERENCE_MANAGER_L2_SYNC_SIZE = 0x1000,
};

struct coherence_manager_config {
    unsigned cpus; /* cores, 1..COHERENCE_MANAGER_MAX_CPUS */
    paddr gcr_base, gic_base, cpc_base;
};

struct coherence_manager;

/* Create a coherence manager in the state that a boot monitor leaves: core 0 coherent, GIC and CPC mapped. CONFIG is
 * copied; LOG must outlive the manager. */
struct coherence_manager *coherence_manager_create(const struct coherence_manager_config *config, struct log *log);
void coherence_manager_free(struct coherence_manager *manager);

/* Register accesses: BOARD_GCR_SIZE bytes at config.gcr_base, opaque = the manager. */
extern const struct device_ops coherence_manager_device_ops;

/* The L2-only sync region, COHERENCE_MANAGER_L2_SYNC_SIZE bytes at gcr_base + COHERENCE_MANAGER_L2_SYNC_OFFSET, opaque
 * = the manager. A store to it orders accesses to the L2 cache; the model needs no action. */
extern const struct device_ops coherence_manager_l2_sync_ops;

/* Reset vector of core CPU: a virtual address in kseg0 or kseg1, a multiple of 4 KB. The bootstrap exception vectors
 * (Status.BEV = 1) of the core have the same offsets from it as from 0xbfc00000 on a core without a CM2. */
vaddr coherence_manager_reset_base(const struct coherence_manager *manager, unsigned cpu);

/* Is core CPU in the coherence domain? */
bool coherence_manager_is_coherent(const struct coherence_manager *manager, unsigned cpu);

/* Reset the local registers of core CPU, which is being reset or loses its power. RESET_BASE and RESET_EXT_BASE keep
 * their values. */
void coherence_manager_core_reset(struct coherence_manager *manager, unsigned cpu);

/* Register the saved section "cm". */
void coherence_manager_register_saved(struct coherence_manager *manager, struct saved *saved);

/* The coherence manager of the board, for all its processors. */
extern const struct device_type coherence_manager_type;

#endif
