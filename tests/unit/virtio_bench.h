/*
 * A virtio disk with RAM, clock and interrupt line, for the disk tests.
 */
#ifndef SIMOS_TESTS_UNIT_VIRTIO_BENCH_H
#define SIMOS_TESTS_UNIT_VIRTIO_BENCH_H

#include "tests/unit/virtio_driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum { SECTORS = 256, RAM_BYTES = 4 << 20, RINGS = 0x10000, DATA = 0x100000, LATENCY = 500, LONG_AGO = 1000000 };
enum { OK = 0, IOERR = 1, UNSUPP = 2, UNTOUCHED = 0xff };

struct bench {
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct disk_image *image;
    struct virtio_driver driver;
    char path[64];
    uint8_t bytes[SECTORS * 512];
    bool line;
};

static inline void set_line(void *opaque, unsigned line, bool level)
{
    struct bench *bench = opaque;
    assert_int_equal(line, 3);
    bench->line = level;
}

static inline void bench_open(struct bench *b, enum disk_mode mode, cycles latency)
{
    b->log = log_create(true);
    b->queue = event_queue_create(100000000);
    b->mem = physmem_create(b->log, NULL);
    assert_non_null(b->mem);
    assert_true(physmem_add_ram(b->mem, 0, RAM_BYTES, NULL));
    b->image = disk_image_open(b->path, mode, NULL);
    assert_non_null(b->image);
    b->driver.mem = b->mem;
    b->driver.block = virtio_block_create(b->queue, b->mem, b->image, "simos-disk0", latency,
                                          (struct irq_line){set_line, b, 3}, b->log);
}

static inline void bench_close(struct bench *b)
{
    virtio_block_free(b->driver.block);
    disk_image_close(b->image);
    physmem_free(b->mem);
    event_queue_free(b->queue);
    log_free(b->log);
}

static inline int setup_mode(void **state, enum disk_mode mode)
{
    struct bench *b = calloc(1, sizeof *b);
    for (size_t i = 0; i < sizeof b->bytes; i++)
        b->bytes[i] = (uint8_t)(i / 512 + i * 7);
    strcpy(b->path, P_tmpdir "/simos-virtio-XXXXXX");
    int fd = mkstemp(b->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, b->bytes, sizeof b->bytes), sizeof b->bytes);
    close(fd);
    bench_open(b, mode, LATENCY);
    *state = b;
    return 0;
}

static inline int setup(void **state)
{
    return setup_mode(state, DISK_COPY_ON_WRITE);
}

static inline int setup_read_only(void **state)
{
    return setup_mode(state, DISK_READ_ONLY);
}

static inline int teardown(void **state)
{
    struct bench *b = *state;
    bench_close(b);
    unlink(b->path);
    free(b);
    return 0;
}

static inline void run(struct bench *b, cycles duration)
{
    event_queue_run(b->queue, b->queue->now + duration);
}

static inline uint8_t *data(struct bench *b)
{
    return physmem_host(b->mem, DATA);
}

#define BLOCK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
