/*
 * Registers (16 bits each): 0x0 RDP, the data of the register that 0x4 RAP (bits 1:0) selects:
 *
 *   CSR0   15 ERR = BABL, CERR, MISS or MERR   14 BABL  13 CERR  12 MISS  11 MERR  10 RINT  9 TINT  8 IDON: set by the
 *          chip, cleared by writing 1   7 INTR = any of them but CERR and ERR   6 INEA  5 RXON  4 TXON
 *          3 TDMD (W) look for a frame to send   2 STOP   1 STRT   0 INIT
 *   CSR1   initialisation block, address bits 15:1; CSR2 bits 23:16 (all bits are kept); CSR3 2:0 bus control (stored;
 *          cleared by STOP). Only while STOP is set
 *
 * Initialisation block: mode, station address (3 halfwords), multicast filter (4), then for the receive ring and the
 * transmit ring: address 15:3; 15:13 log2 of the number of descriptors, 7:0 address 23:16.
 *
 * Mode: 15 PROM every frame is received   6 INTL loopback is internal   4 COLL internal loopback: a collision   3 DTCR
 * no check sequence is appended   2 LOOP loopback   1 DTX transmitter off   0 DRX receiver off
 *
 * Descriptor (4 halfwords): 0 buffer address 15:0; 1 status 15:8, address 23:16; 2 minus the buffer's length in bytes,
 * in 12 bits; 3 receive: 11:0 length of the frame, with check sequence; transmit: 15 BUFF, 14 UFLO, 10 RTRY.
 */
#include "devices/dec/lance.h"
#include "devices/device_stats.h"
#include <stdlib.h>
#include <string.h>

enum { REG_RDP = 0, REG_RAP = 4 };
enum {
    CSR0_ERR = 0x8000,
    CSR0_BABL = 0x4000,
    CSR0_CERR = 0x2000,
    CSR0_MISS = 0x1000,
    CSR0_MERR = 0x0800,
    CSR0_RINT = 0x0400,
    CSR0_TINT = 0x0200,
    CSR0_IDON = 0x0100,
    CSR0_INTR = 0x0080,
    CSR0_INEA = 0x0040,
    CSR0_RXON = 0x0020,
    CSR0_TXON = 0x0010,
    CSR0_TDMD = 0x0008,
    CSR0_STOP = 0x0004,
    CSR0_STRT = 0x0002,
    CSR0_INIT = 0x0001,
    CSR0_ERRORS = CSR0_BABL | CSR0_CERR | CSR0_MISS | CSR0_MERR,
    CSR0_EVENTS = CSR0_ERRORS | CSR0_RINT | CSR0_TINT | CSR0_IDON,
    CSR0_INTERRUPTS = CSR0_EVENTS & ~CSR0_CERR,
    CSR0_STORED = CSR0_EVENTS | CSR0_INEA | CSR0_RXON | CSR0_TXON | CSR0_STOP | CSR0_STRT | CSR0_INIT,
};
enum {
    MODE_PROMISCUOUS = 0x8000,
    MODE_INTERNAL = 0x0040,
    MODE_COLLISION = 0x0010,
    MODE_NO_CHECK = 0x0008,
    MODE_LOOP = 0x0004,
    MODE_NO_TRANSMIT = 0x0002,
    MODE_NO_RECEIVE = 0x0001,
};
enum {
    DESCRIPTOR_OWN = 0x8000,
    DESCRIPTOR_ERROR = 0x4000,
    DESCRIPTOR_OVERFLOW = 0x1000,
    DESCRIPTOR_CHECK = 0x0800,  /* of a receive descriptor: wrong check sequence */
    DESCRIPTOR_BUFFER = 0x0400, /* of a receive descriptor */
    DESCRIPTOR_START = 0x0200,
    DESCRIPTOR_END = 0x0100,
    DESCRIPTOR_SENT = 0x1c00, /* MORE, ONE, DEF: collisions */
};
enum {
    ERROR_BUFFER = 0x8000,
    ERROR_UNDERFLOW = 0x4000,
    ERROR_RETRY = 0x0400
}; /* halfword 3 of a transmit descriptor */
enum { ADDRESS_MASK = 0xffffff, DESCRIPTOR_BYTES = 8, LENGTH_BITS = 0xfff, LENGTH_MAX = 0x1000, RING_MAX = 128 };
enum { MINIMUM_BYTES = 60, CHECK_BYTES = 4 };
enum { FRAME_BYTES = ETHERNET_MAX_BYTES + CHECK_BYTES }; /* with check sequence */
enum { LOOP_MIN_BYTES = 8, LOOP_MAX_BYTES = 32 };        /* of a frame in loopback, which the chip holds in its FIFO */

struct ring {
    uint32_t base;
    uint8_t length_log; /* log2 of the number of descriptors, 0 to 7 */
    uint8_t next;       /* the descriptor that the chip looks at */
};

struct lance {
    struct event_queue *queue;
    struct irq_line irq;
    struct log *log;
    struct ethernet_link *link;
    uint32_t size;
    struct event wire; /* the frame that is sent has left, or the wire is free to send one */
    /* Architectural state, held by a checkpoint. */
    uint8_t buffer[LANCE_BUFFER_MAX];
    uint16_t csr0, csr3;
    uint8_t rap;
    uint32_t block; /* CSR1 and CSR2: the address of the initialisation block is in bits 23:1 */
    uint16_t mode, filter[4];
    uint8_t address[ETHERNET_ADDRESS_BYTES];
    struct ring receive, transmit;
    uint8_t sending; /* descriptors of the frame on the wire, from transmit.next on; 0: none */
    uint64_t malformed, too_long, chain_errors, skipped, missed, cut, filtered;
};

/* Buffer memory */

static uint16_t get_half(const struct lance *lance, uint32_t address)
{
    const uint8_t *at = &lance->buffer[address & (lance->size - 1) & ~1u];
    return (uint16_t)(at[0] | at[1] << 8);
}

static void put_half(struct lance *lance, uint32_t address, uint16_t value)
{
    uint8_t *at = &lance->buffer[address & (lance->size - 1) & ~1u];
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void get_bytes(const struct lance *lance, uint32_t address, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = lance->buffer[(address + i) & (lance->size - 1)];
}

static void put_bytes(struct lance *lance, uint32_t address, const uint8_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        lance->buffer[(address + i) & (lance->size - 1)] = from[i];
}

/* Descriptors */

static unsigned ring_length(const struct ring *ring)
{
    return 1u << ring->length_log;
}

/* Address of the descriptor AHEAD of the next one. */
static uint32_t descriptor_at(const struct ring *ring, unsigned ahead)
{
    return ring->base + (ring->next + ahead) % ring_length(ring) * DESCRIPTOR_BYTES;
}

static void advance(struct ring *ring, unsigned count)
{
    ring->next = (uint8_t)((ring->next + count) % ring_length(ring));
}

static uint16_t status_of(const struct lance *lance, uint32_t descriptor)
{
    return get_half(lance, descriptor + 2);
}

static void set_status(struct lance *lance, uint32_t descriptor, uint16_t status)
{
    put_half(lance, descriptor + 2, status);
}

static uint32_t buffer_of(const struct lance *lance, uint32_t descriptor)
{
    return get_half(lance, descriptor) | (uint32_t)(status_of(lance, descriptor) & 0xff) << 16;
}

/* 1 to 4096 bytes */
static uint32_t length_of(const struct lance *lance, uint32_t descriptor)
{
    return (uint32_t)LENGTH_MAX - (get_half(lance, descriptor + 4) & LENGTH_BITS);
}

/* Interrupts */

static void update_irq(struct lance *lance)
{
    irq_set(&lance->irq, lance->csr0 & CSR0_INTERRUPTS && lance->csr0 & CSR0_INEA);
}

static void raise_event(struct lance *lance, uint16_t events)
{
    lance->csr0 |= events;
    update_irq(lance);
}

/* Check sequences */

/* CRC of IEEE 802.3, as the chip's multicast filter has it: without the last complement. */
static uint32_t crc_of(const uint8_t *bytes, uint32_t count)
{
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return crc;
}

static void append_check(uint8_t *bytes, uint32_t count)
{
    const uint32_t check = ~crc_of(bytes, count);
    for (unsigned i = 0; i < CHECK_BYTES; i++)
        bytes[count + i] = (uint8_t)(check >> 8 * i);
}

/* Are the last of COUNT bytes the check sequence of those before them? */
static bool has_check(const uint8_t *bytes, uint32_t count)
{
    uint8_t copy[FRAME_BYTES];
    if (count < CHECK_BYTES)
        return false;
    memcpy(copy, bytes, count);
    append_check(copy, count - CHECK_BYTES);
    return memcmp(copy, bytes, count) == 0;
}

/* Transmit */

/* The frame that begins with the next descriptor: put the first FRAME_BYTES of it into FRAME, and its length and
 * number of descriptors into *LENGTH and *COUNT. False if the driver does not own all of its descriptors up to ENP;
 * then *COUNT are the chip's. */
static bool gather(const struct lance *lance, uint8_t *frame, uint32_t *length, unsigned *count)
{
    const struct ring *ring = &lance->transmit;
    *length = 0;
    for (*count = 0; *count < ring_length(ring); ++*count) {
        const uint32_t descriptor = descriptor_at(ring, *count), part = length_of(lance, descriptor);
        const uint16_t status = status_of(lance, descriptor);
        if (!(status & DESCRIPTOR_OWN))
            return false;
        const uint32_t taken = *length < FRAME_BYTES ? *length : FRAME_BYTES;
        const uint32_t room = FRAME_BYTES - taken;
        get_bytes(lance, buffer_of(lance, descriptor), frame + taken, part < room ? part : room);
        *length += part; /* at most 128 times 4096 */
        if (status & DESCRIPTOR_END) {
            ++*count;
            return true;
        }
    }
    return false;
}

/* Give COUNT transmit descriptors back to the driver. */
static void give_back(struct lance *lance, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint32_t descriptor = descriptor_at(&lance->transmit, i);
        set_status(lance, descriptor,
                   status_of(lance, descriptor) & (uint16_t) ~(DESCRIPTOR_OWN | DESCRIPTOR_ERROR | DESCRIPTOR_SENT));
    }
    advance(&lance->transmit, count);
}

/* The chain of COUNT descriptors ends without ENP: the last of them gets the error. */
static void break_chain(struct lance *lance, unsigned count)
{
    const uint32_t last = descriptor_at(&lance->transmit, count - 1);
    lance->chain_errors++;
    give_back(lance, count);
    set_status(lance, last, status_of(lance, last) | DESCRIPTOR_ERROR);
    put_half(lance, last + 6, ERROR_BUFFER | ERROR_UNDERFLOW);
    lance->csr0 &= (uint16_t)~CSR0_TXON;
    raise_event(lance, CSR0_TINT);
}

/* Begin to send the frame of LENGTH and COUNT descriptors to the own receiver, which gets it when it has left. */
static void send_to_self(struct lance *lance, uint32_t length, unsigned count)
{
    const bool fits = length >= LOOP_MIN_BYTES && length <= LOOP_MAX_BYTES && count == 1;
    if (!fits)
        log_guest(lance->log, "lance.loopback",
                  "lance: loopback of a frame of %u bytes in %u buffers: possible are %d to %d bytes in one", length,
                  count, LOOP_MIN_BYTES, LOOP_MAX_BYTES);
    lance->malformed += !fits;
    lance->sending = (uint8_t)count;
    event_schedule(lance->queue, &lance->wire,
                   lance->queue->now + ethernet_link_duration(lance->link, CHECK_BYTES + (fits ? length : 0)));
}

/* Begin to send the frame at the next descriptor, which has OWN and STP. */
static void send_frame(struct lance *lance)
{
    uint8_t frame[FRAME_BYTES];
    uint32_t length;
    unsigned count;
    if (!gather(lance, frame, &length, &count)) {
        break_chain(lance, count);
        return;
    }
    if (lance->mode & MODE_LOOP) {
        send_to_self(lance, length, count);
        return;
    }
    const uint32_t check = lance->mode & MODE_NO_CHECK ? CHECK_BYTES : 0; /* the driver has appended it */
    const bool babbles = length > ETHERNET_MAX_BYTES + check;
    const bool leaves = !babbles && length >= ETHERNET_HEADER_BYTES + check && (check == 0 || has_check(frame, length));
    lance->too_long += babbles;
    lance->malformed += !leaves && !babbles;
    if (leaves) {
        lance->sending = (uint8_t)count;
        event_schedule(lance->queue, &lance->wire, ethernet_link_send(lance->link, frame, length - check));
    } else {
        give_back(lance, count);
        raise_event(lance, babbles ? CSR0_TINT | CSR0_BABL : CSR0_TINT);
    }
}

/* Look for a frame to send; the ring is passed once at most. */
static void look_for_frames(struct lance *lance)
{
    for (unsigned i = 0; i < RING_MAX && lance->csr0 & CSR0_TXON && !lance->sending; i++) {
        const uint16_t status = status_of(lance, descriptor_at(&lance->transmit, 0));
        if (!(status & DESCRIPTOR_OWN))
            return;
        if (!(status & DESCRIPTOR_START)) {
            lance->skipped++;
            give_back(lance, 1);
        } else if (ethernet_link_send_free(lance->link) > lance->queue->now) {
            event_schedule(lance->queue, &lance->wire, ethernet_link_send_free(lance->link));
            return;
        } else {
            send_frame(lance);
        }
    }
}

/* Receive */

static bool accepts(const struct lance *lance, const uint8_t *destination)
{
    static const uint8_t broadcast[ETHERNET_ADDRESS_BYTES] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    if (lance->mode & MODE_PROMISCUOUS || memcmp(destination, broadcast, sizeof broadcast) == 0)
        return true;
    if (!(destination[0] & 1))
        return memcmp(destination, lance->address, sizeof lance->address) == 0;
    /* the chip computes one CRC at a time, and the filter's bit is a CRC: in loopback the sender has it */
    if ((lance->mode & (MODE_LOOP | MODE_NO_CHECK)) == MODE_LOOP)
        return false;
    const uint32_t hash = crc_of(destination, ETHERNET_ADDRESS_BYTES) >> 26;
    return lance->filter[hash >> 4] >> (hash & 15) & 1;
}

/* Put COUNT bytes of a frame into buffers from the next receive descriptor on, which has OWN; ERRORS of it into the
 * last of them. */
static void fill_buffers(struct lance *lance, const uint8_t *bytes, uint32_t count, uint16_t errors)
{
    const uint32_t total = count;
    uint16_t mark = DESCRIPTOR_START;
    for (unsigned used = 0;; used++) {
        const uint32_t descriptor = descriptor_at(&lance->receive, 0), room = length_of(lance, descriptor);
        const uint32_t part = count < room ? count : room;
        put_bytes(lance, buffer_of(lance, descriptor), bytes, part);
        bytes += part;
        count -= part;
        uint16_t status = (uint16_t)((status_of(lance, descriptor) & 0xff) | mark);
        advance(&lance->receive, 1);
        const bool more = count > 0 && used + 1 < ring_length(&lance->receive) &&
                          status_of(lance, descriptor_at(&lance->receive, 0)) & DESCRIPTOR_OWN;
        if (count == 0)
            status |= DESCRIPTOR_END | errors;
        else if (!more)
            status |= DESCRIPTOR_ERROR | DESCRIPTOR_BUFFER | DESCRIPTOR_OVERFLOW;
        put_half(lance, descriptor + 6, count == 0 ? (uint16_t)total : 0);
        set_status(lance, descriptor, status);
        lance->cut += count > 0 && !more;
        if (!more)
            return;
        mark = 0;
    }
}

/* LENGTH bytes arrive, with check sequence. False: they are lost. */
static bool take(struct lance *lance, const uint8_t *bytes, uint32_t length, uint16_t errors)
{
    if (!(lance->csr0 & CSR0_RXON))
        return false;
    if (!accepts(lance, bytes)) {
        lance->filtered++;
        return true;
    }
    if (!(status_of(lance, descriptor_at(&lance->receive, 0)) & DESCRIPTOR_OWN)) {
        lance->missed++;
        raise_event(lance, CSR0_MISS);
        return false;
    }
    fill_buffers(lance, bytes, length, errors);
    raise_event(lance, CSR0_RINT);
    return true;
}

static bool receive(void *opaque, const uint8_t *frame, uint32_t length)
{
    struct lance *lance = opaque;
    uint8_t bytes[FRAME_BYTES] = {0};
    if ((lance->mode & (MODE_LOOP | MODE_INTERNAL)) == (MODE_LOOP | MODE_INTERNAL))
        return false;
    memcpy(bytes, frame, length);
    length = length < MINIMUM_BYTES ? MINIMUM_BYTES : length;
    append_check(bytes, length);
    return take(lance, bytes, length + CHECK_BYTES, 0);
}

/* The frame of the descriptors that are being sent arrives at the own receiver, which the transmitter's CRC is lent to
 * with DTCR. False: a collision prevented that. */
static bool receive_own(struct lance *lance)
{
    uint8_t bytes[FRAME_BYTES];
    uint32_t length;
    unsigned count;
    uint16_t errors = 0;
    if ((lance->mode & (MODE_INTERNAL | MODE_COLLISION)) == (MODE_INTERNAL | MODE_COLLISION))
        return false;
    if (!gather(lance, bytes, &length, &count) || count != 1 || length < LOOP_MIN_BYTES || length > LOOP_MAX_BYTES)
        return true;
    if (!(lance->mode & MODE_NO_CHECK)) {
        append_check(bytes, length);
        length += CHECK_BYTES;
    } else if (!has_check(bytes, length)) {
        errors = DESCRIPTOR_ERROR | DESCRIPTOR_CHECK;
    }
    take(lance, bytes, length, errors);
    return true;
}

/* The frame that was being sent has left, or the wire is free. */
static void wire_free(void *opaque)
{
    struct lance *lance = opaque;
    if (lance->sending) {
        const uint32_t first = descriptor_at(&lance->transmit, 0);
        const bool collided = lance->mode & MODE_LOOP && !receive_own(lance);
        give_back(lance, lance->sending);
        lance->sending = 0;
        if (collided) {
            set_status(lance, first, status_of(lance, first) | DESCRIPTOR_ERROR);
            put_half(lance, first + 6, ERROR_RETRY);
        }
        raise_event(lance, CSR0_TINT);
    }
    look_for_frames(lance);
}

/* Registers */

static void stop(struct lance *lance)
{
    lance->csr0 = CSR0_STOP;
    lance->csr3 = 0;
    lance->sending = 0;
    event_cancel(lance->queue, &lance->wire);
    update_irq(lance);
}

static struct ring read_ring(const struct lance *lance, uint32_t at)
{
    const uint16_t high = get_half(lance, at + 2);
    return (struct ring){.base = (get_half(lance, at) & 0xfff8u) | (uint32_t)(high & 0xff) << 16,
                         .length_log = (uint8_t)(high >> 13)};
}

static void initialise(struct lance *lance)
{
    const uint32_t block = lance->block & ADDRESS_MASK & ~1u;
    lance->mode = get_half(lance, block);
    for (unsigned i = 0; i < ETHERNET_ADDRESS_BYTES; i++)
        lance->address[i] = (uint8_t)(get_half(lance, block + 2 + (i & ~1u)) >> 8 * (i & 1));
    for (unsigned i = 0; i < 4; i++)
        lance->filter[i] = get_half(lance, block + 8 + 2 * i);
    lance->receive = read_ring(lance, block + 16);
    lance->transmit = read_ring(lance, block + 20);
    raise_event(lance, CSR0_IDON);
}

static void write_csr0(struct lance *lance, uint16_t value)
{
    if (value & CSR0_STOP) {
        stop(lance);
        return;
    }
    lance->csr0 &= (uint16_t) ~(value & CSR0_EVENTS);
    lance->csr0 = (uint16_t)((lance->csr0 & ~CSR0_INEA) | (value & CSR0_INEA));
    if (value & CSR0_INIT && lance->csr0 & CSR0_STOP) {
        lance->csr0 = (uint16_t)((lance->csr0 & ~CSR0_STOP) | CSR0_INIT);
        initialise(lance);
    }
    if (value & CSR0_STRT && !(lance->csr0 & CSR0_STRT)) {
        lance->csr0 = (uint16_t)((lance->csr0 & ~CSR0_STOP) | CSR0_STRT);
        lance->csr0 |= (uint16_t)((lance->mode & MODE_NO_RECEIVE ? 0 : CSR0_RXON) |
                                  (lance->mode & MODE_NO_TRANSMIT ? 0 : CSR0_TXON));
        look_for_frames(lance);
    }
    if (value & CSR0_TDMD)
        look_for_frames(lance);
    update_irq(lance);
}

static void write_rdp(struct lance *lance, uint16_t value)
{
    if (lance->rap == 0)
        write_csr0(lance, value);
    else if (!(lance->csr0 & CSR0_STOP))
        log_guest(lance->log, "lance.running", "lance: CSR%u is written while the chip runs; ignored", lance->rap);
    else if (lance->rap == 1)
        lance->block = (lance->block & 0xffff0000) | value;
    else if (lance->rap == 2)
        lance->block = (lance->block & 0xffff) | (uint32_t)value << 16;
    else
        lance->csr3 = value & 7;
}

static uint16_t read_rdp(const struct lance *lance)
{
    const uint16_t csr0 = lance->csr0;
    switch (lance->rap) {
    case 0: return (uint16_t)(csr0 | (csr0 & CSR0_ERRORS ? CSR0_ERR : 0) | (csr0 & CSR0_INTERRUPTS ? CSR0_INTR : 0));
    case 1: return csr0 & CSR0_STOP ? (uint16_t)lance->block : 0;
    case 2: return csr0 & CSR0_STOP ? (uint16_t)(lance->block >> 16) : 0;
    default: return csr0 & CSR0_STOP ? lance->csr3 : 0;
    }
}

static uint32_t lance_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct lance *lance = opaque;
    (void)size;
    (void)cpu;
    const uint32_t value = (offset & ~3u) == REG_RDP ? read_rdp(lance) : lance->rap;
    return value >> 8 * (offset & 3);
}

static void lance_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct lance *lance = opaque;
    (void)cpu;
    if (size == 1 || offset & 3)
        log_guest(lance->log, "lance.size", "lance: write of %u bytes at 0x%x ignored: registers have 2", size, offset);
    else if (offset == REG_RDP)
        write_rdp(lance, (uint16_t)value);
    else
        lance->rap = value & 3;
}

const struct device_ops lance_device_ops = {"lance", lance_read, lance_write};

/* The buffer as the CPU sees it */

static uint32_t buffer_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct lance *lance = opaque;
    uint32_t value = 0;
    (void)cpu;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)lance->buffer[offset + i] << 8 * i;
    return value;
}

static void buffer_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct lance *lance = opaque;
    (void)cpu;
    for (unsigned i = 0; i < size; i++)
        lance->buffer[offset + i] = (uint8_t)(value >> 8 * i);
}

/* Bytes of an access of SIZE at OFFSET that are in the low half of a word. */
static unsigned halfword_part(uint32_t offset, unsigned size)
{
    return offset & 2 ? 0 : size < 2 ? size : 2;
}

static uint32_t halfword_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    return buffer_read(opaque, offset / 4 * 2 + (offset & 1), halfword_part(offset, size), cpu);
}

static void halfword_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    buffer_write(opaque, offset / 4 * 2 + (offset & 1), halfword_part(offset, size), value, cpu);
}

const struct device_ops lance_buffer_ops = {"lance buffer", buffer_read, buffer_write};
const struct device_ops lance_halfword_buffer_ops = {"lance buffer", halfword_read, halfword_write};

/* Creation */

struct lance *lance_create(struct event_queue *queue, uint32_t buffer_size, uint64_t bandwidth, nsec latency,
                           struct irq_line irq, struct log *log)
{
    struct lance *lance = checked_memory(calloc(1, sizeof *lance));
    if (buffer_size == 0 || buffer_size > LANCE_BUFFER_MAX || buffer_size & (buffer_size - 1))
        log_bug("lance: a buffer of %u bytes", buffer_size);
    lance->queue = queue;
    lance->irq = irq;
    lance->log = log;
    lance->size = buffer_size;
    lance->csr0 = CSR0_STOP;
    lance->link = ethernet_link_create(queue, bandwidth, latency, (struct ethernet_receiver){receive, lance});
    event_init(&lance->wire, "lance", wire_free, lance);
    return lance;
}

void lance_free(struct lance *lance)
{
    if (!lance)
        return;
    event_cancel(lance->queue, &lance->wire);
    ethernet_link_free(lance->link);
    free(lance);
}

struct ethernet_link *lance_link(struct lance *lance)
{
    return lance->link;
}

void lance_fill_rom(uint8_t rom[LANCE_ROM_BYTES], const uint8_t address[ETHERNET_ADDRESS_BYTES])
{
    static const uint8_t pattern[] = {0xff, 0x00, 0x55, 0xaa};
    uint32_t sum = 0;
    for (unsigned i = 0; i < ETHERNET_ADDRESS_BYTES; i += 2) {
        sum = sum * 2 > 0xffff ? sum * 2 - 0xffff : sum * 2;
        sum += address[i] | (uint32_t)address[i + 1] << 8;
        sum = sum > 0xffff ? sum - 0xffff : sum;
    }
    sum = sum == 0xffff ? 0 : sum;
    for (unsigned i = 0; i < 8; i++) {
        const uint8_t byte = i < 6 ? address[i] : (uint8_t)(sum >> 8 * (i - 6));
        rom[i] = rom[15 - i] = rom[16 + i] = byte;
        rom[24 + i] = pattern[i % 4];
    }
}

/* Statistics and saved state */

void lance_register_stats(const struct lance *lance, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"malformed", "frames",
         "frames from the driver shorter than a header, with a wrong check sequence of their own or "
         "with a length that loopback does not have, dropped",
         &lance->malformed},
        {"too_long", "frames", "frames from the driver longer than 1518 bytes, dropped", &lance->too_long},
        {"chain_errors", "frames", "frames whose descriptors the driver had not all given to the chip",
         &lance->chain_errors},
        {"skipped", "descriptors", "descriptors outside a frame, skipped", &lance->skipped},
        {"no_buffer", "frames", "frames lost because the driver had no buffer ready", &lance->missed},
        {"short_buffer", "frames", "frames cut off because the next buffer was not ready", &lance->cut},
        {"filtered", "frames", "frames for other stations", &lance->filtered},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
    ethernet_link_register_stats(lance->link, stats, prefix);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct lance, csr0, SAVED_U16),
    SAVED_LIMITED(struct lance, csr3, SAVED_U16, 7),
    SAVED_LIMITED(struct lance, rap, SAVED_U8, 3),
    SAVED_FIELD(struct lance, block, SAVED_U32),
    SAVED_FIELD(struct lance, mode, SAVED_U16),
    SAVED_FIELD(struct lance, filter, SAVED_U16),
    SAVED_FIELD(struct lance, address, SAVED_U8),
    SAVED_LIMITED(struct lance, receive.base, SAVED_U32, ADDRESS_MASK),
    SAVED_LIMITED(struct lance, receive.length_log, SAVED_U8, 7),
    SAVED_LIMITED(struct lance, receive.next, SAVED_U8, RING_MAX - 1),
    SAVED_LIMITED(struct lance, transmit.base, SAVED_U32, ADDRESS_MASK),
    SAVED_LIMITED(struct lance, transmit.length_log, SAVED_U8, 7),
    SAVED_LIMITED(struct lance, transmit.next, SAVED_U8, RING_MAX - 1),
    SAVED_LIMITED(struct lance, sending, SAVED_U8, RING_MAX),
    SAVED_FIELD(struct lance, buffer, SAVED_U8),
    SAVED_FIELD(struct lance, wire, SAVED_EVENT),
    SAVED_STATISTIC(struct lance, malformed),
    SAVED_STATISTIC(struct lance, too_long),
    SAVED_STATISTIC(struct lance, chain_errors),
    SAVED_STATISTIC(struct lance, skipped),
    SAVED_STATISTIC(struct lance, missed),
    SAVED_STATISTIC(struct lance, cut),
    SAVED_STATISTIC(struct lance, filtered),
};

static bool after_load(void *base, struct err *err)
{
    const struct lance *lance = base;
    if (lance->csr0 & ~CSR0_STORED)
        return err_set(err, "CSR0 0x%x has bits that are not stored", lance->csr0);
    if (lance->sending && !event_is_scheduled(&lance->wire))
        return err_set(err, "a frame is sent that never leaves");
    return (lance->receive.next < ring_length(&lance->receive) &&
            lance->transmit.next < ring_length(&lance->transmit) && lance->sending <= ring_length(&lance->transmit)) ||
           err_set(err, "a descriptor outside its ring");
}

void lance_register_saved(struct lance *lance, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.after_load = after_load};
    char cable[SAVED_NAME_MAX + 1];
    snprintf(cable, sizeof cable, "%s.cable", name);
    saved_add(saved,
              &(struct saved_section){.name = name, .version = 1, .base = lance, SAVED_TABLE(fields), .ops = &ops});
    ethernet_link_register_saved(lance->link, saved, cable);
}
