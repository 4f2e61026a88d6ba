/*
 * MIPS Cluster Power Controller (CPC): switches cores on and off. A kernel uses it to start its secondary processors
 * and to take them offline and online. The register table is in power_controller.c.
 *
 * Core 0 starts powered up, the others are off. Commands take effect at once. A core reaches the state that the kernel
 * waits for (U6) when it has entered the coherence domain.
 *
 * Not modelled: sequencer delays, voltage rails, clock gating (reported as not implemented; a CLOCKOFF command is
 * ignored), JTAG probes.
 *
 * CPU side: power_ops.start resets the core (also a running one), which then fetches from RESET_PC with Status.BEV = 1
 * and Status.ERL = 1 and has its bootstrap exception vectors relative to RESET_PC instead of 0xbfc00000. power_ops.stop
 * may be called inside a store of the core that it stops: that core executes no instruction after the store. After the
 * last core is off no core can start again. A core that goes offline under Linux first fills its store buffer until
 * performance counter 1 has counted event 51 (with PRId interAptiv): the CPU model must count that event.
 *
 * Device tree:
 *
 *     cpc@1bde0000 { compatible = "mti,mips-cpc"; reg = <0x1bde0000 0x8000>; };
 */
#ifndef SIMOS_DEVICES_BOARD_POWER_CONTROLLER_H
#define SIMOS_DEVICES_BOARD_POWER_CONTROLLER_H

#include "devices/board/coherence_manager.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/types.h"

/* Actions of the power controller on cores. */
struct power_ops {
    /* Reset core CPU and start it at RESET_PC (virtual address, kseg0 or kseg1). The core may be running. */
    void (*start)(void *opaque, unsigned cpu, vaddr reset_pc);
    /* Power down core CPU, which is on. */
    void (*stop)(void *opaque, unsigned cpu);
};

struct power_controller;

/* Create a power controller for the first CPUS cores (1..COHERENCE_MANAGER_MAX_CPUS) of MANAGER, which holds the reset
 * vectors and the coherence state. MANAGER, OPS, OPAQUE and LOG must outlive it. OPS is not called for the initial
 * state. */
struct power_controller *power_controller_create(unsigned cpus, struct coherence_manager *manager,
                                                 const struct power_ops *ops, void *opaque, struct log *log);
void power_controller_free(struct power_controller *controller);

/* Register accesses: BOARD_CPC_SIZE bytes, opaque = the controller. */
extern const struct device_ops power_controller_device_ops;

/* Is core CPU powered up? */
bool power_controller_is_on(const struct power_controller *controller, unsigned cpu);

/* Register the saved section "cpc". */
void power_controller_register_saved(struct power_controller *controller, struct saved *saved);

#endif
