/*
 * The link of a network card: completion times of frames (IEEE 802.3-2018 clause 3.1.1 and 4.4.2: preamble 8 bytes,
 * at least 64 with the check sequence, a gap of 12), their order, and losses.
 *
 * The clock is 100 MHz and the link 100 Mbit/s: one bit per cycle.
 */
#include "devices/ethernet_link.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { HZ = 100000000, BANDWIDTH = 100000000, LATENCY_NS = 5000, LATENCY = 500, LOG = 600 };
enum { SHORT = 60, SHORT_BITS = (8 + 60 + 4) * 8, LONG = 1514, LONG_BITS = (8 + 1514 + 4) * 8, GAP = 12 * 8 };

struct seen {
    cycles time, arrival;
    uint32_t length;
    uint8_t first;
};

struct bench {
    struct event_queue *queue;
    struct ethernet_link *link;
    unsigned sent, received, tapped;
    struct seen sends[LOG], receives[LOG], taps[LOG];
    bool full;
    uint8_t frame[2000];
};

static bool receive(void *opaque, const uint8_t *frame, uint32_t length)
{
    struct bench *b = opaque;
    b->receives[b->received++] = (struct seen){.time = b->queue->now, .length = length, .first = frame[0]};
    return !b->full;
}

static void send(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct bench *b = opaque;
    b->sends[b->sent++] = (struct seen){.time = b->queue->now, .arrival = arrival, .length = length, .first = frame[0]};
}

static void tap(void *opaque, nsec time, const uint8_t *frame, uint32_t length)
{
    struct bench *b = opaque;
    b->taps[b->tapped++] = (struct seen){.time = time, .length = length, .first = frame[0]};
}

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->queue = event_queue_create(HZ);
    b->link = ethernet_link_create(b->queue, BANDWIDTH, LATENCY_NS, (struct ethernet_receiver){receive, b});
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    ethernet_link_free(b->link);
    event_queue_free(b->queue);
    free(b);
    return 0;
}

static bool give(struct bench *b, uint8_t mark, uint32_t length, cycles when)
{
    b->frame[0] = mark;
    return ethernet_link_receive(b->link, b->frame, length, when);
}

static double counter(const struct bench *b, const char *name)
{
    struct stats *stats = stats_create();
    char full[64];
    double value = -1;
    ethernet_link_register_stats(b->link, stats, "net");
    snprintf(full, sizeof full, "net.%s", name);
    assert_true(stats_value(stats, full, &value));
    stats_free(stats);
    return value;
}

static void test_sending(void **state)
{
    struct bench *b = *state;
    ethernet_link_connect(b->link, (struct ethernet_port){send, b});
    event_queue_run(b->queue, 1000);
    assert_int_equal(ethernet_link_send(b->link, b->frame, LONG), 1000 + LONG_BITS + GAP);
    assert_int_equal(b->sent, 1);
    assert_int_equal(b->sends[0].time, 1000);
    assert_int_equal(b->sends[0].arrival, 1000 + LONG_BITS + LATENCY);
    event_queue_run(b->queue, 1000 + LONG_BITS + GAP);
    assert_int_equal(ethernet_link_send(b->link, b->frame, SHORT), 1000 + LONG_BITS + 2 * GAP + SHORT_BITS);
    assert_int_equal(counter(b, "sent_frames"), 2);
    assert_int_equal(counter(b, "sent_bytes"), LONG + SHORT);
    assert_int_equal(counter(b, "sent_cycles"), LONG_BITS + SHORT_BITS + 2 * GAP);
}

/* A frame of only a 14-byte header is padded to 60; none arrives before the lookahead. */
static void test_shortest_frame(void **state)
{
    struct bench *b = *state;
    ethernet_link_connect(b->link, (struct ethernet_port){send, b});
    assert_int_equal(ethernet_link_send(b->link, b->frame, 14), SHORT_BITS + GAP);
    assert_int_equal(b->sends[0].arrival, SHORT_BITS + LATENCY);
    assert_int_equal(ethernet_link_lookahead(b->link), SHORT_BITS + LATENCY);
    assert_int_equal(ethernet_link_latency(b->link), LATENCY);
}

static void test_nobody_at_the_far_end(void **state)
{
    struct bench *b = *state;
    assert_int_equal(ethernet_link_send(b->link, b->frame, SHORT), SHORT_BITS + GAP);
    assert_true(event_queue_next(b->queue) == CYCLES_NEVER);
}

static void test_arrival_is_exact(void **state)
{
    struct bench *b = *state;
    assert_true(give(b, 1, SHORT, 2000));
    event_queue_run(b->queue, 1999);
    assert_int_equal(b->received, 0);
    event_queue_run(b->queue, 2000);
    assert_int_equal(b->received, 1);
    assert_int_equal(b->receives[0].length, SHORT);
}

/* Three frames sent at once: each takes its bits and the gap. */
static void test_wire_is_shared(void **state)
{
    struct bench *b = *state;
    give(b, 1, LONG, 20000);
    give(b, 2, SHORT, 20000);
    give(b, 3, LONG, 20000);
    event_queue_run(b->queue, 20000 + GAP + SHORT_BITS - 1);
    assert_int_equal(b->received, 1);
    event_queue_run(b->queue, 20000 + GAP + SHORT_BITS);
    assert_int_equal(b->received, 2);
    event_queue_run(b->queue, 20000 + 2 * GAP + SHORT_BITS + LONG_BITS - 1);
    assert_int_equal(b->received, 2);
    event_queue_run(b->queue, 20000 + 2 * GAP + SHORT_BITS + LONG_BITS);
    assert_int_equal(b->received, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(b->receives[i].first, i + 1);
    assert_int_equal(counter(b, "received_queue_cycles"), 3 * GAP + 2 * SHORT_BITS + LONG_BITS);
    assert_int_equal(counter(b, "received_cycles"), 2 * LONG_BITS + SHORT_BITS + 3 * GAP);
}

static void test_order_is_by_time(void **state)
{
    struct bench *b = *state;
    const cycles when[] = {5000, 9000, 3000, 9000, 7000};
    const uint8_t expected[] = {3, 1, 5, 2, 4};
    for (uint8_t i = 0; i < 5; i++)
        give(b, i + 1, SHORT, when[i]);
    event_queue_run(b->queue, 100000);
    assert_int_equal(b->received, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(b->receives[i].first, expected[i]);
    assert_int_equal(b->receives[0].time, 3000);
    assert_int_equal(b->receives[2].time, 7000);
    give(b, 6, SHORT, 5); /* a time in the past counts as the present */
    event_queue_run(b->queue, 100000);
    assert_int_equal(b->receives[5].time, 100000);
}

static void test_queue_is_bounded(void **state)
{
    struct bench *b = *state;
    for (unsigned i = 0; i < ETHERNET_LINK_QUEUE; i++)
        assert_true(give(b, 1, SHORT, 1000));
    assert_false(give(b, 2, SHORT, 500));
    assert_int_equal(counter(b, "dropped_queue"), 1);
    event_queue_run(b->queue, 1000); /* one frame has left the queue */
    assert_true(give(b, 3, SHORT, 1000));
    event_queue_run(b->queue, 100000000);
    assert_int_equal(b->received, ETHERNET_LINK_QUEUE + 1);
    assert_int_equal(b->receives[ETHERNET_LINK_QUEUE].first, 3);
}

static void test_no_frame_is_that_long(void **state)
{
    struct bench *b = *state;
    assert_false(give(b, 1, 13, 0));
    assert_false(give(b, 1, 1519, 0));
    assert_true(give(b, 1, 14, 0));
    assert_true(give(b, 1, 1518, 0));
    assert_int_equal(counter(b, "dropped_queue"), 2);
}

static void test_card_without_buffer(void **state)
{
    struct bench *b = *state;
    b->full = true;
    give(b, 1, SHORT, 1000);
    event_queue_run(b->queue, 1000);
    assert_int_equal(counter(b, "dropped_card"), 1);
    assert_int_equal(counter(b, "received_frames"), 1);
}

static void test_tap_hears_both_directions(void **state)
{
    struct bench *b = *state;
    ethernet_link_set_tap(b->link, (struct ethernet_tap){tap, b});
    give(b, 7, SHORT, 5000);
    b->frame[0] = 8;
    event_queue_run(b->queue, 1000);
    ethernet_link_send(b->link, b->frame, LONG);
    event_queue_run(b->queue, 5000);
    assert_int_equal(b->tapped, 2);
    assert_int_equal(b->taps[0].first, 8);
    assert_int_equal(b->taps[0].time, 10000); /* ns */
    assert_int_equal(b->taps[0].length, LONG);
    assert_int_equal(b->taps[1].first, 7);
    assert_int_equal(b->taps[1].time, 50000);
}

/* Times that are no whole number of cycles are rounded up for each frame. */
static void test_rounding(void **state)
{
    (void)state;
    struct event_queue *queue = event_queue_create(33000000);
    struct ethernet_link *link = ethernet_link_create(queue, 100000000, 0, (struct ethernet_receiver){0});
    assert_int_equal(ethernet_link_lookahead(link), (SHORT_BITS * 33 + 99) / 100);
    uint8_t frame[SHORT] = {0};
    assert_int_equal(ethernet_link_send(link, frame, SHORT), ((SHORT_BITS + GAP) * 33 + 99) / 100);
    ethernet_link_free(link);
    event_queue_free(queue);
}

static void test_addresses(void **state)
{
    (void)state;
    uint8_t address[6];
    static const uint8_t expected[6] = {0x02, 0xab, 0xcd, 0xef, 0x00, 0x9f};
    static const char *const wrong[] = {"",
                                        "02:ab:cd:ef:00",
                                        "02:ab:cd:ef:00:9f:",
                                        "02:ab:cd:ef:00:9g",
                                        "2:ab:cd:ef:0:9f",
                                        "02-ab-cd-ef-00-9f",
                                        "03:ab:cd:ef:00:9f",
                                        "00:00:00:00:00:00",
                                        "ff:ff:ff:ff:ff:ff",
                                        "02:ab:cd:ef:00:9f "};
    assert_true(ethernet_parse_address("02:aB:Cd:ef:00:9F", address));
    assert_memory_equal(address, expected, 6);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(ethernet_parse_address(wrong[i], address));
}

#define LINK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINK_TEST(test_sending),
        LINK_TEST(test_shortest_frame),
        LINK_TEST(test_nobody_at_the_far_end),
        LINK_TEST(test_arrival_is_exact),
        LINK_TEST(test_wire_is_shared),
        LINK_TEST(test_order_is_by_time),
        LINK_TEST(test_queue_is_bounded),
        LINK_TEST(test_no_frame_is_that_long),
        LINK_TEST(test_card_without_buffer),
        LINK_TEST(test_tap_hears_both_directions),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests_name("ethernet_link", tests, NULL, NULL);
}
