/*
 * Serial port: a National PC16550D, the 16550A that drivers/tty/serial/8250 of Linux expects. The register table is in
 * uart.c. Registers lie four bytes apart (reg-shift 2) and answer to accesses of 1, 2 and 4 bytes.
 *
 * Time: by default a character takes no time on the wire, so the transmitter is always empty. With a character time,
 * it passes the 16-byte FIFO and the shift register as on the chip.
 *
 * Not modelled: the baud rate (the divisor is only stored), word length, parity, stop bits, break and framing errors.
 * The far end is always there: outside loopback, CTS, DSR and DCD are asserted and never change. INTR is wired to the
 * interrupt controller directly; OUT2 does not gate it as it does on a PC.
 *
 * Device tree (BOARD_UART_BASE + n * BOARD_UART_STRIDE, interrupt BOARD_IRQ_UART + n, level high):
 *   compatible = "ns16550a"; reg = <base 0x100>; reg-shift = <2>; reg-io-width = <4>; clock-frequency = <1843200>;
 *   interrupts = <GIC_SHARED BOARD_IRQ_UART+n IRQ_TYPE_LEVEL_HIGH>; alias "serialN"; console: stdout-path.
 *   "no-loopback-test" is not needed.
 */
#ifndef SIMOS_UART_H
#define SIMOS_UART_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/stats.h"
#include "src/base/saved.h"

enum {
    UART_FIFO_SIZE = 16,
    UART_CLOCK_HZ = 1843200, /* for the device tree; 115200 baud is divisor 1 */
};

struct uart;

/* Registers for physmem_add_device(); opaque is the struct uart. */
extern const struct device_ops uart_device_ops;

/* A UART after master reset. TRANSMIT is called with every character that leaves it, from a register write or from an
 * event. CHARACTER_TIME: cycles a character on the wire takes; 0 = none. QUEUE, LOG and what TRANSMIT_OPAQUE points at
 * must outlive it. Never NULL. */
struct uart *uart_create(struct event_queue *queue, struct irq_line irq, void (*transmit)(void *opaque, uint8_t byte),
                         void *transmit_opaque, cycles character_time, struct log *log);
void uart_free(struct uart *uart);

/* A character arrives from outside. False, and nothing has changed, when there is no room: offer it again later. */
bool uart_receive(struct uart *uart, uint8_t byte);

/* How many characters uart_receive() will take now: 0..16; 0 while the guest has the port in loopback. */
unsigned uart_receive_space(const struct uart *uart);

/* Register this port's counters as PREFIX.transmitted and so on. */
void uart_register_stats(const struct uart *uart, struct stats *stats, const char *prefix);

/* Add the section NAME. */
void uart_register_saved(struct uart *uart, struct saved *saved, const char *name);

#endif
