/*
 * The network card (Virtual I/O Device specification 1.1, section 5.1): features, frames in both directions, their
 * timing, and incorrect drivers.
 */
#include "tests/unit/net_driver.h"
#include "tests/unit/test.h"

enum { BIT_TIMES_OF_SHORT = (8 + 60 + 4 + 12) * 8, LONG_AGO = 1000000 };

static int setup(void **state)
{
    struct net_bench *b = calloc(1, sizeof *b);
    net_bench_open(b);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    net_bench_close(*state);
    free(*state);
    return 0;
}

static void run(struct net_bench *b, cycles duration)
{
    event_queue_run(b->queue, b->queue->now + duration);
}

static void fill(uint8_t *bytes, size_t count, uint8_t first)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(first + i * 7);
}

static bool give(struct net_bench *b, const uint8_t *frame, uint32_t length)
{
    return ethernet_link_receive(virtio_net_link(b->net), frame, length, b->queue->now);
}

/* Offer a receive buffer of LENGTH bytes. */
static void offer_buffer(struct net_bench *b, uint16_t descriptor, paddr data, uint32_t length)
{
    net_describe(b, NET_RECEIVE, descriptor, data, length, VIRTQ_WRITE, 0);
    net_offer(b, NET_RECEIVE, descriptor);
}

static void test_identity(void **state)
{
    struct net_bench *b = *state;
    assert_int_equal(net_get(b, VIRTIO_MAGIC), 0x74726976);
    assert_int_equal(net_get(b, VIRTIO_DEVICE_ID), 1);
    net_put(b, VIRTIO_DEVICE_FEATURES_SEL, 0);
    assert_int_equal(net_get(b, VIRTIO_DEVICE_FEATURES), 1 << 5 | 1 << 16); /* MAC, STATUS; no offload of any kind */
    net_put(b, VIRTIO_DEVICE_FEATURES_SEL, 1);
    assert_int_equal(net_get(b, VIRTIO_DEVICE_FEATURES), 1); /* VERSION_1 */
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(virtio_net_device_ops.read(b->net, VIRTIO_CONFIG + i, 1, 0), net_mac[i]);
    assert_int_equal(virtio_net_device_ops.read(b->net, VIRTIO_CONFIG + 6, 2, 0), 1); /* the link is up */
    assert_int_equal(virtio_net_device_ops.read(b->net, VIRTIO_CONFIG + 8, 4, 0), 0);
    assert_int_equal(virtio_net_device_ops.read(b->net, 0x1fc, 4, 0), 0);
    net_put(b, VIRTIO_QUEUE_SEL, 1);
    assert_int_equal(net_get(b, VIRTIO_QUEUE_NUM_MAX), 256);
    net_put(b, VIRTIO_QUEUE_SEL, 2); /* the card has no control queue */
    assert_int_equal(net_get(b, VIRTIO_QUEUE_NUM_MAX), 0);
    assert_memory_equal(virtio_net_address(b->net), net_mac, 6);
}

static void test_sending(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[1514];
    fill(frame, sizeof frame, 1);
    net_start(b, 8);
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    assert_int_equal(b->sent, 0); /* the register write itself sends nothing */
    run(b, 1);
    assert_int_equal(b->sent, 1);
    assert_int_equal(b->sends[0].length, sizeof frame);
    assert_memory_equal(b->sends[0].bytes, frame, sizeof frame);
    assert_int_equal(net_used(b, NET_TRANSMIT), 1);
    assert_int_equal(net_used_written(b, NET_TRANSMIT, 0), 0);
    assert_true(b->line);
    net_put(b, VIRTIO_INTERRUPT_ACK, 1);
    assert_false(b->line);
    assert_int_equal(net_counter(b, "sent_bytes"), 1514);
}

/* Three frames at once are sent in sequence, each in the first cycle in which the link is free. */
static void test_sending_waits_for_the_wire(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[60] = {0};
    net_start(b, 8);
    for (uint16_t i = 0; i < 3; i++)
        net_send(b, i, NET_DATA + i * 0x1000u, frame, sizeof frame);
    run(b, BIT_TIMES_OF_SHORT);
    assert_int_equal(b->sent, 1);
    run(b, 1);
    assert_int_equal(b->sent, 2);
    run(b, BIT_TIMES_OF_SHORT - 1);
    assert_int_equal(b->sent, 2);
    run(b, 1);
    assert_int_equal(b->sent, 3);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, 3);
    assert_int_equal(net_counter(b, "transmit_cycles"), 1 + 3 * BIT_TIMES_OF_SHORT);
    /* notified again while the last frame is on the link: sent when it is free */
    net_send(b, 3, NET_DATA, frame, sizeof frame);
    run(b, 1);
    net_send(b, 4, NET_DATA, frame, sizeof frame);
    run(b, BIT_TIMES_OF_SHORT - 1);
    assert_int_equal(b->sent, 4);
    run(b, 1);
    assert_int_equal(b->sent, 5);
}

/* Header and frame may be split arbitrarily (section 2.6.4). */
static void test_sending_from_pieces(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[100];
    fill(frame, sizeof frame, 9);
    net_start(b, 8);
    memset(physmem_host(b->mem, NET_DATA), 0, NET_HEADER);
    guest_store(b->mem, NET_DATA + NET_HEADER, frame, sizeof frame);
    net_describe(b, NET_TRANSMIT, 0, NET_DATA, 5, VIRTQ_NEXT, 1);
    net_describe(b, NET_TRANSMIT, 1, NET_DATA + 5, 0, VIRTQ_NEXT, 2);
    net_describe(b, NET_TRANSMIT, 2, NET_DATA + 5, 20, VIRTQ_NEXT, 3);
    net_describe(b, NET_TRANSMIT, 3, NET_DATA + 25, NET_HEADER + 100 - 25, 0, 0);
    net_offer(b, NET_TRANSMIT, 0);
    net_put(b, VIRTIO_QUEUE_NOTIFY, NET_TRANSMIT);
    run(b, 1);
    assert_int_equal(b->sent, 1);
    assert_memory_equal(b->sends[0].bytes, frame, sizeof frame);
}

static void test_receiving(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[1514];
    static const uint8_t header[NET_HEADER] = {[10] = 1}; /* num_buffers 1, all else 0 */
    fill(frame, sizeof frame, 3);
    net_start(b, 8);
    offer_buffer(b, 0, NET_DATA, 1530);
    offer_buffer(b, 1, NET_DATA + 0x1000, 1530);
    assert_true(give(b, frame, sizeof frame));
    run(b, (8 + 1514 + 4) * 8 - 1);
    assert_int_equal(net_used(b, NET_RECEIVE), 0);
    run(b, 1);
    assert_int_equal(net_used(b, NET_RECEIVE), 1);
    assert_int_equal(net_used_written(b, NET_RECEIVE, 0), NET_HEADER + 1514);
    assert_memory_equal(physmem_host(b->mem, NET_DATA), header, NET_HEADER);
    assert_memory_equal(physmem_host(b->mem, NET_DATA + NET_HEADER), frame, sizeof frame);
    assert_true(b->line);
    assert_int_equal(net_counter(b, "received_bytes"), 1514);
}

static void test_no_interrupt_if_unwanted(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[60] = {0};
    net_start(b, 8);
    guest_store16(b->mem, b->queues[NET_RECEIVE].avail, 1);
    guest_store16(b->mem, b->queues[NET_TRANSMIT].avail, 1);
    offer_buffer(b, 0, NET_DATA, 1530);
    give(b, frame, sizeof frame);
    net_send(b, 0, NET_DATA + 0x1000, frame, sizeof frame);
    run(b, LONG_AGO);
    assert_int_equal(net_used(b, NET_RECEIVE), 1);
    assert_int_equal(net_used(b, NET_TRANSMIT), 1);
    assert_false(b->line);
}

/* Frames are dropped while the driver is not ready, has no buffer, or a too short one; and only then. */
static void test_lost_frames(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[200] = {0};
    give(b, frame, 100);
    run(b, LONG_AGO);
    assert_int_equal(net_counter(b, "no_buffer"), 1);
    net_start(b, 8);
    give(b, frame, 100);
    run(b, LONG_AGO);
    assert_int_equal(net_counter(b, "no_buffer"), 2);
    offer_buffer(b, 0, NET_DATA, NET_HEADER + 99);
    give(b, frame, 100);
    run(b, LONG_AGO);
    assert_int_equal(net_counter(b, "short_buffer"), 1);
    assert_int_equal(net_counter(b, "dropped_card"), 3);
    assert_int_equal(net_used(b, NET_RECEIVE), 0);
    give(b, frame, 99); /* fits the buffer that was too short before */
    run(b, LONG_AGO);
    assert_int_equal(net_used(b, NET_RECEIVE), 1);
    assert_int_equal(net_counter(b, "dropped_card"), 3);
    assert_int_equal(net_counter(b, "needs_reset"), 0);
}

/* The chain at descriptor 0 of the transmit queue is dropped and returned, and a correct frame after it is sent. */
static void assert_dropped(struct net_bench *b, double count)
{
    uint8_t frame[60] = {0};
    unsigned sent = b->sent;
    net_offer(b, NET_TRANSMIT, 0);
    net_put(b, VIRTIO_QUEUE_NOTIFY, NET_TRANSMIT);
    run(b, LONG_AGO);
    assert_int_equal(net_counter(b, "malformed"), count);
    assert_int_equal(net_counter(b, "needs_reset"), 0);
    assert_int_equal(b->sent, sent);
    net_send(b, 4, NET_DATA + 0x3000, frame, sizeof frame);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, sent + 1);
    assert_int_equal(net_used(b, NET_TRANSMIT), 2 * count);
}

static void test_malformed_frames(void **state)
{
    struct net_bench *b = *state;
    static const struct {
        uint64_t address;
        uint32_t length;
        uint16_t flags;
    } bad[] = {
        {NET_DATA, 0, 0},                                   /* empty */
        {NET_DATA, NET_HEADER - 1, 0},                      /* incomplete header */
        {NET_DATA, NET_HEADER, 0},                          /* no frame */
        {NET_DATA, NET_HEADER + 13, 0},                     /* shorter than a frame header */
        {NET_DATA, NET_HEADER + ETHERNET_MAX_BYTES + 1, 0}, /* too long */
        {NET_DATA, 0x7fffffff, 0},                          /* far too long */
        {NET_DATA, 100, VIRTQ_WRITE},                       /* to be written */
        {NET_RAM, 100, 0},                                  /* not RAM */
        {NET_RAM - 50, 100, 0},                             /* partly */
        {UINT64_MAX - 20, 100, 0},                          /* beyond the end of the address space */
        {(uint64_t)NET_DATA + (1ull << 32), 100, 0},        /* beyond 32 bits */
    };
    unsigned count = 0;
    net_start(b, 8);
    for (; count < sizeof bad / sizeof bad[0]; count++) {
        net_describe(b, NET_TRANSMIT, 0, bad[count].address, bad[count].length, bad[count].flags, 0);
        assert_dropped(b, count + 1);
    }
    net_describe(b, NET_TRANSMIT, 0, NET_DATA, 100, 0, 0);
    *physmem_host(b->mem, NET_DATA) = 1; /* requests a checksum */
    assert_dropped(b, ++count);
    *physmem_host(b->mem, NET_DATA) = 0;
    *physmem_host(b->mem, NET_DATA + 1) = 1; /* requests segmentation */
    assert_dropped(b, ++count);
    *physmem_host(b->mem, NET_DATA + 1) = 0;
    net_describe(b, NET_TRANSMIT, 0, NET_DATA, 50, VIRTQ_NEXT, 1); /* a correct one with a writable buffer after it */
    net_describe(b, NET_TRANSMIT, 1, NET_DATA, 50, VIRTQ_WRITE, 0);
    assert_dropped(b, ++count);
}

/* The longest and the shortest valid frame. */
static void test_extreme_lengths(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[ETHERNET_MAX_BYTES];
    fill(frame, sizeof frame, 5);
    net_start(b, 8);
    net_send(b, 0, NET_DATA, frame, ETHERNET_HEADER_BYTES);
    net_send(b, 1, NET_DATA + 0x1000, frame, ETHERNET_MAX_BYTES);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, 2);
    assert_int_equal(b->sends[0].length, ETHERNET_HEADER_BYTES);
    assert_int_equal(b->sends[1].length, ETHERNET_MAX_BYTES);
    assert_memory_equal(b->sends[1].bytes, frame, ETHERNET_MAX_BYTES);
}

/* The card has stopped, reports it, does nothing more, and works again after a reset. */
static void assert_broken(struct net_bench *b)
{
    uint8_t frame[60] = {0};
    run(b, LONG_AGO);
    unsigned sent = b->sent;
    assert_int_equal(net_get(b, VIRTIO_STATUS), 0x4f);
    assert_true(b->line);
    give(b, frame, sizeof frame);
    net_put(b, VIRTIO_QUEUE_NOTIFY, NET_TRANSMIT);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, sent);
    net_start(b, 8);
    assert_int_equal(net_get(b, VIRTIO_STATUS), 0x0f);
    assert_false(b->line);
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    offer_buffer(b, 0, NET_DATA + 0x1000, 1530);
    give(b, frame, sizeof frame);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, sent + 1);
    assert_int_equal(net_used(b, NET_RECEIVE), 1);
}

static void test_broken_receive_buffers(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[60] = {0};
    static const struct {
        uint64_t address;
        uint32_t length;
        uint16_t flags;
    } bad[] = {
        {NET_DATA, 1530, 0},        /* not to be written */
        {NET_DATA, 0, VIRTQ_WRITE}, /* nothing */
        {NET_DATA, NET_HEADER - 1, VIRTQ_WRITE},
        {NET_RAM, 1530, VIRTQ_WRITE}, /* not RAM */
        {UINT64_MAX - 5, 1530, VIRTQ_WRITE},
        {NET_DATA, 1530, VIRTQ_INDIRECT},
        {NET_DATA, 1530, VIRTQ_WRITE | VIRTQ_NEXT}, /* links to itself */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        net_start(b, 8);
        net_describe(b, NET_RECEIVE, 0, bad[i].address, bad[i].length, bad[i].flags, 0);
        net_offer(b, NET_RECEIVE, 0);
        give(b, frame, sizeof frame);
        assert_broken(b);
        assert_int_equal(net_counter(b, "needs_reset"), i + 1);
    }
}

static void test_broken_rings(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[60] = {0};
    static const uint32_t rings[] = {VIRTIO_QUEUE_DESC, VIRTIO_QUEUE_DRIVER, VIRTIO_QUEUE_DEVICE};
    static const uint64_t places[] = {NET_RAM, 0xfffffff0, 1ull << 32, 0xfffffffffffffff0u};
    for (unsigned queue = 0; queue < NET_QUEUES; queue++)
        for (size_t i = 0; i < 12; i++) {
            net_start(b, 8);
            net_put(b, VIRTIO_QUEUE_SEL, queue);
            net_put(b, VIRTIO_QUEUE_READY, 0);
            net_put(b, rings[i % 3], (uint32_t)places[i / 3]);
            net_put(b, rings[i % 3] + 4, (uint32_t)(places[i / 3] >> 32));
            net_put(b, VIRTIO_QUEUE_READY, 1);
            offer_buffer(b, 0, NET_DATA, 1530);
            give(b, frame, sizeof frame);
            net_send(b, 0, NET_DATA + 0x1000, frame, sizeof frame);
            assert_broken(b);
        }
}

/* A reset drops frames waiting to be sent, but not those on the link. */
static void test_reset(void **state)
{
    struct net_bench *b = *state;
    uint8_t frame[60] = {0};
    net_start(b, 8);
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    net_put(b, VIRTIO_STATUS, 0);
    run(b, LONG_AGO);
    assert_int_equal(b->sent, 0);
    give(b, frame, sizeof frame);
    net_start(b, 8);
    offer_buffer(b, 0, NET_DATA, 1530);
    run(b, LONG_AGO);
    assert_int_equal(net_used(b, NET_RECEIVE), 1);
    /* the link is busy with a frame sent before the reset */
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    run(b, 1);
    net_start(b, 8);
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    run(b, BIT_TIMES_OF_SHORT - 1);
    assert_int_equal(b->sent, 1);
    run(b, 1);
    assert_int_equal(b->sent, 2);
}

#define NET_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NET_TEST(test_identity),
        NET_TEST(test_sending),
        NET_TEST(test_sending_waits_for_the_wire),
        NET_TEST(test_sending_from_pieces),
        NET_TEST(test_receiving),
        NET_TEST(test_no_interrupt_if_unwanted),
        NET_TEST(test_lost_frames),
        NET_TEST(test_malformed_frames),
        NET_TEST(test_extreme_lengths),
        NET_TEST(test_broken_receive_buffers),
        NET_TEST(test_broken_rings),
        NET_TEST(test_reset),
    };
    return cmocka_run_group_tests_name("virtio_net", tests, NULL, NULL);
}
