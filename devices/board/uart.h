/*
 * Serial port: a National PC16550D, the 16550A of Linux's drivers/tty/serial/8250. The register table is in uart.c.
 * Registers are four bytes apart (reg-shift 2) and accept accesses of 1, 2 and 4 bytes.
 *
 * Time: by default a character takes no time on the wire, so the transmitter is always empty. With a character time,
 * characters pass through the 16-byte FIFO and the shift register as on the chip.
 *
 * Not modelled: the baud rate (the divisor is only stored), word length, parity, stop bits, break and framing errors.
 * The far end is always connected: outside loopback, CTS, DSR and DCD are asserted and never change. INTR is wired to
 * the interrupt controller directly; OUT2 does not gate it as it does on a PC.
 *
 * Device tree (BOARD_UART_BASE + n * BOARD_UART_STRIDE, interrupt BOARD_IRQ_UART + n, level high):
 *   compatible = "ns16550a"; reg = <base 0x100>; reg-shift = <2>; reg-io-width = <4>; clock-frequency = <1843200>;
 *   interrupts = <GIC_SHARED BOARD_IRQ_UART+n IRQ_TYPE_LEVEL_HIGH>; alias "serialN"; console: stdout-path.
 *   "no-loopback-test" is not needed.
 */
#ifndef SIMOS_DEVICES_BOARD_UART_H
#define SIMOS_DEVICES_BOARD_UART_H

#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/stats.h"
#include "src/base/saved.h"

enum {
    UART_FIFO_SIZE = 16,
    UART_CLOCK_HZ = 1843200, /* for the device tree; 115200 baud is divisor 1 */
};

struct uart;

/* Registers for physmem_add_device(); opaque is the struct uart. */
extern const struct device_ops uart_device_ops;

/* Create a UART in the state after master reset. TRANSMIT is called with every character sent, from a register write or
 * from an event. CHARACTER_TIME: cycles that a character takes on the wire; 0 = none. QUEUE, LOG and the object at
 * TRANSMIT_OPAQUE must outlive it. Never NULL. */
struct uart *uart_create(struct event_queue *queue, struct irq_line irq, void (*transmit)(void *opaque, uint8_t byte),
                         void *transmit_opaque, cycles character_time, struct log *log);
void uart_free(struct uart *uart);

/* Receive a character. False, without a change, if there is no room: the caller retries later. */
bool uart_receive(struct uart *uart, uint8_t byte);

/* Number of characters that uart_receive() accepts now: 0..16; 0 in loopback mode. */
unsigned uart_receive_space(const struct uart *uart);

/* Register this port's counters as PREFIX.transmitted and so on. */
void uart_register_stats(const struct uart *uart, struct stats *stats, const char *prefix);

/* Register the saved section NAME. */
void uart_register_saved(struct uart *uart, struct saved *saved, const char *name);

#endif
