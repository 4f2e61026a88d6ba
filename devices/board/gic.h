/*
 * MIPS Global Interrupt Controller (GIC) as part of the interAptiv's coherence manager, in non-EIC mode.
 *
 * Shared interrupts are raised by devices (gic_input()) or by software (inter-processor interrupts); each is routed to
 * a processor and to one of its six hardware interrupt pins. Each processor also has local interrupts: a compare timer
 * against the GIC's own 64-bit counter, and the outputs of the core itself (CP0 timer, performance counters). The
 * register table is in gic_registers.c.
 *
 * There are 128 shared interrupts; 256, as many as the registers hold, if there are more than 32 processors, because
 * the kernel uses two a processor for inter-processor interrupts.
 *
 * The counter runs at BOARD_COUNT_HZ of simulated time from power-on. The compare interrupt is raised in the first
 * cycle in which the counter equals the compare value, not after it.
 *
 * Not modelled: EIC mode and shadow sets, routing to NMI or YQ pins, the watchdog, the debug interrupt groups, 64-bit
 * accesses. GIC_VL_CTL reports CP0 timer and performance counter as routable, software interrupts and the fast debug
 * channel as not routable (the core handles Cause.IP1..0 itself and has no fast debug channel).
 *
 * CPU side: the core passes its timer output (Cause.TI) to gic_cpu_timer() and its performance counter output
 * (Cause.PCI) to gic_cpu_perf_counter() instead of wiring them to Cause.IP; pin n of the GIC is Cause.IP(n+2). After
 * reset both are routed to pin 5 (IP7), as IntCtl.IPTI = IntCtl.IPPCI = 7 indicates. Config3.VEIC = 0. A core that is
 * powered down or reset keeps the levels of its pins.
 *
 * Device tree, for a kernel of the generic MIPS platform:
 *
 *     gic: interrupt-controller@1bdc0000 {
 *         compatible = "mti,gic";
 *         reg = <0x1bdc0000 0x20000>;
 *         interrupt-controller;
 *         #interrupt-cells = <3>;
 *         timer {
 *             compatible = "mti,gic-timer";
 *             interrupts = <1 1 0>;            local, compare timer, no type
 *             clock-frequency = <100000000>;   BOARD_COUNT_HZ
 *         };
 *     };
 *
 * A device node has interrupts = <0 N 4> (shared, input number, level high). The kernel uses the last two inputs per
 * processor for its inter-processor interrupts; neither mti,reserved-ipi-vectors nor mti,reserved-cpu-vectors is
 * needed.
 */
#ifndef SIMOS_DEVICES_BOARD_GIC_H
#define SIMOS_DEVICES_BOARD_GIC_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

enum {
    GIC_SHARED_COUNT = 128, /* shared interrupts of up to 32 processors, */
    GIC_SHARED_MAX = 256,   /* ... and of more */
    GIC_PIN_COUNT = 6,      /* hardware interrupt pins of a processor */
    GIC_MAX_CPUS = 64,
};

/* Local interrupts, numbered as in the pending and mask registers. */
enum gic_local {
    GIC_LOCAL_WATCHDOG,
    GIC_LOCAL_COMPARE,
    GIC_LOCAL_TIMER,        /* CP0 Count/Compare */
    GIC_LOCAL_PERF_COUNTER, /* CP0 performance counters */
    GIC_LOCAL_SOFTWARE0,
    GIC_LOCAL_SOFTWARE1,
    GIC_LOCAL_DEBUG_CHANNEL,
    GIC_LOCAL_COUNT
};

/* Outputs of the GIC to the processors. */
struct gic_cpu_ops {
    /* Interrupt pin PIN (0..5, Cause.IP2..7) of CPU is now LEVEL. Called only on changes; initially low. */
    void (*set_pin)(void *opaque, unsigned cpu, unsigned pin, bool level);
};

struct gic;

/* Create a GIC for CPUS processors (1..GIC_MAX_CPUS) in its reset state. OPS, OPAQUE, QUEUE and LOG must outlive it. */
struct gic *gic_create(struct event_queue *queue, unsigned cpus, const struct gic_cpu_ops *ops, void *opaque,
                       struct log *log);
/* Free the GIC, before its event queue. NULL is allowed. */
void gic_free(struct gic *gic);

/* Register accesses: BOARD_GIC_SIZE bytes, opaque = the gic. The requesting CPU selects the processor-local section. */
extern const struct device_ops gic_device_ops;

/* The interrupt line of shared interrupt NUMBER (below the number of shared ones; else a bug, aborts). */
struct irq_line gic_input(struct gic *gic, unsigned number);

/* Outputs of core CPU that the GIC routes back to a core: timer interrupt, performance counter interrupt. */
void gic_cpu_timer(struct gic *gic, unsigned cpu, bool level);
void gic_cpu_perf_counter(struct gic *gic, unsigned cpu, bool level);

/* The counter, in ticks of BOARD_COUNT_HZ, at the queue's present time. */
uint64_t gic_counter(const struct gic *gic);

/* Register "gic.cpuN.{compare,timer,perf_counter,ipi,shared}" (interrupts delivered to processor N; shared interrupts
 * without a device count as ipi) and "gic.inputN" for every input returned by gic_input() so far. */
void gic_register_stats(struct gic *gic, struct stats *stats);

/* Register the saved section "gic". The processors save the levels of their pins: loading does not call set_pin(). */
void gic_register_saved(struct gic *gic, struct saved *saved);

#endif
