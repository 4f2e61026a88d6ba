/*
 * MIPS Cluster Power Controller (CPC): switches cores on and off. With it a kernel starts its secondary processors, and
 * takes them offline and online again. The register table is in power_controller.c.
 *
 * Core 0 starts powered, the others are off. Commands take effect at once; a core is "up" in the sense the kernel waits
 * for (state U6) when it has itself entered the coherent domain.
 *
 * Not modelled: the sequencer's delays, voltage rails, clock gating (reported as not implemented; a CLOCKOFF command is
 * ignored), JTAG probes.
 *
 * What the CPU must do: power_ops.start resets the core (also one that runs), which then fetches at RESET_PC with
 * Status.BEV = 1 and Status.ERL = 1 and takes its bootstrap exceptions relative to RESET_PC instead of 0xbfc00000.
 * power_ops.stop may come from a store of the very core that it stops: nothing after that store runs. When the last
 * core is off nothing will ever start one again. A core that goes offline under Linux first fills its store buffer
 * until performance counter 1 has counted event 51 (with PRId interAptiv): that counter must count.
 *
 * Device tree:
 *
 *     cpc@1bde0000 { compatible = "mti,mips-cpc"; reg = <0x1bde0000 0x8000>; };
 */
#ifndef SIMOS_POWER_CONTROLLER_H
#define SIMOS_POWER_CONTROLLER_H

#include "devices/board/coherence_manager.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/types.h"

/* What the power controller does to cores. */
struct power_ops {
    /* Reset core CPU and let it run from RESET_PC (virtual address, kseg0 or kseg1). It may be running already. */
    void (*start)(void *opaque, unsigned cpu, vaddr reset_pc);
    /* Core CPU, which ran, loses its power. */
    void (*stop)(void *opaque, unsigned cpu);
};

struct power_controller;

/* A power controller for the first CPUS cores (1..COHERENCE_MANAGER_MAX_CPUS) of MANAGER, which says where a core
 * starts and whether it is coherent. MANAGER, OPS, OPAQUE and LOG must outlive it. OPS is not called for the initial
 * state. */
struct power_controller *power_controller_create(unsigned cpus, struct coherence_manager *manager,
                                                 const struct power_ops *ops, void *opaque, struct log *log);
void power_controller_free(struct power_controller *controller);

/* Register accesses: BOARD_CPC_SIZE bytes, opaque = the controller. */
extern const struct device_ops power_controller_device_ops;

/* Does core CPU have power? */
bool power_controller_is_on(const struct power_controller *controller, unsigned cpu);

/* Add the section "cpc". */
void power_controller_register_saved(struct power_controller *controller, struct saved *saved);

#endif
