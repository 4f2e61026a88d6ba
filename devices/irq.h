/*
 * One interrupt line, as a device sees it: a callback and nothing else. Whoever builds the machine connects it to an
 * interrupt controller; a device knows only how to raise and lower it.
 *
 * A line is a level, not an event: a device may set the same level again at any time, and the receiver sees no change.
 */
#ifndef SIMOS_IRQ_H
#define SIMOS_IRQ_H

#include <stdbool.h>

struct irq_line {
    void (*set)(void *opaque, unsigned line, bool level); /* NULL: connected to nothing */
    void *opaque;
    unsigned line; /* number the receiver gave to this line */
};

/* Drive IRQ high (true) or low. Safe on an unconnected line. */
static inline void irq_set(const struct irq_line *irq, bool level)
{
    if (irq->set)
        irq->set(irq->opaque, irq->line, level);
}

#endif
