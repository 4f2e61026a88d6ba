/* Incorrect drivers of the virtio disk: the device stops, reports it, and works again after a reset. */
#include "tests/unit/virtio_bench.h"

/* The device has stopped, reports it, does nothing more, and works again after a reset. */
static void assert_broken(struct bench *b)
{
    struct virtio_driver *d = &b->driver;
    uint16_t used = virtio_driver_used_index(d);
    run(b, LONG_AGO);
    assert_int_equal(virtio_get(d, VIRTIO_STATUS), 0x4f);
    assert_int_equal(virtio_get(d, VIRTIO_INTERRUPT_STATUS) & 2, 2);
    assert_true(b->line);
    virtio_put(d, VIRTIO_STATUS, 0x0f); /* only a reset helps */
    assert_int_equal(virtio_get(d, VIRTIO_STATUS), 0x4f);
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
    assert_true(event_queue_next(b->queue) == CYCLES_NEVER);
    assert_int_equal(virtio_driver_used_index(d), used);

    virtio_driver_start(d, RINGS, 8);
    assert_int_equal(virtio_get(d, VIRTIO_STATUS), 0x0f);
    assert_false(b->line);
    memset(data(b), 0, 512);
    virtio_driver_request(d, VIRTIO_BLK_IN, 2, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b), b->bytes + 1024, 512);
}

static void offer_and_break(struct bench *b, uint16_t head)
{
    virtio_driver_offer(&b->driver, head);
    virtio_put(&b->driver, VIRTIO_QUEUE_NOTIFY, 0);
    assert_broken(b);
}

/* A correct request for sector 0, in three descriptors from FIRST on. */
static void sane_chain(struct virtio_driver *d, uint16_t first)
{
    virtio_driver_header(d, d->header, VIRTIO_BLK_IN, 0);
    virtio_driver_describe(d, first, d->header, 16, VIRTQ_NEXT, first + 1);
    virtio_driver_describe(d, first + 1, DATA, 512, VIRTQ_NEXT | VIRTQ_WRITE, first + 2);
    virtio_driver_describe(d, first + 2, d->status, 1, VIRTQ_WRITE, 0);
}

static void test_broken_chains(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;

    virtio_driver_start(d, RINGS, 8);
    sane_chain(d, 8);
    offer_and_break(b, 8); /* head beyond the queue */

    virtio_driver_start(d, RINGS, 8);
    sane_chain(d, 7); /* its second descriptor is number 8, beyond the queue */
    offer_and_break(b, 7);

    virtio_driver_start(d, RINGS, 8);
    virtio_driver_describe(d, 0, DATA, 16, VIRTQ_NEXT, 0); /* links to itself */
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8);
    for (uint16_t i = 0; i < 8; i++)
        virtio_driver_describe(d, i, DATA, 16, VIRTQ_NEXT, (i + 1) % 8);
    offer_and_break(b, 3);

    virtio_driver_start(d, RINGS, 8);
    virtio_driver_describe(d, 0, DATA, 16, VIRTQ_INDIRECT, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* a readable descriptor after a writable one */
    virtio_driver_describe(d, 0, DATA, 16, VIRTQ_NEXT | VIRTQ_WRITE, 1);
    virtio_driver_describe(d, 1, DATA, 16, 0, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* more than 4 GB */
    virtio_driver_describe(d, 0, DATA, UINT32_MAX, VIRTQ_NEXT, 1);
    virtio_driver_describe(d, 1, DATA, 2, VIRTQ_WRITE, 0);
    offer_and_break(b, 0);
}

static void test_broken_requests(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;

    virtio_driver_start(d, RINGS, 8); /* no status byte */
    virtio_driver_describe(d, 0, DATA, 16, 0, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* a status of no bytes */
    virtio_driver_describe(d, 0, DATA, 16, VIRTQ_NEXT, 1);
    virtio_driver_describe(d, 1, DATA, 0, VIRTQ_WRITE, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* a header too short */
    virtio_driver_describe(d, 0, DATA, 15, VIRTQ_NEXT, 1);
    virtio_driver_describe(d, 1, DATA, 1, VIRTQ_WRITE, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* a header outside RAM */
    virtio_driver_describe(d, 0, RAM_BYTES, 16, VIRTQ_NEXT, 1);
    virtio_driver_describe(d, 1, DATA, 1, VIRTQ_WRITE, 0);
    offer_and_break(b, 0);

    virtio_driver_start(d, RINGS, 8); /* a status outside RAM */
    virtio_driver_describe(d, 0, DATA, 16, VIRTQ_NEXT, 1);
    virtio_driver_describe(d, 1, UINT64_MAX, 1, VIRTQ_WRITE, 0);
    offer_and_break(b, 0);
}

static void test_broken_rings(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    const uint32_t rings[] = {VIRTIO_QUEUE_DESC, VIRTIO_QUEUE_DRIVER, VIRTIO_QUEUE_DEVICE};
    const uint64_t places[] = {RAM_BYTES, 0xfffffff0, 1ull << 32, 0xfffffffffffffff0u};
    for (size_t r = 0; r < 3; r++)
        for (size_t p = 0; p < 4; p++) {
            virtio_driver_start(d, RINGS, 8);
            virtio_put(d, VIRTIO_QUEUE_READY, 0);
            virtio_put(d, rings[r], (uint32_t)places[p]);
            virtio_put(d, rings[r] + 4, (uint32_t)(places[p] >> 32));
            virtio_put(d, VIRTIO_QUEUE_READY, 1);
            virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
            assert_broken(b);
        }

    virtio_driver_start(d, RINGS, 8); /* more available than there are descriptors */
    sane_chain(d, 0);
    guest_store16(b->mem, d->avail + 2, 9);
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
    assert_broken(b);
}

/* A descriptor table at the end of the 64-bit address space, whose second descriptor would wrap to 0. */
static void test_ring_does_not_wrap_around(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_put(d, VIRTIO_QUEUE_READY, 0);
    virtio_put(d, VIRTIO_QUEUE_DESC, 0xfffffff0);
    virtio_put(d, VIRTIO_QUEUE_DESC + 4, 0xffffffff);
    virtio_put(d, VIRTIO_QUEUE_READY, 1);
    d->desc = 0xfffffff0;
    sane_chain(d, 1);
    offer_and_break(b, 1);
}

/* A read whose data overwrites the available ring so that it never ends: simulated time must advance. */
static void test_ring_that_feeds_itself(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    bench_close(b);
    bench_open(b, DISK_COPY_ON_WRITE, 0);
    virtio_driver_start(d, RINGS, 8);
    memset(data(b), 0, 1024);
    guest_store16(b->mem, DATA + 2, 2); /* a sector with an available ring: index 2, all heads 0 */
    virtio_driver_request(d, VIRTIO_BLK_OUT, 0, DATA, 512);
    run(b, 1);
    assert_int_equal(virtio_driver_status(d), OK);
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, d->avail, 512);
    run(b, 1);
    assert_int_equal(virtio_driver_used_index(d), 1);
    run(b, 1); /* the data of the first request made the second one available */
    assert_int_equal(virtio_driver_used_index(d), 2);
    run(b, 1000);
    assert_int_equal(virtio_driver_used_index(d), 2);
}

/* If one buffer of a write is not RAM, the data of the others must not reach the disk. */
static void test_bad_buffer_after_good_ones(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_OUT, 0, DATA, 64 << 10);
    virtio_driver_describe(d, 1, DATA, 64 << 10, VIRTQ_NEXT, 3);
    virtio_driver_describe(d, 3, RAM_BYTES, 512, VIRTQ_NEXT, 2);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), IOERR);
    assert_int_equal(disk_image_overlay_bytes(b->image), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BLOCK_TEST(test_broken_chains),          BLOCK_TEST(test_broken_requests),
        BLOCK_TEST(test_broken_rings),           BLOCK_TEST(test_ring_does_not_wrap_around),
        BLOCK_TEST(test_ring_that_feeds_itself), BLOCK_TEST(test_bad_buffer_after_good_ones),
    };
    return cmocka_run_group_tests_name("virtio_hostile", tests, NULL, NULL);
}
