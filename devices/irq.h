/*
 * An interrupt line as a device sees it: a callback. The board connects it to an interrupt controller; the device only
 * raises and lowers it.
 *
 * A line is a level, not an event: a device may set the present level again at any time; the receiver then sees no
 * change.
 */
#ifndef SIMOS_DEVICES_IRQ_H
#define SIMOS_DEVICES_IRQ_H

#include <stdbool.h>

struct irq_line {
    void (*set)(void *opaque, unsigned line, bool level); /* NULL: not connected */
    void *opaque;
    unsigned line; /* number of this line at the receiver */
};

/* Drive IRQ high (true) or low. Safe on an unconnected line. */
static inline void irq_set(const struct irq_line *irq, bool level)
{
    if (irq->set)
        irq->set(irq->opaque, irq->line, level);
}

#endif
