/*
 * The entropy device (Virtual I/O Device specification 1.1, section 5.4): bytes determined by the seed, at the
 * configured rate; incorrect drivers.
 */
#include "devices/virtio/virtio_rng.h"
#include "src/base/splitmix.h"
#include "devices/virtio/virtio_mmio.h"
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

enum {
    RAM = 1 << 20,
    DESC = 0x1000,
    AVAIL = 0x2000,
    USED = 0x3000,
    DATA = 0x8000,
    QUEUE = 16,
    CLOCK = 1000000,
    RATE = 1000
};
enum { NEXT = 1, WRITE = 2 };

struct bench {
    struct event_queue *queue;
    struct physmem *mem;
    struct virtio_rng *rng;
    bool line;
    uint16_t available;
};

static void set_line(void *opaque, unsigned line, bool level)
{
    (void)line;
    ((struct bench *)opaque)->line = level;
}

static void put(struct bench *b, uint32_t offset, uint32_t value)
{
    virtio_rng_device_ops.write(b->rng, offset, 4, value, 0);
}

static uint32_t get(struct bench *b, uint32_t offset)
{
    return virtio_rng_device_ops.read(b->rng, offset, 4, 0);
}

static void *ram(struct bench *b, paddr address)
{
    return physmem_host(b->mem, address);
}

/* Initialisation of section 3.1.1. */
static void start_driver(struct bench *b)
{
    b->available = 0;
    memset(ram(b, DESC), 0, USED + 0x1000 - DESC);
    put(b, 0x070, 0);
    put(b, 0x070, 1 | 2);
    put(b, 0x024, 1);
    put(b, 0x020, 1);
    put(b, 0x070, 1 | 2 | 8);
    put(b, 0x030, 0);
    put(b, 0x038, QUEUE);
    put(b, 0x080, DESC);
    put(b, 0x090, AVAIL);
    put(b, 0x0a0, USED);
    put(b, 0x044, 1);
    put(b, 0x070, 1 | 2 | 4 | 8);
}

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->queue = event_queue_create(CLOCK);
    b->mem = physmem_create(NULL, NULL);
    assert_true(physmem_add_ram(b->mem, 0, RAM, NULL));
    b->rng = virtio_rng_create(b->queue, b->mem, 1234567, RATE, (struct irq_line){set_line, b, 0}, NULL);
    start_driver(b);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    virtio_rng_free(b->rng);
    physmem_free(b->mem);
    event_queue_free(b->queue);
    free(b);
    return 0;
}

static void describe(struct bench *b, unsigned number, uint64_t address, uint32_t length, uint16_t flags, uint16_t next)
{
    uint8_t *at = ram(b, DESC + 16 * number);
    memcpy(at, &address, 8);
    memcpy(at + 8, &length, 4);
    memcpy(at + 12, &flags, 2);
    memcpy(at + 14, &next, 2);
}

static void offer(struct bench *b, uint16_t head)
{
    memcpy(ram(b, AVAIL + 4 + 2 * (b->available % QUEUE)), &head, 2);
    b->available++;
    memcpy(ram(b, AVAIL + 2), &b->available, 2);
    put(b, 0x050, 0);
}

static unsigned used(struct bench *b)
{
    uint16_t index;
    memcpy(&index, ram(b, USED + 2), 2);
    return index;
}

static bool needs_reset(struct bench *b)
{
    return get(b, 0x070) & 0x40;
}

/* The generator's published test: seed 1234567 (Vigna, splitmix64.c; Rosetta Code, "Pseudo-random
 * numbers/Splitmix64"). */
static void the_generator_is_splitmix64(void **state)
{
    (void)state;
    uint64_t generator = 1234567;
    assert_true(splitmix_next(&generator) == 6457827717110365317u);
    assert_true(splitmix_next(&generator) == 3203168211198807973u);
    assert_true(splitmix_next(&generator) == 9817491932198370423u);
}

static void it_says_what_it_is(void **state)
{
    struct bench *b = *state;
    assert_int_equal(get(b, 0x008), 4); /* section 5.4.1 */
    put(b, 0x030, 1);
    assert_int_equal(get(b, 0x034), 0); /* one queue, 5.4.2 */
    assert_int_equal(get(b, 0x100), 0); /* no configuration, 5.4.4 */
}

/* Two requests: the second waits for the first; not at t-1, at t. */
static void bytes_come_at_the_rate_and_in_order(void **state)
{
    struct bench *b = *state;
    uint64_t generator = 1234567, word;
    describe(b, 0, DATA, 10, WRITE | NEXT, 1);
    describe(b, 1, DATA + 0x100, 6, WRITE, 0);
    describe(b, 2, DATA + 0x200, 8, WRITE, 0);
    offer(b, 0);
    offer(b, 2);
    event_queue_run(b->queue, 15999);
    assert_int_equal(used(b), 0);
    event_queue_run(b->queue, 16000);
    assert_int_equal(used(b), 1);
    assert_true(b->line);
    event_queue_run(b->queue, 23999);
    assert_int_equal(used(b), 1);
    event_queue_run(b->queue, 24000);
    assert_int_equal(used(b), 2);
    word = splitmix_next(&generator);
    assert_memory_equal(ram(b, DATA), &word, 8);
    word = splitmix_next(&generator);
    assert_memory_equal(ram(b, DATA + 8), &word, 2);
    assert_memory_equal(ram(b, DATA + 0x100), (uint8_t *)&word + 2, 6);
    word = splitmix_next(&generator);
    assert_memory_equal(ram(b, DATA + 0x200), &word, 8);
    uint32_t length;
    memcpy(&length, ram(b, USED + 4 + 4), 4);
    assert_int_equal(length, 16);
}

/* A request is served up to a limit: the used length tells how much. */
static void a_huge_request_is_given_less(void **state)
{
    struct bench *b = *state;
    uint32_t length;
    memset(ram(b, DATA), 0, 0x2000);
    describe(b, 0, DATA, 0x2000, WRITE, 0);
    offer(b, 0);
    event_queue_run(b->queue, CYCLES_NEVER);
    memcpy(&length, ram(b, USED + 4 + 4), 4);
    assert_int_equal(length, VIRTIO_RNG_REQUEST_MAX);
    assert_int_equal(*(uint8_t *)ram(b, DATA + VIRTIO_RNG_REQUEST_MAX), 0);
}

static void a_reset_forgets_the_request(void **state)
{
    struct bench *b = *state;
    describe(b, 0, DATA, 16, WRITE, 0);
    offer(b, 0);
    put(b, 0x070, 0);
    event_queue_run(b->queue, CYCLES_NEVER);
    assert_int_equal(used(b), 0);
    start_driver(b);
    describe(b, 0, DATA, 16, WRITE, 0);
    offer(b, 0);
    event_queue_run(b->queue, b->queue->now + 16000);
    assert_int_equal(used(b), 1);
}

/* Each is an error: the device stops and reports it, and works again after a reset. */
static void hostile_descriptors_stop_it(void **state)
{
    struct bench *b = *state;
    static const struct {
        uint64_t address;
        uint32_t length;
        uint16_t flags, next, head;
    } rows[] = {
        {DATA, 16, 0, 0, 0},                       /* readable */
        {DATA, 16, WRITE | NEXT, 0, 0},            /* a loop */
        {DATA, 16, WRITE | NEXT, QUEUE, 0},        /* next descriptor out of range */
        {DATA, 16, WRITE, 0, QUEUE},               /* head out of range */
        {RAM - 8, 16, WRITE, 0, 0},                /* across the end of RAM */
        {0xffffffffffffff00u, 0x1000, WRITE, 0, 0} /* wraps around the address space */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        describe(b, 0, rows[i].address, rows[i].length, rows[i].flags, rows[i].next);
        offer(b, rows[i].head);
        event_queue_run(b->queue, b->queue->now + 20000000);
        if (!needs_reset(b))
            fail_msg("row %zu", i);
        assert_int_equal(used(b), 0);
        start_driver(b);
    }
    describe(b, 0, DATA, 0, WRITE, 0); /* an empty buffer is allowed */
    offer(b, 0);
    event_queue_run(b->queue, b->queue->now + 1000);
    assert_false(needs_reset(b));
}

/* Random registers and rings: accesses stay in bounds (checked by the sanitizers). */
static void random_accesses_do_no_harm(void **state)
{
    struct bench *b = *state;
    uint64_t random = 7;
    for (int i = 0; i < 200000; i++) {
        uint64_t word = splitmix_next(&random);
        uint32_t offset = (uint32_t)(word >> 32) % VIRTIO_MMIO_SIZE;
        if (word % 16 == 0)
            start_driver(b);
        else if (word % 4 == 0)
            *(uint8_t *)ram(b, DESC + (paddr)(word >> 40) % 0x3000) = (uint8_t)word;
        else if (word % 4 == 1)
            offer(b, (uint16_t)(word >> 20) % (QUEUE + 1));
        else
            put(b, offset & ~3u, (uint32_t)(word >> 8));
        event_queue_run(b->queue, b->queue->now + (word >> 60) * 1000);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_generator_is_splitmix64),         TEST(it_says_what_it_is),
        TEST(bytes_come_at_the_rate_and_in_order), TEST(a_huge_request_is_given_less),
        TEST(a_reset_forgets_the_request),         TEST(hostile_descriptors_stop_it),
        TEST(random_accesses_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
