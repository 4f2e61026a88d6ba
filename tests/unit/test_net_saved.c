/*
 * A busy network card, saved and restored to another one: both continue identically. Damaged sections are rejected,
 * or restored without harm.
 */
#include "src/base/saved.h"
#include "tests/unit/net_driver.h"
#include "tests/unit/test.h"

enum { SECTIONS = 8, TAPE = 1 << 20 };

/* The sections of a card, each in memory. */
struct record_options {
    uint8_t *bytes[SECTIONS];
    size_t size[SECTIONS];
};

struct cursor {
    struct record_options *tape;
    unsigned section;
    size_t at;
};

static void put(void *opaque, const void *bytes, size_t count)
{
    struct cursor *cursor = opaque;
    size_t *size = &cursor->tape->size[cursor->section];
    assert_true(*size + count <= TAPE);
    memcpy(cursor->tape->bytes[cursor->section] + *size, bytes, count);
    *size += count;
}

static bool get(void *opaque, void *bytes, size_t count)
{
    struct cursor *cursor = opaque;
    if (count > cursor->tape->size[cursor->section] - cursor->at)
        return false;
    memcpy(bytes, cursor->tape->bytes[cursor->section] + cursor->at, count);
    cursor->at += count;
    return true;
}

struct machine_view {
    struct net_bench bench;
    struct saved *saved;
};

static struct machine_view *open_view(void)
{
    struct machine_view *machine = calloc(1, sizeof *machine);
    net_bench_open(&machine->bench);
    machine->saved = saved_create(machine->bench.queue);
    virtio_net_register_saved(machine->bench.net, machine->saved, "net");
    return machine;
}

static void close_view(struct machine_view *machine)
{
    saved_free(machine->saved);
    net_bench_close(&machine->bench);
    free(machine);
}

static void save(const struct machine_view *machine, struct record_options *tape)
{
    struct err err = {""};
    assert_true(saved_check_events(machine->saved, &err));
    for (unsigned i = 0; saved_at(machine->saved, i); i++) {
        struct cursor cursor = {tape, i, 0};
        struct saved_out out = {.put = put, .opaque = &cursor};
        tape->bytes[i] = tape->bytes[i] ? tape->bytes[i] : malloc(TAPE);
        tape->size[i] = 0;
        saved_write(saved_at(machine->saved, i), &out);
    }
}

static void free_tape(struct record_options *tape)
{
    for (unsigned i = 0; i < SECTIONS; i++)
        free(tape->bytes[i]);
}

static bool load(struct machine_view *machine, struct record_options *tape, struct err *err)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = NET_HZ};
    saved_load_begin(machine->saved);
    for (unsigned i = 0; saved_at(machine->saved, i); i++) {
        struct cursor cursor = {tape, i, 0};
        struct saved_in in = {.get = get, .opaque = &cursor};
        if (!saved_read(machine->saved, saved_at(machine->saved, i), &in, &terms, err))
            return false;
    }
    return saved_load_end(machine->saved, &terms, err);
}

/* Frames to send in the ring, one of them on the wire, frames in flight in any order, buffers for half of them. */
static void make_busy(struct net_bench *b)
{
    uint8_t frame[1514];
    event_queue_run(b->queue, 123456);
    net_start(b, 16);
    for (size_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)(i * 5);
    for (uint16_t i = 0; i < 5; i++)
        net_send(b, i, NET_DATA + i * 0x1000u, frame, 100u + i);
    for (uint16_t i = 0; i < 10; i++) {
        net_describe(b, NET_RECEIVE, i, NET_DATA + 0x10000 + i * 0x1000u, 1530, VIRTQ_WRITE, 0);
        net_offer(b, NET_RECEIVE, i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        frame[0] = (uint8_t)i;
        ethernet_link_receive(virtio_net_link(b->net), frame, 60 + i, b->queue->now + 1000 * (i * 7 % 20));
    }
    event_queue_run(b->queue, b->queue->now + 1500);
}

/* Copy the guest's memory, which other sections save, and the driver. */
static void copy_guest(struct net_bench *to, const struct net_bench *from)
{
    memcpy(physmem_host(to->mem, 0), physmem_host(from->mem, 0), NET_RAM);
    memcpy(to->queues, from->queues, sizeof to->queues);
}

static void test_goes_on_as_before(void **state)
{
    (void)state;
    static const char *const names[] = {"sent_frames",    "sent_bytes", "received_frames", "received_queue_cycles",
                                        "dropped_card",   "no_buffer",  "interrupts",      "notifications",
                                        "transmit_cycles"};
    struct machine_view *a = open_view(), *b = open_view();
    struct record_options tape = {0};
    struct err err = {""};
    make_busy(&a->bench);
    save(a, &tape);
    copy_guest(&b->bench, &a->bench);
    assert_true(load(b, &tape, &err));
    unsigned before = a->bench.sent;
    assert_true(before > 0 && before < 5);
    assert_int_equal(b->bench.queue->now, a->bench.queue->now);
    for (unsigned i = 0; i < 100; i++) { /* restore after each step */
        event_queue_run(a->bench.queue, a->bench.queue->now + 300);
        event_queue_run(b->bench.queue, b->bench.queue->now + 300);
        assert_int_equal(a->bench.sent - before, b->bench.sent);
        assert_memory_equal(physmem_host(a->bench.mem, 0), physmem_host(b->bench.mem, 0), NET_RAM);
    }
    assert_int_equal(a->bench.sent, 5);
    assert_int_equal(net_used(&a->bench, NET_RECEIVE), 10);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(net_counter(&a->bench, names[i]), net_counter(&b->bench, names[i]));
    for (unsigned i = before; i < 5; i++)
        assert_int_equal(a->bench.sends[i].time, b->bench.sends[i - before].time);
    free_tape(&tape);
    close_view(a);
    close_view(b);
}

static void test_damaged(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252ull;
    struct machine_view *a = open_view();
    struct record_options tape = {0};
    unsigned refused = 0, loaded = 0;
    make_busy(&a->bench);
    save(a, &tape);
    for (unsigned round = 0; round < 400; round++) {
        struct machine_view *b = open_view();
        struct err err = {""};
        random ^= random << 13, random ^= random >> 7, random ^= random << 17; /* xorshift64, Marsaglia 2003 */
        unsigned section = (unsigned)(1 + random % 3); /* a section of the card; the first one is the event queue's */
        size_t size = tape.size[section], at = (size_t)(random >> 8) % size;
        uint8_t old = tape.bytes[section][at];
        tape.bytes[section][at] ^= (uint8_t)(1u << (random >> 60) % 8);
        if (round % 8 == 0)
            tape.size[section] = at;
        copy_guest(&b->bench, &a->bench);
        if (load(b, &tape, &err)) {
            loaded++;
            for (unsigned i = 0; i < 100 && event_queue_next(b->bench.queue) != CYCLES_NEVER; i++)
                event_queue_run(b->bench.queue, event_queue_next(b->bench.queue));
        } else
            refused++;
        close_view(b);
        tape.bytes[section][at] = old;
        tape.size[section] = size;
    }
    assert_true(refused > 50 && loaded > 50);
    free_tape(&tape);
    close_view(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_as_before),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests_name("net_saved", tests, NULL, NULL);
}
