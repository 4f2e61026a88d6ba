/*
 * LANCE: the Am7990 Ethernet controller with a buffer memory of its own, as DECstations have it (Linux:
 * drivers/net/ethernet/amd/declance.c; AMD, Am7990 data sheet). Registers and the layout of descriptors are in lance.c.
 *
 * The controller reaches nothing but its buffer, of a power of two of bytes: addresses of descriptors and frames wrap
 * around in it, whatever the driver writes there, as higher address lines are not connected. The CPU reaches the buffer
 * as memory, or halfword by halfword, each in the low half of a word (KN01).
 *
 * Time: initialisation and moving bytes take none; a frame leaves when the wire is free (ethernet_link.h), and its
 * descriptors are given back and TINT is set when it has left. The chip looks for frames to send when the driver
 * demands it (CSR0.TDMD) and when it has sent one, not every 1.6 ms of its own accord. There are no collisions.
 *
 * A frame to send: buffers from STP to ENP. An owned descriptor without STP at the start of a frame is skipped. A chain
 * whose next descriptor is not owned is a buffer error, which switches the transmitter off, as on the chip. Frames that
 * Ethernet does not have are counted and not sent: shorter than a header, or longer than 1518 bytes (BABL).
 *
 * A received frame is put with a frame check sequence into as many buffers as it needs; without a buffer it is lost
 * (MISS), or cut off (BUFF) if its first part has one.
 *
 * Loopback (LOOP): a frame of 8 to 32 bytes, in one buffer, arrives at the own receiver when it has left, if that
 * accepts its address; no other station takes so short a frame, so that external loopback differs in that it also
 * receives the frames of others. Without DTCR the chip appends the check sequence and the receiver does not check it,
 * nor can it filter multicast; with DTCR the last 4 bytes are the check sequence, and a wrong one sets CRC. COLL in
 * internal loopback: the frame ends with RTRY. With DTCR outside loopback a frame whose last 4 bytes are not its check
 * sequence is one that no station accepts.
 *
 * Not modelled: collisions on the wire, parity and bus errors (MERR), what CSR3 controls.
 */
#ifndef SIMOS_DEVICES_DEC_LANCE_H
#define SIMOS_DEVICES_DEC_LANCE_H

#include "devices/ethernet_link.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    LANCE_SIZE = 8, /* bytes of registers */
    LANCE_BUFFER_MAX = 128 << 10,
};

struct lance;

/* For physmem_add_device(), opaque is the struct lance: the registers, LANCE_SIZE bytes; the buffer as memory, as many
 * bytes as it has; and with its halfwords in words, twice as many. */
extern const struct device_ops lance_device_ops, lance_buffer_ops, lance_halfword_buffer_ops;

/* Create a stopped controller with a buffer of BUFFER_SIZE bytes (a power of two up to LANCE_BUFFER_MAX), all zero, and
 * its cable (BANDWIDTH: bits per second). QUEUE and LOG must outlive it. Never NULL. */
struct lance *lance_create(struct event_queue *queue, uint32_t buffer_size, uint64_t bandwidth, nsec latency,
                           struct irq_line irq, struct log *log);
void lance_free(struct lance *lance);

/* The cable, to which a backend is connected. It lives as long as the controller. */
struct ethernet_link *lance_link(struct lance *lance);

/* Fill the 32 bytes of a station address ROM: ADDRESS, its check sum, both backwards, both again, and the test pattern
 * (the Ethernet specification, "Address ROM format"). */
enum { LANCE_ROM_BYTES = 32 };
void lance_fill_rom(uint8_t rom[LANCE_ROM_BYTES], const uint8_t address[ETHERNET_ADDRESS_BYTES]);

/* Register the saved sections NAME and NAME.cable. */
void lance_register_saved(struct lance *lance, struct saved *saved, const char *name);

/* Register the counters of the controller and of its cable as PREFIX.sent_frames and so on. */
void lance_register_stats(const struct lance *lance, struct stats *stats, const char *prefix);

#endif
