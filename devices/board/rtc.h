/*
 * Goldfish real-time clock: nanoseconds since 1970-01-01 UTC in two 32-bit halves, and an alarm.
 *
 * The clock is the start time given at creation plus the simulated time since power-on, so that two runs read the same
 * times. A guest write to the clock changes only the guest's view. The register table is in rtc.c.
 *
 * Device tree (the driver is built into the stock kernel):
 *
 *     rtc@18030000 {
 *         compatible = "google,goldfish-rtc";
 *         reg = <0x18030000 0x1000>;
 *         interrupts = <0 3 4>;            GIC: shared, BOARD_IRQ_RTC, level high
 *     };
 */
#ifndef SIMOS_DEVICES_BOARD_RTC_H
#define SIMOS_DEVICES_BOARD_RTC_H

#include "devices/device_type.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/types.h"

struct rtc;

/* Create a clock that reads START (ns since the epoch) at time 0 of QUEUE and raises IRQ for its alarm. QUEUE and LOG
 * must outlive it. */
struct rtc *rtc_create(struct event_queue *queue, nsec start, struct irq_line irq, struct log *log);
/* Free the clock, before its event queue. NULL is allowed. */
void rtc_free(struct rtc *rtc);

/* Register accesses: BOARD_RTC_SIZE bytes, opaque = the rtc. */
extern const struct device_ops rtc_device_ops;

/* Register the saved section "rtc". */
void rtc_register_saved(struct rtc *rtc, struct saved *saved);

/* The clock of the board: reads rtc.start at power-on. */
extern const struct device_type rtc_type;

#endif
