/* The Ethernet controller of DECstations: as Linux drives it, and as no driver should. */
#include "devices/dec/lance.h"
#include <string.h>
#include "tests/unit/test.h"

enum { RDP = 0, RAP = 4 };
enum {
    ERR = 0x8000,
    BABL = 0x4000,
    MISS = 0x1000,
    RINT = 0x400,
    TINT = 0x200,
    IDON = 0x100,
    INTR = 0x80,
    INEA = 0x40,
    RXON = 0x20,
    TXON = 0x10,
    TDMD = 8,
    STOP = 4,
    STRT = 2,
    INIT = 1,
};
enum { OWN = 0x8000, ERROR = 0x4000, STP = 0x200, ENP = 0x100 };
enum { CLOCK = 16000000, RX_RING = 24, TX_RING = 24 + 16 * 8, BUFFERS = 0x200, RINGS_LOG = 2 };

struct bench {
    struct event_queue *queue;
    struct log *log;
    struct lance *lance;
    bool irq;
    unsigned sent;
    uint32_t length;
    uint8_t frame[ETHERNET_MAX_BYTES];
};

static const uint8_t station[] = {0x08, 0x00, 0x2b, 0x01, 0x02, 0x03};

static void set_line(void *opaque, unsigned line, bool level)
{
    struct bench *b = opaque;
    assert_int_equal(line, 3);
    b->irq = level;
}

static void sent(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct bench *b = opaque;
    (void)arrival;
    b->sent++;
    b->length = length;
    memcpy(b->frame, frame, length);
}

static void set_reg(struct bench *b, unsigned csr, unsigned value)
{
    lance_device_ops.write(b->lance, RAP, 2, csr, 0);
    lance_device_ops.write(b->lance, RDP, 2, value, 0);
}

static unsigned csr0(struct bench *b)
{
    lance_device_ops.write(b->lance, RAP, 2, 0, 0);
    return lance_device_ops.read(b->lance, RDP, 2, 0);
}

static void put(struct bench *b, uint32_t address, unsigned half)
{
    lance_buffer_ops.write(b->lance, address, 2, half, 0);
}

static unsigned get(struct bench *b, uint32_t address)
{
    return lance_buffer_ops.read(b->lance, address, 2, 0);
}

static void descriptor(struct bench *b, uint32_t at, uint32_t buffer, unsigned status, unsigned length)
{
    put(b, at, buffer & 0xffff);
    put(b, at + 4, (0u - length) & 0xffff);
    put(b, at + 6, 0);
    put(b, at + 2, status | buffer >> 16);
}

static uint32_t rx(unsigned i)
{
    return RX_RING + 8 * i;
}

static uint32_t tx(unsigned i)
{
    return TX_RING + 8 * i;
}

/* The initialisation block at 0, with rings of four. */
static void start(struct bench *b, unsigned mode)
{
    set_reg(b, 0, STOP);
    put(b, 0, mode);
    for (unsigned i = 0; i < 3; i++)
        put(b, 2 + 2 * i, station[2 * i] | station[2 * i + 1] << 8);
    put(b, 16, RX_RING);
    put(b, 18, RINGS_LOG << 13);
    put(b, 20, TX_RING);
    put(b, 22, RINGS_LOG << 13);
    set_reg(b, 1, 0);
    set_reg(b, 2, 0);
    set_reg(b, 3, 0);
    set_reg(b, 0, INIT);
    assert_true(csr0(b) & IDON);
    set_reg(b, 0, IDON);
    set_reg(b, 0, STRT);
    set_reg(b, 0, INEA);
}

static void open_bench(struct bench *b, uint32_t size)
{
    memset(b, 0, sizeof *b);
    b->queue = event_queue_create(CLOCK);
    b->log = log_create(true);
    b->lance = lance_create(b->queue, size, 10000000, 0, (struct irq_line){set_line, b, 3}, b->log);
    ethernet_link_connect(lance_link(b->lance), (struct ethernet_port){sent, b});
}

static void close_bench(struct bench *b)
{
    lance_free(b->lance);
    event_queue_free(b->queue);
    log_free(b->log);
}

static void pass(struct bench *b)
{
    event_queue_run(b->queue, b->queue->now + CLOCK / 100);
}

static void arrive(struct bench *b, const uint8_t *to, uint32_t length)
{
    uint8_t frame[ETHERNET_MAX_BYTES];
    for (uint32_t i = 0; i < length; i++)
        frame[i] = (uint8_t)i;
    memcpy(frame, to, 6);
    assert_true(ethernet_link_receive(lance_link(b->lance), frame, length, b->queue->now));
    pass(b);
}

static void initialisation(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    assert_int_equal(csr0(&b), STOP);
    start(&b, 0);
    assert_int_equal(csr0(&b), STRT | INIT | RXON | TXON | INEA);
    set_reg(&b, 1, 0x1234); /* not while it runs */
    set_reg(&b, 0, STOP);
    assert_int_equal(csr0(&b), STOP);
    lance_device_ops.write(b.lance, RAP, 2, 1, 0);
    assert_int_equal(lance_device_ops.read(b.lance, RDP, 2, 0), 0);
    start(&b, 3);
    assert_int_equal(csr0(&b) & (RXON | TXON), 0);
    close_bench(&b);
}

static void a_frame_is_sent(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    for (uint32_t i = 0; i < 60; i += 2)
        put(&b, BUFFERS + i, i | (i + 1) << 8);
    descriptor(&b, tx(0), BUFFERS, OWN | STP | ENP, 60);
    set_reg(&b, 0, INEA | TDMD);
    assert_int_equal(b.sent, 1);
    assert_int_equal(b.length, 60);
    assert_int_equal(b.frame[59], 59);
    assert_true(get(&b, tx(0) + 2) & OWN); /* it is on the wire */
    assert_false(b.irq);
    pass(&b);
    assert_int_equal(get(&b, tx(0) + 2), STP | ENP);
    assert_true(b.irq);
    assert_int_equal(csr0(&b) & (ERR | TINT | INTR), TINT | INTR);
    set_reg(&b, 0, TINT | INEA);
    assert_false(b.irq);
    close_bench(&b);
}

static void a_chain_is_one_frame(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    put(&b, BUFFERS + 30, 0xbbaa);
    descriptor(&b, tx(0), 0, OWN, 64); /* outside a frame: skipped */
    descriptor(&b, tx(1), BUFFERS, OWN | STP, 32);
    descriptor(&b, tx(2), BUFFERS + 0x100, OWN, 10);
    descriptor(&b, tx(3), BUFFERS + 0x200, OWN | ENP, 20);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 1);
    assert_int_equal(b.length, 62);
    assert_int_equal(b.frame[31], 0xbb);
    for (unsigned i = 0; i < 4; i++)
        assert_false(get(&b, tx(i) + 2) & OWN);
    close_bench(&b);
}

/* The last descriptor of the chain is not the chip's: a buffer error, which switches the transmitter off. */
static void a_chain_without_an_end(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    descriptor(&b, tx(0), BUFFERS, OWN | STP, 64);
    descriptor(&b, tx(1), BUFFERS, OWN, 64);
    descriptor(&b, tx(2), BUFFERS, ENP, 64);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 0);
    assert_int_equal(get(&b, tx(0) + 2), STP);
    assert_int_equal(get(&b, tx(1) + 2), ERROR);
    assert_int_equal(get(&b, tx(1) + 6), 0xc000);
    assert_int_equal(csr0(&b) & (TXON | TINT), TINT);
    start(&b, 0); /* the driver starts it again: the whole ring is a chain that never ends */
    for (unsigned i = 0; i < 4; i++)
        descriptor(&b, tx(i), BUFFERS, OWN | STP, 64);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(get(&b, tx(3) + 2), STP | ERROR);
    assert_int_equal(csr0(&b) & TXON, 0);
    close_bench(&b);
}

static void lengths_that_are_no_frame(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    descriptor(&b, tx(0), BUFFERS, OWN | STP | ENP, 13);
    descriptor(&b, tx(1), BUFFERS, OWN | STP | ENP, 4096);
    descriptor(&b, tx(2), BUFFERS, OWN | STP | ENP, ETHERNET_MAX_BYTES);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 1);
    assert_int_equal(b.length, ETHERNET_MAX_BYTES);
    assert_int_equal(csr0(&b) & (ERR | BABL), ERR | BABL);
    assert_int_equal(get(&b, tx(1) + 2), STP | ENP);
    close_bench(&b);
}

static void received_frames(void **state)
{
    static const uint8_t other[] = {8, 0, 0x2b, 9, 9, 9}, all[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    for (unsigned i = 0; i < 4; i++)
        descriptor(&b, rx(i), BUFFERS + 0x600 * i, OWN, 1536);
    arrive(&b, other, 60);
    assert_int_equal(get(&b, rx(0) + 2), OWN);
    arrive(&b, station, 60);
    assert_true(b.irq);
    assert_int_equal(get(&b, rx(0) + 2), STP | ENP);
    assert_int_equal(get(&b, rx(0) + 6), 64);
    assert_int_equal(get(&b, BUFFERS + 58), 58 | 59 << 8);
    /* the check sequence: the CRC over frame and sequence is the constant of IEEE 802.3 */
    uint32_t crc = UINT32_MAX;
    for (unsigned i = 0; i < 64; i++) {
        crc ^= lance_buffer_ops.read(b.lance, BUFFERS + i, 1, 0);
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    assert_int_equal(~crc, 0x2144df1c);
    arrive(&b, all, 14); /* padded */
    assert_int_equal(get(&b, rx(1) + 6), 64);
    start(&b, 0x8000); /* promiscuous */
    descriptor(&b, rx(0), BUFFERS, OWN, 1536);
    arrive(&b, other, 1518);
    assert_int_equal(get(&b, rx(0) + 6), 1522);
    close_bench(&b);
}

static void multicast(void **state)
{
    /* the bit of the filter: the first six bits of the CRC, as the driver computes it */
    static const uint8_t group[] = {1, 0, 0x5e, 0, 0, 1};
    struct bench b;
    uint32_t crc = UINT32_MAX;
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        crc ^= group[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    open_bench(&b, 0x10000);
    start(&b, 0);
    descriptor(&b, rx(0), BUFFERS, OWN, 1536);
    arrive(&b, group, 60);
    assert_int_equal(get(&b, rx(0) + 2), OWN);
    put(&b, 8 + 2 * (crc >> 30), 1u << (crc >> 26 & 15));
    start(&b, 0);
    arrive(&b, group, 60);
    assert_int_equal(get(&b, rx(0) + 2), STP | ENP);
    close_bench(&b);
}

/* A ring without a free descriptor loses the frame; one with too few cuts it off. */
static void the_ring_is_exhausted(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    arrive(&b, station, 60);
    assert_int_equal(csr0(&b) & (ERR | MISS | RINT), ERR | MISS);
    set_reg(&b, 0, MISS | INEA);
    descriptor(&b, rx(0), BUFFERS, OWN, 100);
    descriptor(&b, rx(1), BUFFERS + 0x100, OWN, 100);
    arrive(&b, station, 1000);
    assert_int_equal(get(&b, rx(0) + 2), STP);
    assert_int_equal(get(&b, rx(1) + 2), ERROR | 0x1400);
    assert_int_equal(get(&b, BUFFERS + 0x100), 100 | 101 << 8);
    for (unsigned i = 0; i < 4; i++)
        descriptor(&b, rx(i), BUFFERS, OWN, 16); /* the ring is shorter than the frame */
    arrive(&b, station, 1000);
    assert_int_equal(get(&b, rx(1) + 2), ERROR | 0x1400);
    for (unsigned i = 0; i < 4; i++)
        assert_false(get(&b, rx(i) + 2) & OWN);
    close_bench(&b);
}

/* Addresses wrap around in the buffer: whatever the driver writes, nothing else is reached. */
static void pointers_outside_the_buffer(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, 0);
    descriptor(&b, tx(0), 0xfffffe, OWN | STP | ENP, 60);
    lance_buffer_ops.write(b.lance, 0xfffe, 2, 0x2211, 0);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.frame[0], 0x11);
    assert_int_equal(b.frame[1], 0x22);
    assert_int_equal(b.frame[2], get(&b, 0) & 0xff);
    set_reg(&b, 0, STOP);
    set_reg(&b, 1, 0xfff0); /* the block wraps too, and the rings of 128 that it names */
    set_reg(&b, 2, 0xff);
    for (uint32_t i = 0; i < 24; i += 2)
        lance_buffer_ops.write(b.lance, (0xfff0 + i) & 0xffff, 2, 0xffff, 0);
    set_reg(&b, 0, INIT);
    set_reg(&b, 0, STRT | INEA | TDMD);
    pass(&b);
    arrive(&b, (const uint8_t[]){0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 1518);
    close_bench(&b);
}

enum { INTL = 0x40, COLL = 0x10, DTCR = 8, LOOP = 4, CRC = 0x800, RTRY = 0x400 };

/* A frame of LENGTH bytes to TO at BUFFERS. */
static void put_frame(struct bench *b, const uint8_t *to, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        lance_buffer_ops.write(b->lance, BUFFERS + i, 1, i < 6 ? to[i] : i, 0);
}

/* Append the check sequence to the LENGTH bytes at BUFFERS. */
static void put_check(struct bench *b, uint32_t length)
{
    uint32_t crc = UINT32_MAX;
    for (unsigned i = 0; i < length; i++) {
        crc ^= lance_buffer_ops.read(b->lance, BUFFERS + i, 1, 0);
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    for (unsigned i = 0; i < 4; i++)
        lance_buffer_ops.write(b->lance, BUFFERS + length + i, 1, ~crc >> 8 * i & 0xff, 0);
}

/* Send the LENGTH bytes at BUFFERS in MODE; the receive ring has one buffer, with 0xee in it. */
static void loop(struct bench *b, unsigned mode, uint32_t length)
{
    start(b, mode);
    for (unsigned i = 0; i < 4; i++)
        descriptor(b, rx(i), BUFFERS + 0x100, i == 0 ? OWN : 0, 64);
    for (unsigned i = 0; i < 64; i += 2)
        put(b, BUFFERS + 0x100 + i, 0xeeee);
    descriptor(b, tx(0), BUFFERS, OWN | STP | ENP, length);
    set_reg(b, 0, INEA | TDMD);
    assert_true(get(b, tx(0) + 2) & OWN); /* in flight */
    assert_true(get(b, rx(0) + 2) & OWN);
    pass(b);
    assert_false(get(b, tx(0) + 2) & OWN);
    assert_true(csr0(b) & TINT);
    assert_int_equal(b->sent, 0);
}

static void assert_received(struct bench *b, uint32_t length, unsigned status)
{
    assert_int_equal(get(b, rx(0) + 2), STP | ENP | status);
    assert_int_equal(get(b, rx(0) + 6), length);
    for (uint32_t i = 0; i < length; i++)
        assert_int_equal(lance_buffer_ops.read(b->lance, BUFFERS + 0x100 + i, 1, 0),
                         lance_buffer_ops.read(b->lance, BUFFERS + i, 1, 0));
    assert_int_equal(lance_buffer_ops.read(b->lance, BUFFERS + 0x100 + length, 1, 0), 0xee);
    assert_int_equal(csr0(b) & (RINT | TINT | ERR), RINT | TINT);
}

/* Am7990: the mode register. Without DTCR the chip appends the check sequence and does not check it, with DTCR the
 * driver appends it and the chip checks it. */
static void loopback(void **state)
{
    static const uint8_t other[] = {8, 0, 0x2b, 9, 9, 9}, all[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const unsigned modes[] = {LOOP | INTL, LOOP};
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    for (unsigned m = 0; m < 2; m++) {
        for (uint32_t length = 8; length <= 32; length++) {
            put_frame(&b, length & 1 ? station : all, length);
            loop(&b, modes[m], length);
            put_check(&b, length); /* what has been received has it */
            assert_received(&b, length + 4, 0);
            if (length < 12)
                continue;
            put_frame(&b, station, length);
            put_check(&b, length - 4);
            loop(&b, modes[m] | DTCR, length);
            assert_received(&b, length, 0);
            put(&b, BUFFERS + 6, 0x1234);
            loop(&b, modes[m] | DTCR, length);
            assert_received(&b, length, ERROR | CRC);
        }
        put_frame(&b, other, 20);
        loop(&b, modes[m], 20);
        assert_int_equal(get(&b, rx(0) + 2), OWN);
        assert_false(csr0(&b) & RINT);
        loop(&b, modes[m] | 0x8000, 20); /* promiscuous */
        assert_int_equal(get(&b, rx(0) + 6), 24);
        loop(&b, modes[m] | 0x8000 | 1, 20); /* the receiver is off */
        assert_int_equal(get(&b, rx(0) + 2), OWN);
        put_frame(&b, station, 40); /* the chip's FIFO has room for 8 to 32 bytes */
        loop(&b, modes[m], 7);
        assert_int_equal(get(&b, rx(0) + 2), OWN);
        loop(&b, modes[m], 33);
        assert_int_equal(get(&b, rx(0) + 2), OWN);
    }
    close_bench(&b);
}

/* What a frame in loopback has to do with the wire, other buffers, groups and collisions. */
static void loopback_and_the_rest(void **state)
{
    static const uint8_t group[] = {1, 0, 0x5e, 0, 0, 1};
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    for (unsigned i = 0; i < 4; i++)
        put(&b, 8 + 2 * i, 0xffff); /* every group */
    put_frame(&b, group, 16);
    put_check(&b, 12);
    loop(&b, LOOP | INTL, 16); /* the transmitter has the chip's only CRC: the filter has none */
    assert_int_equal(get(&b, rx(0) + 2), OWN);
    loop(&b, LOOP | INTL | DTCR, 16);
    assert_received(&b, 16, 0);

    put_frame(&b, station, 20);
    loop(&b, LOOP | INTL | COLL, 20);
    assert_int_equal(get(&b, rx(0) + 2), OWN);
    assert_int_equal(get(&b, tx(0) + 2), STP | ENP | ERROR);
    assert_int_equal(get(&b, tx(0) + 6), RTRY);
    assert_int_equal(csr0(&b) & (TXON | TINT | RINT), TXON | TINT);
    loop(&b, LOOP | COLL, 20); /* of internal loopback only */
    assert_int_equal(get(&b, rx(0) + 6), 24);

    start(&b, LOOP | INTL); /* nothing comes in from the wire */
    descriptor(&b, rx(0), BUFFERS, OWN, 1536);
    arrive(&b, station, 60);
    assert_int_equal(get(&b, rx(0) + 2), OWN);
    start(&b, LOOP);
    descriptor(&b, rx(0), BUFFERS, OWN, 1536);
    arrive(&b, station, 60);
    assert_int_equal(get(&b, rx(0) + 6), 64);

    start(&b, LOOP | INTL); /* received into a chain, whatever the buffers' length; sent from one buffer only */
    put_frame(&b, station, 30);
    for (unsigned i = 0; i < 4; i++)
        descriptor(&b, rx(i), BUFFERS + 0x100 + 16 * i, OWN, 16);
    descriptor(&b, tx(0), BUFFERS, OWN | STP | ENP, 30);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(get(&b, rx(1) + 2), 0);
    assert_int_equal(get(&b, rx(2) + 2), ENP);
    assert_int_equal(get(&b, rx(2) + 6), 34);
    descriptor(&b, tx(1), BUFFERS, OWN | STP, 10);
    descriptor(&b, tx(2), BUFFERS, OWN | ENP, 10);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(get(&b, rx(3) + 2), OWN);
    assert_int_equal(get(&b, tx(1) + 2), STP);
    assert_int_equal(get(&b, tx(2) + 2), ENP);

    descriptor(&b, tx(3), BUFFERS, OWN | STP | ENP, 30);
    set_reg(&b, 0, INEA | TDMD);
    set_reg(&b, 0, STOP); /* it never arrives */
    pass(&b);
    assert_int_equal(get(&b, rx(3) + 2), OWN);
    assert_int_equal(csr0(&b), STOP);
    close_bench(&b);
}

/* DTCR outside loopback: the last four bytes are the check sequence, which is not part of the frame on the cable. */
static void own_check_sequences(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    start(&b, DTCR);
    put_frame(&b, station, 100);
    put_check(&b, 96);
    descriptor(&b, tx(0), BUFFERS, OWN | STP | ENP, 100);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 1);
    assert_int_equal(b.length, 96);
    put(&b, BUFFERS + 50, 0);
    descriptor(&b, tx(1), BUFFERS, OWN | STP | ENP, 100); /* wrong: no station accepts it */
    descriptor(&b, tx(2), BUFFERS, OWN | STP | ENP, 17);
    descriptor(&b, tx(3), BUFFERS, OWN | STP | ENP, ETHERNET_MAX_BYTES + 5);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 1);
    assert_true(csr0(&b) & BABL);
    start(&b, DTCR);
    put_frame(&b, station, ETHERNET_MAX_BYTES);
    put_check(&b, ETHERNET_MAX_BYTES);
    descriptor(&b, tx(0), BUFFERS, OWN | STP | ENP, ETHERNET_MAX_BYTES + 4);
    set_reg(&b, 0, INEA | TDMD);
    pass(&b);
    assert_int_equal(b.sent, 2);
    assert_int_equal(b.length, ETHERNET_MAX_BYTES);
    close_bench(&b);
}

static void halfwords_in_words(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0x10000);
    lance_halfword_buffer_ops.write(b.lance, 8, 2, 0x1234, 0);
    lance_halfword_buffer_ops.write(b.lance, 10, 2, 0x5678, 0); /* nothing is there */
    assert_int_equal(get(&b, 4), 0x1234);
    assert_int_equal(get(&b, 6), 0);
    assert_int_equal(lance_halfword_buffer_ops.read(b.lance, 8, 4, 0), 0x1234);
    assert_int_equal(lance_halfword_buffer_ops.read(b.lance, 9, 1, 0), 0x12);
    assert_int_equal(lance_halfword_buffer_ops.read(b.lance, 10, 2, 0), 0);
    lance_halfword_buffer_ops.write(b.lance, 0x1fffc, 1, 0x99, 0); /* an odd last byte */
    assert_int_equal(get(&b, 0xfffe), 0x99);
    close_bench(&b);
}

/* The checks that the driver makes when it probes the controller. */
static void station_address_rom(void **state)
{
    uint8_t rom[LANCE_ROM_BYTES];
    (void)state;
    lance_fill_rom(rom, station);
    assert_memory_equal(rom, station, 6);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(rom[i], rom[15 - i]);
        assert_int_equal(rom[i], rom[16 + i]);
    }
    assert_memory_equal(rom + 24, ((uint8_t[]){0xff, 0, 0x55, 0xaa}), 4);
}

/* The checksum, as drivers that verify it compute it: the sum of the three words, each doubled by those behind it,
 * modulo 65535. */
static void station_address_checksum(void **state)
{
    static const uint8_t addresses[][ETHERNET_ADDRESS_BYTES] = {{0x08, 0x00, 0x2b, 0x01, 0x02, 0x03},
                                                                {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                                                {0, 0, 0, 0, 0, 0},
                                                                {0xaa, 0x00, 0x04, 0x00, 0xfe, 0xff},
                                                                {0x00, 0x80, 0xff, 0xff, 0x01, 0x00},
                                                                {0x34, 0xf2, 0x9a, 0xc1, 0x77, 0xe8}};
    (void)state;
    for (unsigned i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        uint8_t rom[LANCE_ROM_BYTES];
        const uint8_t *at = addresses[i];
        const uint32_t sum = 4 * (at[0] | at[1] << 8) + 2 * (at[2] | at[3] << 8) + (at[4] | at[5] << 8);
        lance_fill_rom(rom, at);
        assert_int_equal(rom[6] | rom[7] << 8, sum % 0xffff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisation),
        cmocka_unit_test(a_frame_is_sent),
        cmocka_unit_test(a_chain_is_one_frame),
        cmocka_unit_test(a_chain_without_an_end),
        cmocka_unit_test(lengths_that_are_no_frame),
        cmocka_unit_test(received_frames),
        cmocka_unit_test(multicast),
        cmocka_unit_test(the_ring_is_exhausted),
        cmocka_unit_test(pointers_outside_the_buffer),
        cmocka_unit_test(loopback),
        cmocka_unit_test(loopback_and_the_rest),
        cmocka_unit_test(own_check_sequences),
        cmocka_unit_test(halfwords_in_words),
        cmocka_unit_test(station_address_rom),
        cmocka_unit_test(station_address_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
