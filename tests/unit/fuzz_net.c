/*
 * Fuzzes the network card and its link with random register accesses, rings, descriptors and frames, under the
 * sanitizers.
 *
 *     fuzz_net [seed [iterations]]
 *
 * Deterministic: the same seed makes the same accesses. Checked: nothing crashes (RAM lies between unmapped pages);
 * the work done for one access or event is bounded; every transmitted frame has a valid length and does not overlap
 * the previous one; received data equals sent data; and a card that is reset works, whatever its state was. The last
 * line counts the checks; the exit status is 1 if one failed.
 *
 * Not covered: the network beyond the link (test_net_user.c).
 */
#include "tests/unit/fuzz_run.h"
#include "tests/unit/net_driver.h"
#include <inttypes.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    ROUND = 500,           /* iterations between two functional checks */
    WATCHDOG_SECONDS = 60, /* for one round */
    /* Upper bound of the DMA of one event: the longest frame, a chain of all descriptors, rings. */
    MAX_DMA_BYTES = ETHERNET_MAX_BYTES + NET_HEADER + 16 * VIRTQUEUE_MAX_SIZE + 64,
    MAX_DMA_PIECES = 2 * VIRTQUEUE_MAX_SIZE + 16,
    COUNTERS = 8,
};

static const char *const counters[COUNTERS] = {"sent_frames",  "received_frames", "malformed",   "no_buffer",
                                               "short_buffer", "dropped_queue",   "needs_reset", "interrupts"};

struct fuzz {
    struct net_bench bench;
    struct fuzz_run run;
    uint64_t dma_bytes, dma_pieces;
    cycles wire_free;
};

static void dma_done(void *opaque, paddr address, uint32_t size)
{
    struct fuzz *f = opaque;
    check(&f->run, physmem_is_ram(f->bench.mem, address, size), "DMA of %u bytes at 0x%x", size, address);
    f->dma_bytes += size;
    f->dma_pieces++;
}

static void sent(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct fuzz *f = opaque;
    cycles now = f->bench.queue->now;
    uint32_t padded = length < 60 ? 60 : length;
    check(&f->run, length >= ETHERNET_HEADER_BYTES && length <= ETHERNET_MAX_BYTES, "a frame of %u bytes", length);
    check(&f->run, now >= f->wire_free, "a frame begins at %" PRIu64 " on a wire free at %" PRIu64, now, f->wire_free);
    check(&f->run, arrival == now + (8 + padded + 4) * 8, "a frame of %u bytes takes %" PRIu64, length, arrival - now);
    f->wire_free = arrival + 12 * 8;
    net_sent(&f->bench, frame, length, arrival);
}

static void pass(struct fuzz *f, cycles duration)
{
    struct event_queue *queue = f->bench.queue;
    cycles end = queue->now + duration;
    while (event_queue_next(queue) <= end) {
        f->dma_bytes = f->dma_pieces = 0;
        event_queue_run(queue, event_queue_next(queue));
        check(&f->run, f->dma_bytes <= 2 * MAX_DMA_BYTES && f->dma_pieces <= 2 * MAX_DMA_PIECES,
              "an event moved %" PRIu64 " bytes in %" PRIu64 " pieces", f->dma_bytes, f->dma_pieces);
    }
    event_queue_run(queue, end);
}

/* ---- random errors ---- */

static uint32_t odd_value(struct fuzz *f)
{
    static const uint32_t values[] = {0,           1,          2,          11,         12,        13,
                                      25,          26,         60,         1518,       1530,      1531,
                                      4096,        65535,      65536,      NET_RINGS,  NET_DATA,  NET_RAM,
                                      NET_RAM - 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};
    switch (below(&f->run, 3)) {
    case 0: return random32(&f->run);
    case 1: return below(&f->run, 2048);
    default: return values[below(&f->run, sizeof values / sizeof values[0])];
    }
}

static uint64_t odd_address(struct fuzz *f)
{
    switch (below(&f->run, 8)) {
    case 0: return (uint64_t)random32(&f->run) << 32 | random32(&f->run);
    case 1: return UINT64_MAX - below(&f->run, 64);
    case 2: return odd_value(f);
    case 3: return NET_RAM - below(&f->run, 2048);
    case 4: return NET_RINGS + below(&f->run, 0x8000);
    default: return below(&f->run, NET_RAM);
    }
}

static void access_register(struct fuzz *f)
{
    static const uint32_t offsets[] = {
        VIRTIO_STATUS,     VIRTIO_QUEUE_SEL,    VIRTIO_QUEUE_NUM,    VIRTIO_QUEUE_READY,   VIRTIO_QUEUE_NOTIFY,
        VIRTIO_QUEUE_DESC, VIRTIO_QUEUE_DRIVER, VIRTIO_QUEUE_DEVICE, VIRTIO_INTERRUPT_ACK, VIRTIO_DRIVER_FEATURES};
    unsigned size = 1u << below(&f->run, 3);
    uint32_t offset = below(&f->run, VIRTIO_MMIO_SIZE) & ~(size - 1);
    if (one_in(&f->run, 2)) {
        size = 4;
        offset = offsets[below(&f->run, sizeof offsets / sizeof offsets[0])];
    }
    if (one_in(&f->run, 3))
        virtio_net_device_ops.read(f->bench.net, offset, size, 0);
    else
        virtio_net_device_ops.write(f->bench.net, offset, size, odd_value(f), 0);
}

static void odd_descriptors(struct fuzz *f, unsigned number)
{
    const struct net_queue *queue = &f->bench.queues[number];
    for (unsigned i = 1 + below(&f->run, queue->size); i > 0; i--) {
        uint16_t descriptor = (uint16_t)below(&f->run, queue->size);
        uint16_t flags = one_in(&f->run, 10) ? (uint16_t)random32(&f->run) : (uint16_t)below(&f->run, 4);
        uint16_t next = one_in(&f->run, 10) ? (uint16_t)random32(&f->run) : (uint16_t)below(&f->run, queue->size);
        net_describe(&f->bench, number, descriptor, odd_address(f), odd_value(f), flags, next);
    }
}

/* A well-formed chain of up to four pieces from descriptor 0; sometimes with one error. */
static void nearly_sane_chain(struct fuzz *f, unsigned number)
{
    struct net_bench *b = &f->bench;
    uint16_t pieces = (uint16_t)(1 + below(&f->run, b->queues[number].size < 4 ? b->queues[number].size : 4));
    uint16_t write = number == NET_RECEIVE ? VIRTQ_WRITE : 0;
    uint32_t total = number == NET_RECEIVE ? 1530 : NET_HEADER + ETHERNET_HEADER_BYTES + below(&f->run, 1505);
    paddr data = NET_DATA + below(&f->run, NET_RAM - NET_DATA - 4096);
    memset(physmem_host(b->mem, data), 0, NET_HEADER);
    for (uint16_t i = 0; i < pieces; i++) {
        uint32_t length = i + 1 == pieces ? total : below(&f->run, total + 1);
        uint16_t more = i + 1 == pieces ? 0 : VIRTQ_NEXT;
        net_describe(b, number, i, data, length, write | more, (uint16_t)(i + 1));
        data += length;
        total -= length;
    }
    uint16_t victim = (uint16_t)below(&f->run, pieces);
    switch (below(&f->run, 12)) {
    case 0: net_describe(b, number, victim, odd_address(f), 1530, write, 0); break;
    case 1: net_describe(b, number, victim, data, odd_value(f), write, 0); break;
    case 2:
        net_describe(b, number, victim, data, 1530, (uint16_t)random32(&f->run), (uint16_t)random32(&f->run));
        break;
    case 3: *physmem_host(b->mem, data) = (uint8_t)random32(&f->run); break;
    default: break;
    }
}

static void odd_ring(struct fuzz *f)
{
    static const uint32_t rings[] = {VIRTIO_QUEUE_DESC, VIRTIO_QUEUE_DRIVER, VIRTIO_QUEUE_DEVICE};
    struct net_bench *b = &f->bench;
    unsigned number = below(&f->run, NET_QUEUES);
    bool sane = !one_in(&f->run, 3);
    if (b->queues[number].size == 0 || one_in(&f->run, 8))
        net_start(b, (uint16_t)(1u << below(&f->run, 9)));
    if (sane)
        nearly_sane_chain(f, number);
    else
        odd_descriptors(f, number);
    if (one_in(&f->run, 32)) { /* move a ring */
        uint64_t address = odd_address(f) & ~15ull;
        uint32_t offset = rings[below(&f->run, 3)];
        net_put(b, VIRTIO_QUEUE_SEL, number);
        net_put(b, VIRTIO_QUEUE_READY, 0);
        net_put(b, offset, (uint32_t)address);
        net_put(b, offset + 4, (uint32_t)(address >> 32));
        net_put(b, VIRTIO_QUEUE_READY, 1);
    }
    for (unsigned offers = sane ? 1 : below(&f->run, 4); offers > 0; offers--)
        net_offer(b, number,
                  sane ? 0
                       : (uint16_t)(one_in(&f->run, 4) ? random32(&f->run) : below(&f->run, b->queues[number].size)));
    if (one_in(&f->run, 32))
        guest_store16(b->mem, b->queues[number].avail + 2, (uint16_t)random32(&f->run));
    net_put(b, VIRTIO_QUEUE_NOTIFY, one_in(&f->run, 16) ? odd_value(f) : number);
    if (one_in(&f->run, 2))
        pass(f, 20000);
}

static void frames_from_outside(struct fuzz *f)
{
    uint8_t frame[2048];
    struct ethernet_link *link = virtio_net_link(f->bench.net);
    for (unsigned count = one_in(&f->run, 50) ? 600 : below(&f->run, 4); count > 0; count--) {
        uint32_t length = one_in(&f->run, 8) ? below(&f->run, sizeof frame) : 14 + below(&f->run, 1501);
        for (uint32_t i = 0; i < length; i++)
            frame[i] = (uint8_t)(length + i);
        ethernet_link_receive(link, frame, length,
                              f->bench.queue->now + (one_in(&f->run, 4) ? 0 : below(&f->run, 50000)));
    }
}

static void step(struct fuzz *f)
{
    switch (below(&f->run, 8)) {
    case 0:
    case 1: access_register(f); break;
    case 2:
    case 3: frames_from_outside(f); break;
    case 4: pass(f, one_in(&f->run, 20) ? 10000000 : below(&f->run, 30000)); break;
    default: odd_ring(f); break;
    }
}

/* ---- functional checks ---- */

static void card_works(struct fuzz *f)
{
    struct net_bench *b = &f->bench;
    uint8_t frame[1000];
    net_put(b, VIRTIO_STATUS, 0);
    pass(f, 20000000); /* frames in flight are gone */
    net_start(b, 8);
    for (uint32_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)random32(&f->run);
    unsigned before = b->sent;
    net_send(b, 0, NET_DATA, frame, sizeof frame);
    net_describe(b, NET_RECEIVE, 0, NET_DATA + 0x1000, 1530, VIRTQ_WRITE, 0);
    net_offer(b, NET_RECEIVE, 0);
    check(&f->run, ethernet_link_receive(virtio_net_link(b->net), frame, sizeof frame, b->queue->now),
          "the cable is full");
    pass(f, 100000);
    const struct net_seen *seen = &b->sends[before % NET_LOG];
    check(&f->run,
          b->sent == before + 1 && seen->length == sizeof frame && memcmp(seen->bytes, frame, sizeof frame) == 0,
          "after a reset, the frame sent is another");
    check(&f->run, net_used(b, NET_RECEIVE) == 1 && net_used(b, NET_TRANSMIT) == 1,
          "after a reset, buffers do not come back");
    check(&f->run, memcmp(physmem_host(b->mem, NET_DATA + 0x1000 + NET_HEADER), frame, sizeof frame) == 0,
          "after a reset, the frame received is another");
    check(&f->run, b->line, "after a reset, there is no interrupt");
}

int main(int argc, char **argv)
{
    /* processor time; SIGPROF ends the process */
    const struct itimerval watchdog = {.it_value.tv_sec = WATCHDOG_SECONDS};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t iterations = argc > 2 ? strtoull(argv[2], NULL, 0) : 100000;
    struct fuzz *f = calloc(1, sizeof *f);
    if (!f)
        return 1;
    fuzz_seed(&f->run, seed);
    net_bench_open(&f->bench);
    f->bench.mem->after_write = f->bench.mem->before_read = dma_done;
    f->bench.mem->hook_opaque = f;
    ethernet_link_connect(virtio_net_link(f->bench.net), (struct ethernet_port){sent, f});
    for (uint64_t i = 0; i < iterations; i++) {
        if (i % ROUND == 0)
            setitimer(ITIMER_PROF, &watchdog, NULL);
        step(f);
        if (i % ROUND == ROUND - 1)
            card_works(f);
    }
    card_works(f);
    printf("seed %" PRIu64 ":", seed);
    for (unsigned i = 0; i < COUNTERS; i++) {
        double value = net_counter(&f->bench, counters[i]);
        printf(" %s %.0f", counters[i], value);
        check(&f->run, value > 0 || iterations < 20000, "%s stayed 0: the fuzz does not reach it", counters[i]);
    }
    net_bench_close(&f->bench);
    printf("\nfuzz_net: %" PRIu64 " passed, %" PRIu64 " failed\n", f->run.passed, f->run.failed);
    bool failed = f->run.failed != 0;
    free(f);
    return failed;
}
