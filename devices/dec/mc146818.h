/*
 * Motorola MC146818 (Dallas DS1287) real-time clock: calendar, alarm, periodic interrupt, 50 bytes of RAM. On
 * DECstations its 64 registers are in the lowest bytes of consecutive words (Linux: asm/mach-dec/mc146818rtc.h); in the
 * second bytes a board may have the station address ROM. The register table is in mc146818.c.
 *
 * The clock is the start time given at creation plus the simulated time since power-on, so that two runs read the same
 * times. As the boot PROM of DECstations leaves it: binary, 24 hours, the year 72 if the true year is a leap year or
 * from March on, else 73; and in RAM byte 0x3f the last two digits of the true year, or of the one before it with 73
 * (drivers/rtc/rtc-mc146818-lib.c).
 *
 * Not modelled: daylight saving (DSE), the square wave, divider test modes, an oscillator other than 32768 Hz; the
 * phase of the periodic interrupt is that of power-on, whatever is written to the divider.
 */
#ifndef SIMOS_DEVICES_DEC_MC146818_H
#define SIMOS_DEVICES_DEC_MC146818_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"

enum {
    MC146818_REGISTERS = 64,
    MC146818_SIZE = 4 * MC146818_REGISTERS, /* bytes of the register words */
};

struct mc146818;

/* Registers for physmem_add_device(), MC146818_SIZE bytes; opaque is the struct mc146818. */
extern const struct device_ops mc146818_device_ops;

/* Create a clock that shows START (seconds since 1970, UTC) at time 0 of QUEUE. SECOND_BYTES: MC146818_REGISTERS bytes
 * that are read in the second bytes of the words; NULL: zeros. QUEUE and SECOND_BYTES must outlive it. Never NULL. */
struct mc146818 *mc146818_create(struct event_queue *queue, uint64_t start, struct irq_line irq,
                                 const uint8_t *second_bytes);
void mc146818_free(struct mc146818 *rtc);

/* Register the saved section "mc146818". */
void mc146818_register_saved(struct mc146818 *rtc, struct saved *saved);

#endif
