/* The virtio disk with a correct driver: set-up, requests and their timing. Incorrect drivers are in
 * test_virtio_hostile.c. */
#include "tests/unit/virtio_bench.h"

static uint64_t offered_features(struct virtio_driver *d)
{
    uint64_t features;
    virtio_put(d, VIRTIO_DEVICE_FEATURES_SEL, 1);
    features = (uint64_t)virtio_get(d, VIRTIO_DEVICE_FEATURES) << 32;
    virtio_put(d, VIRTIO_DEVICE_FEATURES_SEL, 0);
    return features | virtio_get(d, VIRTIO_DEVICE_FEATURES);
}

static void test_identity(void **state)
{
    struct virtio_driver *d = &((struct bench *)*state)->driver;
    assert_int_equal(virtio_get(d, VIRTIO_MAGIC), 'v' | 'i' << 8 | 'r' << 16 | 't' << 24);
    assert_int_equal(virtio_get(d, VIRTIO_VERSION), 2);
    assert_int_equal(virtio_get(d, VIRTIO_DEVICE_ID), 2);
    assert_true(offered_features(d) == (1ull << 32 | 1 << 11 | 1 << 9 | 1 << 6 | 1 << 2 | 1 << 1));
    virtio_put(d, VIRTIO_DEVICE_FEATURES_SEL, 2);
    assert_int_equal(virtio_get(d, VIRTIO_DEVICE_FEATURES), 0);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_NUM_MAX), 256);
    virtio_put(d, VIRTIO_QUEUE_SEL, 1);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_NUM_MAX), 0);
    assert_int_equal(virtio_get(d, 0x0b0), UINT32_MAX); /* SHMLenLow: there is no shared memory region */
    assert_int_equal(virtio_block_device_ops.read(d->block, VIRTIO_MAGIC, 1, 0), 0);
}

static void test_configuration(void **state)
{
    struct virtio_driver *d = &((struct bench *)*state)->driver;
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG), SECTORS);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 4), 0);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 8), 512 << 10);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 12), 126);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 20), 512);
    assert_int_equal(virtio_block_device_ops.read(d->block, VIRTIO_CONFIG + 1, 1, 0), SECTORS >> 8);
    assert_int_equal(virtio_block_device_ops.read(d->block, VIRTIO_CONFIG + 20, 2, 0), 512);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 0x18), 0);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG + 0xfc), 0);
    virtio_put(d, VIRTIO_CONFIG, 1);
    assert_int_equal(virtio_get(d, VIRTIO_CONFIG), SECTORS);
}

static void test_feature_negotiation(void **state)
{
    struct virtio_driver *d = &((struct bench *)*state)->driver;
    const uint32_t wishes[][3] = {
        /* features 0 to 31, features 32 to 63, whether the device accepts them */
        {0, 1, 1}, {1 << 9 | 1 << 6 | 1 << 2 | 1 << 1, 1, 1}, {0, 0, 0}, {1 << 5, 1, 0}, {1 << 28, 1, 0}, {0, 3, 0},
    };
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        virtio_put(d, VIRTIO_STATUS, 0);
        virtio_put(d, VIRTIO_STATUS, 3);
        virtio_put(d, VIRTIO_DRIVER_FEATURES_SEL, 0);
        virtio_put(d, VIRTIO_DRIVER_FEATURES, wishes[i][0]);
        virtio_put(d, VIRTIO_DRIVER_FEATURES_SEL, 1);
        virtio_put(d, VIRTIO_DRIVER_FEATURES, wishes[i][1]);
        virtio_put(d, VIRTIO_STATUS, 3 | VIRTIO_FEATURES_OK);
        assert_int_equal(virtio_get(d, VIRTIO_STATUS), wishes[i][2] ? 0x0b : 0x03);
        virtio_put(d, VIRTIO_STATUS, 0x0f);
        assert_int_equal(virtio_get(d, VIRTIO_STATUS), wishes[i][2] ? 0x0f : 0x03);
    }
}

static void test_queue_set_up(void **state)
{
    struct virtio_driver *d = &((struct bench *)*state)->driver;
    const uint32_t sizes[] = {0, 3, 255, 512, 0x80000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        virtio_put(d, VIRTIO_QUEUE_NUM, sizes[i]);
        virtio_put(d, VIRTIO_QUEUE_READY, 1);
        assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 0);
    }
    virtio_put(d, VIRTIO_QUEUE_NUM, 8);
    virtio_put(d, VIRTIO_QUEUE_DESC, 0x1008); /* not a multiple of 16 */
    virtio_put(d, VIRTIO_QUEUE_READY, 1);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 0);
    virtio_put(d, VIRTIO_QUEUE_DESC, 0x1010);
    virtio_put(d, VIRTIO_QUEUE_READY, 1);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 1);
    virtio_put(d, VIRTIO_QUEUE_READY, 0);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 0);
    virtio_put(d, VIRTIO_QUEUE_SEL, 77);
    virtio_put(d, VIRTIO_QUEUE_READY, 1);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 0);
}

static void test_read(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_IN, 5, DATA, 1024);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b), b->bytes + 5 * 512, 1024);
    assert_int_equal(data(b)[1024], 0);
    assert_int_equal(virtio_driver_used_index(d), 1);
    assert_int_equal(virtio_driver_used_head(d, 0), 0);
    assert_int_equal(virtio_driver_used_written(d, 0), 1025);
    assert_true(b->line);
    assert_int_equal(virtio_get(d, VIRTIO_INTERRUPT_STATUS), 1);
    virtio_put(d, VIRTIO_INTERRUPT_ACK, 1);
    assert_false(b->line);
    assert_int_equal(virtio_get(d, VIRTIO_INTERRUPT_STATUS), 0);
}

static void test_latency(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    run(b, 123);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY - 1);
    assert_int_equal(virtio_driver_status(d), UNTOUCHED);
    assert_false(b->line);
    run(b, 1);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_true(b->line);
}

static void test_no_latency_is_one_cycle(void **state)
{
    struct bench *b = *state;
    bench_close(b);
    bench_open(b, DISK_COPY_ON_WRITE, 0);
    virtio_driver_start(&b->driver, RINGS, 8);
    virtio_driver_request(&b->driver, VIRTIO_BLK_IN, 0, DATA, 512);
    assert_int_equal(virtio_driver_status(&b->driver), UNTOUCHED);
    run(b, 0);
    assert_int_equal(virtio_driver_status(&b->driver), UNTOUCHED);
    run(b, 1);
    assert_int_equal(virtio_driver_status(&b->driver), OK);
}

static void test_requests_one_after_the_other(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 16);
    for (uint16_t i = 0; i < 4; i++) { /* chains become available in the order 3 2 1 0 */
        uint16_t head = (uint16_t)(3 * (3 - i));
        virtio_driver_header(d, DATA + 0x10000 + 32u * i, VIRTIO_BLK_IN, i);
        virtio_driver_describe(d, head, DATA + 0x10000 + 32u * i, 16, VIRTQ_NEXT, head + 1);
        virtio_driver_describe(d, head + 1, DATA + 512u * i, 512, VIRTQ_NEXT | VIRTQ_WRITE, head + 2);
        virtio_driver_describe(d, head + 2, DATA + 0x10010 + 32u * i, 1, VIRTQ_WRITE, 0);
        virtio_driver_offer(d, head);
    }
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0); /* a second notification has no effect */
    for (unsigned i = 0; i < 4; i++) {
        run(b, LATENCY - 1);
        assert_int_equal(virtio_driver_used_index(d), i);
        run(b, 1);
        assert_int_equal(virtio_driver_used_index(d), i + 1);
        assert_int_equal(virtio_driver_used_head(d, (uint16_t)i), 9 - 3 * i);
    }
    assert_memory_equal(data(b), b->bytes, 4 * 512);
    assert_true(event_queue_next(b->queue) == CYCLES_NEVER);
}

static void test_write_and_read_back(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    memset(data(b), 0x5a, 4096);
    virtio_driver_request(d, VIRTIO_BLK_OUT, SECTORS - 8, DATA, 4096);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_int_equal(virtio_driver_used_written(d, 0), 1);
    virtio_driver_request(d, VIRTIO_BLK_FLUSH, 0, 0, 0);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    virtio_driver_request(d, VIRTIO_BLK_IN, SECTORS - 9, DATA + 8192, 4608);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b) + 8192, b->bytes + (SECTORS - 9) * 512, 512);
    assert_memory_equal(data(b) + 8192 + 512, data(b), 4096);
}

static void test_get_id(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    char id[20] = "simos-disk0";
    virtio_driver_start(d, RINGS, 8);
    memset(data(b), 0xee, 64);
    virtio_driver_request(d, VIRTIO_BLK_GET_ID, 0, DATA, 20);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b), id, 20);
    assert_int_equal(data(b)[20], 0xee);
    virtio_driver_request(d, VIRTIO_BLK_GET_ID, 0, DATA + 64, 5);
    run(b, LATENCY);
    assert_memory_equal(data(b) + 64, "simos\0", 6);
}

static void test_unsupported(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    const uint32_t types[] = {2, 3, 11, 13, 14, 0x80000000, UINT32_MAX};
    virtio_driver_start(d, RINGS, 8);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        virtio_driver_request(d, types[i], 0, DATA, 512);
        run(b, LATENCY);
        assert_int_equal(virtio_driver_status(d), UNSUPP);
    }
}

static void test_refused_transfers(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    const struct {
        uint64_t sector;
        paddr address;
        uint32_t bytes;
    } rows[] = {
        {SECTORS, DATA, 512},
        {SECTORS - 1, DATA, 1024},
        {UINT64_MAX, DATA, 512},
        {UINT64_MAX / 512 + 1, DATA, 512}, /* its byte offset wraps to 0 */
        {0, DATA, 511},
        {0, DATA, 513},
        {0, RAM_BYTES - 511, 512},
        {0, RAM_BYTES, 512},
        {0, 0xfffffe00, 512},
        {0, 0, RAM_BYTES},
        {0, 0, UINT32_MAX - 100},
    };
    virtio_driver_start(d, RINGS, 8);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t type = VIRTIO_BLK_IN; type <= VIRTIO_BLK_OUT; type++) {
            virtio_driver_request(d, type, rows[i].sector, rows[i].address, rows[i].bytes);
            run(b, LATENCY);
            assert_int_equal(virtio_driver_status(d), IOERR);
            assert_int_equal(virtio_get(d, VIRTIO_STATUS) & VIRTIO_NEEDS_RESET, 0);
        }
    assert_int_equal(disk_image_overlay_bytes(b->image), 0);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
}

/* On a disk that is large enough: 63 MB in total, the limit implied by SEG_MAX and SIZE_MAX, and no more. */
static void test_longest_request(void **state)
{
    enum { LIMIT = 126 * (512 << 10), PARTS = 16 };
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    bench_close(b);
    assert_int_equal(truncate(b->path, 2 * (off_t)LIMIT), 0);
    bench_open(b, DISK_COPY_ON_WRITE, LATENCY);
    for (uint32_t excess = 0; excess <= 512; excess += 512) {
        virtio_driver_start(d, RINGS, 32);
        virtio_driver_header(d, d->header, VIRTIO_BLK_OUT, 0);
        virtio_driver_describe(d, 0, d->header, 16, VIRTQ_NEXT, 1);
        for (uint16_t i = 1; i < PARTS; i++)
            virtio_driver_describe(d, i, 0, 4 << 20, VIRTQ_NEXT, i + 1);
        virtio_driver_describe(d, PARTS, 0, LIMIT - (PARTS - 1) * (4 << 20) + excess, VIRTQ_NEXT, PARTS + 1);
        virtio_driver_describe(d, PARTS + 1, d->status, 1, VIRTQ_WRITE, 0);
        virtio_driver_offer(d, 0);
        virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
        run(b, LATENCY);
        assert_int_equal(virtio_driver_status(d), excess ? IOERR : OK);
        assert_int_equal(disk_image_overlay_bytes(b->image), LIMIT);
    }
}

static void test_read_only_disk(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    assert_true(offered_features(d) & 1 << 5);
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_OUT, 0, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), IOERR);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b), b->bytes, 512);
}

/* Header, data and status in pieces of odd sizes are handled alike. */
static void test_any_layout(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    const uint32_t pieces[] = {1, 0, 700, 3, 320, 0}; /* 1024 bytes of data; the status is in the last piece */
    uint16_t number = 0;
    uint32_t offset = 0;
    virtio_driver_start(d, RINGS, 16);
    virtio_driver_header(d, DATA, VIRTIO_BLK_IN, 9);
    virtio_driver_describe(d, number, DATA, 5, VIRTQ_NEXT, number + 1);
    number++;
    virtio_driver_describe(d, number, DATA + 5, 11, VIRTQ_NEXT, number + 1);
    number++;
    for (size_t i = 0; i < 5; i++, number++) {
        virtio_driver_describe(d, number, DATA + 0x1000 + offset, pieces[i], VIRTQ_NEXT | VIRTQ_WRITE, number + 1);
        offset += pieces[i];
    }
    assert_int_equal(offset, 1024);
    data(b)[0x1000 + 1024] = UNTOUCHED;
    virtio_driver_describe(d, number, DATA + 0x1000 + offset, 1, VIRTQ_WRITE, 0);
    virtio_driver_offer(d, 0);
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
    run(b, LATENCY);
    assert_int_equal(data(b)[0x1000 + 1024], OK);
    assert_memory_equal(data(b) + 0x1000, b->bytes + 9 * 512, 1024);
}

static void test_whole_disk_in_one_request(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, sizeof b->bytes); /* twice the device's own buffer */
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_memory_equal(data(b), b->bytes, sizeof b->bytes);
}

/* Enough requests for the 16-bit ring indices to wrap. */
static void test_indices_wrap(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 4);
    for (uint32_t i = 0; i < 66000; i++) {
        virtio_driver_request(d, VIRTIO_BLK_IN, i % SECTORS, DATA, 512);
        run(b, LATENCY);
        assert_int_equal(virtio_driver_status(d), OK);
        assert_int_equal(virtio_driver_used_index(d), (uint16_t)(i + 1));
        assert_memory_equal(data(b), b->bytes + i % SECTORS * 512, 512);
    }
}

static void test_interrupt_suppressed(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    guest_store16(b->mem, d->avail, 1);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    assert_false(b->line);
}

static void test_reset_cancels(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY - 1);
    virtio_put(d, VIRTIO_STATUS, 0);
    assert_int_equal(virtio_get(d, VIRTIO_QUEUE_READY), 0);
    run(b, LONG_AGO);
    assert_int_equal(virtio_driver_status(d), UNTOUCHED);
    assert_false(b->line);
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY - 1);
    virtio_driver_start(d, RINGS, 8); /* the old request's completion must not affect the new one */
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY - 1);
    assert_int_equal(virtio_driver_status(d), UNTOUCHED);
    run(b, 1);
    assert_int_equal(virtio_driver_status(d), OK);
}

static void test_reset_clears_interrupt(void **state)
{
    struct bench *b = *state;
    virtio_driver_start(&b->driver, RINGS, 8);
    virtio_driver_request(&b->driver, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY);
    assert_true(b->line);
    virtio_put(&b->driver, VIRTIO_STATUS, 0);
    assert_false(b->line);
    assert_int_equal(virtio_get(&b->driver, VIRTIO_INTERRUPT_STATUS), 0);
}

static void test_notify_before_driver_ok(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_put(d, VIRTIO_STATUS, 0x0b);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LONG_AGO);
    assert_int_equal(virtio_driver_status(d), UNTOUCHED);
    virtio_put(d, VIRTIO_STATUS, 0x0f);
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 1); /* no such queue */
    run(b, LONG_AGO);
    assert_int_equal(virtio_driver_status(d), UNTOUCHED);
}

static void test_queue_in_use_is_not_reprogrammed(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 8);
    virtio_put(d, VIRTIO_QUEUE_NUM, 256);
    virtio_put(d, VIRTIO_QUEUE_DESC, 0xfffffff0);
    virtio_driver_request(d, VIRTIO_BLK_IN, 0, DATA, 512);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
}

static void test_file_is_unchanged(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    uint8_t now[sizeof b->bytes];
    virtio_driver_start(d, RINGS, 8);
    virtio_driver_request(d, VIRTIO_BLK_OUT, 0, 0, sizeof b->bytes);
    run(b, LATENCY);
    assert_int_equal(virtio_driver_status(d), OK);
    FILE *in = fopen(b->path, "rb");
    assert_int_equal(fread(now, 1, sizeof now, in), sizeof now);
    fclose(in);
    assert_memory_equal(now, b->bytes, sizeof now);
}

/* Section 5.2.6: without CONFIG_WCE the cache is write-back if the driver can flush; with it, as `writeback` says. In
 * write-back mode a write ends in the drive's buffer, in write-through mode on the medium: after a seek and half a
 * revolution. */
static void test_cache_mode(void **state)
{
    struct bench *b = *state;
    static const struct disk_config config = {.model = DISK_HP97560, .speed = 1, .immediate_report = true};
    static const struct {
        uint32_t features;
        int writeback; /* written to the configuration; -1: nothing */
        bool back;
    } modes[] = {
        {0, -1, false},
        {VIRTIO_BLK_F_FLUSH, -1, true},
        {VIRTIO_BLK_F_FLUSH, 0, true}, /* CONFIG_WCE is not negotiated: the write has no effect */
        {VIRTIO_BLK_F_FLUSH | VIRTIO_BLK_F_CONFIG_WCE, -1, true},
        {VIRTIO_BLK_F_FLUSH | VIRTIO_BLK_F_CONFIG_WCE, 0, false},
        {VIRTIO_BLK_F_FLUSH | VIRTIO_BLK_F_CONFIG_WCE, 1, true},
        {VIRTIO_BLK_F_CONFIG_WCE, 0, false},
    };
    struct scsi_bus *bus = scsi_bus_create((struct disk_clock){.queue = b->queue, .speed = 1});
    virtio_block_free(b->driver.block);
    b->driver.block =
        virtio_block_create_drive(b->queue, b->mem, b->image, "drive", &config, bus, 0, (struct irq_line){0}, b->log);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        virtio_driver_start_with(&b->driver, RINGS, 8, modes[i].features);
        assert_int_equal(virtio_block_device_ops.read(b->driver.block, VIRTIO_CONFIG + 0x20, 1, 0), 1);
        if (modes[i].writeback >= 0)
            virtio_block_device_ops.write(b->driver.block, VIRTIO_CONFIG + 0x20, 1, (uint32_t)modes[i].writeback, 0);
        run(b, 100000000);
        virtio_driver_request(&b->driver, VIRTIO_BLK_OUT, 200, DATA, 4096);
        run(b, 302100); /* overhead of 2.2 ms and 0.82 ms of bus at 100 MHz, and a little */
        assert_int_equal(virtio_driver_status(&b->driver), modes[i].back ? OK : UNTOUCHED);
        run(b, 5000000);
        assert_int_equal(virtio_driver_status(&b->driver), OK);
    }
    virtio_block_free(b->driver.block);
    b->driver.block = virtio_block_create(b->queue, b->mem, b->image, "fixed", 0, (struct irq_line){0}, b->log);
    scsi_bus_free(bus);
}

/* Requests are taken from the ring together: later changes of their descriptors have no effect. */
static void test_several_under_way(void **state)
{
    struct bench *b = *state;
    struct virtio_driver *d = &b->driver;
    virtio_driver_start(d, RINGS, 16);
    for (uint16_t i = 0; i < 4; i++) {
        virtio_driver_header(d, d->header + 0x100u * i, VIRTIO_BLK_IN, 10u * i);
        virtio_driver_describe(d, 3 * i, d->header + 0x100u * i, 16, VIRTQ_NEXT, 3 * i + 1);
        virtio_driver_describe(d, 3 * i + 1, DATA + 0x1000u * i, 512, VIRTQ_NEXT | VIRTQ_WRITE, 3 * i + 2);
        virtio_driver_describe(d, 3 * i + 2, d->header + 0x100u * i + 0x40, 1, VIRTQ_WRITE, 0);
        virtio_driver_offer(d, 3 * i);
    }
    virtio_put(d, VIRTIO_QUEUE_NOTIFY, 0);
    run(b, 1);
    memset(physmem_host(b->mem, d->desc), 0xff, 16 * 16);
    memset(physmem_host(b->mem, d->header), 0xff, 0x400);
    run(b, 4 * LATENCY);
    assert_int_equal(virtio_driver_used_index(d), 4);
    for (uint16_t i = 0; i < 4; i++) {
        assert_int_equal(virtio_driver_used_head(d, i), 3 * i);
        assert_memory_equal(data(b) + 0x1000 * i, b->bytes + 10 * i * 512, 512);
        assert_int_equal(*physmem_host(b->mem, d->header + 0x100u * i + 0x40), OK);
    }
}

static void test_stats(void **state)
{
    struct bench *b = *state;
    struct stats *stats = stats_create();
    double value = 0;
    virtio_block_register_stats(b->driver.block, stats, "disk0");
    virtio_driver_start(&b->driver, RINGS, 8);
    virtio_driver_request(&b->driver, VIRTIO_BLK_IN, 0, DATA, 1024);
    run(b, LATENCY);
    virtio_driver_request(&b->driver, 99, 0, DATA, 512);
    run(b, LATENCY);
    assert_true(stats_value(stats, "disk0.reads", &value) && value == 1);
    assert_true(stats_value(stats, "disk0.bytes_read", &value) && value == 1024);
    assert_true(stats_value(stats, "disk0.others", &value) && value == 1);
    assert_true(stats_value(stats, "disk0.errors", &value) && value == 1);
    assert_true(stats_value(stats, "disk0.notifications", &value) && value == 2);
    assert_true(stats_value(stats, "disk0.interrupts", &value) && value == 1); /* not acknowledged in between */
    stats_free(stats);
}

static void test_parameters(void **state)
{
    struct params *params = params_create();
    (void)state;
    params_define(params, disk_params, disk_param_count);
    assert_int_equal(params_u64(params, "disk.latency"), 0);
    assert_true(params_set(params, "disk.latency", "5ms", NULL));
    assert_int_equal(params_u64(params, "disk.latency"), 5000000);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BLOCK_TEST(test_identity),
        BLOCK_TEST(test_configuration),
        BLOCK_TEST(test_feature_negotiation),
        BLOCK_TEST(test_queue_set_up),
        BLOCK_TEST(test_read),
        BLOCK_TEST(test_latency),
        BLOCK_TEST(test_no_latency_is_one_cycle),
        BLOCK_TEST(test_requests_one_after_the_other),
        BLOCK_TEST(test_write_and_read_back),
        BLOCK_TEST(test_get_id),
        BLOCK_TEST(test_unsupported),
        BLOCK_TEST(test_refused_transfers),
        BLOCK_TEST(test_longest_request),
        cmocka_unit_test_setup_teardown(test_read_only_disk, setup_read_only, teardown),
        BLOCK_TEST(test_any_layout),
        BLOCK_TEST(test_whole_disk_in_one_request),
        BLOCK_TEST(test_indices_wrap),
        BLOCK_TEST(test_interrupt_suppressed),
        BLOCK_TEST(test_reset_cancels),
        BLOCK_TEST(test_reset_clears_interrupt),
        BLOCK_TEST(test_notify_before_driver_ok),
        BLOCK_TEST(test_queue_in_use_is_not_reprogrammed),
        BLOCK_TEST(test_file_is_unchanged),
        BLOCK_TEST(test_cache_mode),
        BLOCK_TEST(test_several_under_way),
        BLOCK_TEST(test_stats),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests_name("virtio_block", tests, NULL, NULL);
}
