/*
 * Fuzzes every device of the board with random register accesses, rings and descriptors, under the sanitizers.
 *
 *     fuzz_devices [seed [iterations]]
 *
 * Deterministic: the same seed makes the same accesses. Checked: nothing crashes (RAM lies between unmapped pages, so
 * a stray access of ours does); the work done for one access or event is bounded, in bytes and pieces of DMA;
 * callbacks get arguments within their contracts; the image file does not change; and a device that is reset works,
 * whatever its state was. The last line counts the checks; the exit status is 1 if one failed.
 *
 * Not covered: several host threads, the CPU and memory models.
 */
#include "tests/unit/fuzz_board.h"

#include <sys/time.h>

/* ---- actions of the guest ---- */

static void work_begins(struct machine *m)
{
    m->dma_bytes = m->dma_pieces = 0;
}

static void work_ends(struct machine *m, const char *what)
{
    check(&m->run, m->dma_bytes <= MAX_DMA_BYTES && m->dma_pieces <= MAX_DMA_PIECES,
          "%s moved %" PRIu64 " bytes in %" PRIu64 " pieces", what, m->dma_bytes, m->dma_pieces);
}

/* Let DURATION cycles pass, event by event. */
static void pass(struct machine *m, cycles duration)
{
    cycles end = m->queue->now + duration;
    while (event_queue_next(m->queue) <= end) {
        work_begins(m);
        cycles next = event_queue_next(m->queue);
        event_queue_run(m->queue, next); /* events of the same cycle count as one */
        work_ends(m, "an event");
    }
    event_queue_run(m->queue, end);
}

/* A boundary value. */
static uint32_t odd_value(struct machine *m)
{
    static const uint32_t values[] = {0,      1,      2,          3,          4,          7,          8,
                                      0x0b,   0x0f,   0x10,       0x42,       0x80,       0xbf,       0xff,
                                      0x100,  0x1ff,  0x200,      0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                      RINGS,  DATA,   LOW_RAM,    0x18000000, 0x1bdc0000, 0xfffffff0, 0xffffffff,
                                      0xfffe, 0x8000, 0xfffff000, 0x20000000, LOW_RAM - 1};
    switch (below(&m->run, 4)) {
    case 0: return random32(&m->run);
    case 1: return below(&m->run, 256);
    case 2: return 1u << below(&m->run, 32);
    default: return values[below(&m->run, sizeof values / sizeof values[0])];
    }
}

static uint64_t odd_address(struct machine *m)
{
    switch (below(&m->run, 8)) {
    case 0: return (uint64_t)random32(&m->run) << 32 | random32(&m->run);
    case 1: return UINT64_MAX - below(&m->run, 64);
    case 2: return odd_value(m);
    case 3: return LOW_RAM - below(&m->run, 1024);
    case 4: return BOARD_HIGH_RAM_BASE + below(&m->run, HIGH_RAM + 4096);
    default: return below(&m->run, LOW_RAM);
    }
}

static uint32_t odd_offset(struct machine *m, uint32_t size)
{
    static const uint32_t bases[] = {0, 0, 0, 0x100, 0x2000, 0x4000, 0x8000, 0xc000, 0x10000};
    uint32_t offset = one_in(&m->run, 4) ? random32(&m->run)
                                         : bases[below(&m->run, 9)] + below(&m->run, one_in(&m->run, 3) ? 0x400 : 0x80);
    return offset % size;
}

/* Stores that start activities and that random values would rarely hit. */
static const struct {
    paddr address;
    uint32_t value, random_bits; /* these bits of the value are random */
} hints[] = {
    {BOARD_GIC_BASE + 0x0000, 0, 0x10000000},          /* counter stopped or not */
    {BOARD_GIC_BASE + 0x0280, 0x80000000, 0x8000007f}, /* edge latches */
    {BOARD_GIC_BASE + 0x0380, 0, 0xffffffff},          /* enable shared interrupts */
    {BOARD_GIC_BASE + 0x0384, 0, 0xffffffff},
    {BOARD_GIC_BASE + 0x0180, 0, 0xffffffff}, /* trigger */
    {BOARD_GIC_BASE + 0x0100, 0, 0xffffffff}, /* polarity */
    {BOARD_GIC_BASE + 0x0500, 0x80000000, 7}, /* UART 0 and disk 0 to pins and processors */
    {BOARD_GIC_BASE + 0x0520, 0x80000000, 7},
    {BOARD_GIC_BASE + 0x2000, 0, 0x1f},
    {BOARD_GIC_BASE + 0x2100, 0, 0x1f},
    {BOARD_GIC_BASE + 0x8010, 0, 0x7f}, /* enable local interrupts */
    {BOARD_GIC_BASE + 0xc010, 0, 0x7f},
    {BOARD_GIC_BASE + 0x8044, 0x80000000, 7}, /* compare timer to a pin, and its time */
    {BOARD_GIC_BASE + 0x80a0, 0, 0x3fffff},
    {BOARD_GIC_BASE + 0x80a4, 0, 0},
    {BOARD_GIC_BASE + 0x8080, 0, 7},       /* other processor */
    {BOARD_CPC_BASE + 0x2010, 0, 0x70000}, /* other core */
    {BOARD_CPC_BASE + 0x4000, 0, 7},       /* commands */
    {BOARD_CPC_BASE + 0x2000, 0, 7},
    {BOARD_GCR_BASE + 0x2018, 0, 0x70000}, /* other core */
    {BOARD_GCR_BASE + 0x4020, 0, 0xfffff000},
    {BOARD_GCR_BASE + 0x4030, 0, 0x4ff000ff},
    {BOARD_GCR_BASE + 0x2008, 0, 0xff},
    {BOARD_SYSCON_BASE, 0x42, 0},
    {BOARD_RTC_BASE + 0x08, 0, 0xffffffff}, /* alarm */
    {BOARD_RTC_BASE + 0x0c, 0, 0x1fffffff},
    {BOARD_RTC_BASE + 0x10, 0, 1},
    {BOARD_CONTROL_BASE + 0x0c, 0, 0x3ff}, /* length, requests, exit */
    {BOARD_CONTROL_BASE + 0x10, 0, 3},
    {BOARD_CONTROL_BASE + 0x14, 0, 0x3ff},
    {BOARD_UART_BASE + 0x1004, 0, 0x0f}, /* interrupts, FIFOs, loopback and data of UART 1 */
    {BOARD_UART_BASE + 0x1008, 1, 0xc6},
    {BOARD_UART_BASE + 0x1010, 0, 0x1f},
    {BOARD_UART_BASE + 0x1000, 0, 0xff},
    {BOARD_UART_BASE + 0x2000, 0, 0xff},
};

static void access_device(struct machine *m)
{
    const struct physmem_device *device = &m->mem->devices[below(&m->run, (uint32_t)m->mem->device_count)];
    unsigned size = one_in(&m->run, 4) ? 1u << below(&m->run, 3) : 4;
    paddr address = device->base + (odd_offset(m, device->size) & ~(size - 1));
    uint32_t value = odd_value(m);
    bool reads = one_in(&m->run, 3), found;
    if (!reads && one_in(&m->run, 2)) {
        unsigned hint = below(&m->run, sizeof hints / sizeof hints[0]);
        size = 4;
        address = hints[hint].address;
        value = hints[hint].value ^ (random32(&m->run) & hints[hint].random_bits);
    }
    work_begins(m);
    if (reads)
        found = physmem_device_read(m->mem, address, size, below(&m->run, CPUS), &value);
    else
        found = physmem_device_write(m->mem, address, size, below(&m->run, CPUS), value);
    work_ends(m, "an access");
    check(&m->run, found, "nothing at 0x%x", address);
    m->accesses++;
}

static void scribble(struct machine *m, paddr address, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        *physmem_host(m->mem, address + i) = (uint8_t)random32(&m->run);
}

/* Malformed descriptors: boundary or random values, often chained, sometimes in a loop. */
static void odd_descriptors(struct machine *m, struct virtio_driver *disk)
{
    unsigned count = 1 + below(&m->run, disk->size);
    for (unsigned i = 0; i < count; i++) {
        uint16_t flags = one_in(&m->run, 10) ? (uint16_t)random32(&m->run) : (uint16_t)below(&m->run, 4);
        uint16_t next = one_in(&m->run, 10) ? (uint16_t)random32(&m->run) : (uint16_t)((i + 1) % disk->size);
        uint32_t length = one_in(&m->run, 3) ? odd_value(m) : 512u * below(&m->run, 64);
        virtio_driver_describe(disk, (uint16_t)i, odd_address(m), length, flags, next);
    }
}

/* A well-formed request from descriptor 0, with up to eight data buffers; sometimes with one error. The data lands
 * anywhere in RAM, rings included. */
static void nearly_sane_request(struct machine *m, struct virtio_driver *disk)
{
    static const uint32_t types[] = {VIRTIO_BLK_IN, VIRTIO_BLK_IN, VIRTIO_BLK_OUT, VIRTIO_BLK_FLUSH, VIRTIO_BLK_GET_ID};
    uint32_t type = one_in(&m->run, 10) ? odd_value(m) : types[below(&m->run, 5)];
    uint16_t write = type == VIRTIO_BLK_OUT ? 0 : VIRTQ_WRITE;
    uint16_t last = (uint16_t)(1 + below(&m->run, disk->size < 10 ? disk->size - 1u : 9));
    virtio_driver_header(disk, disk->header, type, one_in(&m->run, 10) ? odd_address(m) : below(&m->run, SECTORS));
    virtio_driver_describe(disk, 0, disk->header, 16, VIRTQ_NEXT, 1);
    for (uint16_t i = 1; i < last; i++)
        virtio_driver_describe(disk, i, below(&m->run, LOW_RAM - 65536), 512u << below(&m->run, 5), VIRTQ_NEXT | write,
                               i + 1);
    virtio_driver_describe(disk, last, disk->status, 1, VIRTQ_WRITE, 0);
    uint16_t victim = (uint16_t)below(&m->run, last + 1u);
    uint16_t flags = victim == last ? VIRTQ_WRITE : victim == 0 ? VIRTQ_NEXT : VIRTQ_NEXT | write;
    switch (below(&m->run, 10)) {
    case 0: virtio_driver_describe(disk, victim, odd_address(m), 512, flags, victim + 1); break;
    case 1: virtio_driver_describe(disk, victim, DATA, odd_value(m), flags, victim + 1); break;
    case 2: virtio_driver_describe(disk, victim, DATA, 512, (uint16_t)random32(&m->run), victim + 1); break;
    case 3: virtio_driver_describe(disk, victim, DATA, 512, flags, (uint16_t)below(&m->run, disk->size)); break;
    default: break;
    }
}

static void odd_ring(struct machine *m, unsigned n)
{
    static const uint32_t rings[] = {VIRTIO_QUEUE_DESC, VIRTIO_QUEUE_DRIVER, VIRTIO_QUEUE_DEVICE};
    struct virtio_driver *disk = &m->disks[n];
    bool sane = !one_in(&m->run, 3);
    if (disk->size == 0 || one_in(&m->run, 4))
        virtio_driver_start_with(disk, RINGS + n * 0x10000, (uint16_t)(2u << below(&m->run, 8)),
                                 one_in(&m->run, 2) ? VIRTIO_BLK_F_FLUSH | VIRTIO_BLK_F_CONFIG_WCE : 0);
    if (sane)
        nearly_sane_request(m, disk);
    else
        odd_descriptors(m, disk);
    if (one_in(&m->run, 16))
        scribble(m, disk->desc + below(&m->run, 0x2000), below(&m->run, 256));
    if (one_in(&m->run, 16)) { /* move a ring */
        uint64_t address = odd_address(m) & ~15ull;
        uint32_t offset = rings[below(&m->run, 3)];
        virtio_put(disk, VIRTIO_QUEUE_READY, 0);
        virtio_put(disk, offset, (uint32_t)address);
        virtio_put(disk, offset + 4, (uint32_t)(address >> 32));
        virtio_put(disk, VIRTIO_QUEUE_READY, 1);
    }
    unsigned offers = sane ? 1 : below(&m->run, 4);
    for (unsigned i = 0; i < offers; i++)
        virtio_driver_offer(disk, sane                 ? 0
                                  : one_in(&m->run, 4) ? (uint16_t)random32(&m->run)
                                                       : (uint16_t)below(&m->run, disk->size));
    if (one_in(&m->run, 16))
        guest_store16(m->mem, disk->avail + 2, (uint16_t)random32(&m->run));
    virtio_put(disk, VIRTIO_QUEUE_NOTIFY, one_in(&m->run, 16) ? odd_value(m) : 0);
    m->requests++;
    if (one_in(&m->run, 2))
        pass(m, 400);
}

static void step(struct machine *m)
{
    switch (below(&m->run, 16)) {
    case 0:
    case 1: odd_ring(m, below(&m->run, DISKS)); break;
    case 2: pass(m, below(&m->run, 1000)); break;
    case 3: pass(m, one_in(&m->run, 50) ? 2000000 : 1); break;
    case 4: uart_receive(m->uarts[below(&m->run, BOARD_UART_COUNT)], (uint8_t)random32(&m->run)); break;
    case 5: scribble(m, BOARD_MAILBOX_BASE + below(&m->run, 64), below(&m->run, 64)); break;
    case 6: gic_cpu_timer(m->gic, below(&m->run, CPUS), below(&m->run, 2)); break;
    case 7: gic_cpu_perf_counter(m->gic, below(&m->run, CPUS), below(&m->run, 2)); break;
    default: access_device(m); break;
    }
}

/* ---- functional checks ---- */

static void transfer(struct machine *m, struct virtio_driver *disk, uint32_t type, uint64_t sector, paddr data,
                     uint8_t expected)
{
    virtio_driver_request(disk, type, sector, data, 4096);
    pass(m, DRIVE_TIMEOUT);
    uint8_t status = virtio_driver_status(disk);
    check(&m->run, status == expected, "after a reset, a request of type %u ends with status %u", type, status);
}

static void disk_works(struct machine *m, unsigned n)
{
    struct virtio_driver *disk = &m->disks[n];
    bool writable = !disk_image_is_read_only(m->images[n]);
    uint64_t sector = below(&m->run, SECTORS - 8);
    uint8_t *data = physmem_host(m->mem, DATA), *back = data + 4096;
    virtio_driver_start(disk, RINGS + n * 0x10000, 8);
    scribble(m, DATA, 8192);
    transfer(m, disk, VIRTIO_BLK_OUT, sector, DATA, writable ? 0 : 1);
    transfer(m, disk, VIRTIO_BLK_IN, sector, DATA + 4096, 0);
    const uint8_t *expected = writable ? data : m->bytes + sector * DISK_SECTOR_SIZE;
    check(&m->run, memcmp(back, expected, 4096) == 0, "after a reset, disk %u gives wrong data", n);
    check(&m->run, virtio_driver_used_index(disk) == 2, "after a reset, disk %u used %u chains", n,
          virtio_driver_used_index(disk));
}

static void uart_works(struct machine *m, unsigned n)
{
    static const uint8_t set_up[][2] = {{3, 0}, {4, 0}, {1, 0}, {2, 0}, {2, 7}}; /* LCR, MCR, IER, FCR off and on */
    paddr base = BOARD_UART_BASE + n * BOARD_UART_STRIDE;
    uint8_t byte = (uint8_t)random32(&m->run);
    uint32_t value = 0;
    for (size_t i = 0; i < sizeof set_up / sizeof set_up[0]; i++)
        physmem_device_write(m->mem, base + 4 * set_up[i][0], 4, 0, set_up[i][1]);
    pass(m, 1000);
    physmem_device_write(m->mem, base, 4, 0, byte);
    pass(m, 1000);
    check(&m->run, m->last_sent == byte, "uart %u: sent %u instead of %u", n, m->last_sent, byte);
    check(&m->run, uart_receive_space(m->uarts[n]) == UART_FIFO_SIZE && uart_receive(m->uarts[n], byte),
          "uart %u takes nothing", n);
    physmem_device_read(m->mem, base, 4, 0, &value);
    check(&m->run, value == byte, "uart %u: received %u instead of %u", n, value, byte);
}

static void control_works(struct machine *m)
{
    uint32_t value = 0;
    physmem_device_read(m->mem, BOARD_CONTROL_BASE, 4, 0, &value);
    check(&m->run, value == 0x4f4d4953, "control: identity 0x%x", value);
    uint64_t marks = m->marks;
    physmem_device_write(m->mem, BOARD_CONTROL_BASE + 0x18, 4, 0, 7);
    check(&m->run, m->marks == marks + 1, "control: a mark is lost");
}

static void everything_works(struct machine *m)
{
    for (unsigned n = 0; n < DISKS; n++) /* end pending requests, which would overwrite the buffers of the checks */
        virtio_put(&m->disks[n], VIRTIO_STATUS, 0);
    for (unsigned n = 0; n < DISKS; n++)
        disk_works(m, n);
    for (unsigned n = 0; n < BOARD_UART_COUNT; n++)
        uart_works(m, n);
    control_works(m);
    for (unsigned n = 0; n < DISKS; n++)
        check(&m->run, disk_image_overlay_bytes(m->images[n]) <= sizeof m->bytes, "disk %u: overlay larger than disk",
              n);
}

int main(int argc, char **argv)
{
    /* processor time; SIGPROF ends the process */
    const struct itimerval watchdog = {.it_value.tv_sec = WATCHDOG_SECONDS};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t iterations = argc > 2 ? strtoull(argv[2], NULL, 0) : 400000; /* about half of them register accesses */
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        return 1;
    fuzz_seed(&m->run, seed);
    make_image(m);
    build(m);
    for (uint64_t i = 0; i < iterations; i++) {
        if (i % ROUND == 0)
            setitimer(ITIMER_PROF, &watchdog, NULL);
        step(m);
        if (i % ROUND == ROUND - 1)
            everything_works(m);
        if (i % (ROUND * BOARD_ROUNDS) == ROUND * BOARD_ROUNDS - 1) {
            tear_down(m);
            build(m);
        }
    }
    everything_works(m);
    check(&m->run, image_is_unchanged(m), "the image file has changed");
    tear_down(m);
    printf("seed %" PRIu64 ": %" PRIu64 " accesses, %" PRIu64 " rings offered, %" PRIu64 " characters sent, %" PRIu64
           " pin changes, %" PRIu64 " marks, %" PRIu64 " exits, %" PRIu64 " reboots, %" PRIu64 " core starts, %" PRIu64
           " stops\n",
           seed, m->accesses, m->requests, m->sent, m->pin_changes, m->marks, m->exits, m->reboots, m->starts,
           m->stops);
    for (unsigned i = 0; i < COUNTERS; i++) {
        printf("%s %" PRIu64 "%s", counters[i], m->totals[i], i + 1 < COUNTERS ? ", " : "\n");
        check(&m->run, m->totals[i] != 0 || iterations < 20000, "%s stayed 0: the fuzz does not reach it", counters[i]);
    }
    printf("fuzz_devices: %" PRIu64 " passed, %" PRIu64 " failed\n", m->run.passed, m->run.failed);
    bool failed = m->run.failed != 0;
    unlink(m->path);
    free(m);
    return failed;
}
