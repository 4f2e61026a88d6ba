/*
 * A complete board of devices for fuzz_devices.c: builds it, observes the callbacks of the devices, and counts the
 * checks. CPUs and memory are reduced to interrupt pins and RAM.
 */
#ifndef SIMOS_TESTS_UNIT_FUZZ_BOARD_H
#define SIMOS_TESTS_UNIT_FUZZ_BOARD_H

#include "devices/board/coherence_manager.h"
#include "devices/board/control.h"
#include "devices/board/gic.h"
#include "devices/board/power_controller.h"
#include "devices/board/rtc.h"
#include "devices/board/syscon.h"
#include "devices/board/uart.h"
#include "devices/virtio/virtio_mmio.h"
#include "src/base/board.h"
#include "tests/unit/fuzz_run.h"
#include "tests/unit/virtio_driver.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CPUS = 4,
    COUNTERS = 7,
    DRIVE_SPEED = 1000,    /* speeds up the drives: a request ends within some thousand cycles */
    DRIVE_TIMEOUT = 50000, /* cycles within which a request ends, after a full buffer */
    DISKS = 4,             /* copy-on-write and read-only, each with a fixed latency and as a drive */
    LOW_RAM = 4 << 20,
    HIGH_RAM = 1 << 20,
    SECTORS = 512,
    RINGS = 0x100000, /* rings of disk n in the well-formed cases: at + n * 0x10000 */
    DATA = 0x200000,
    ROUND = 2000,           /* iterations between two functional checks */
    BOARD_ROUNDS = 10,      /* rounds per board: some registers, once locked, stay locked */
    WATCHDOG_SECONDS = 120, /* per round: a hanging device fails the test */
    /* Upper bound of the DMA of one access or event: the longest request, with rings, header and status. */
    MAX_DMA_BYTES = VIRTIO_BLOCK_SEG_MAX * VIRTIO_BLOCK_SIZE_MAX + (1 << 20),
    MAX_DMA_PIECES = 10000,
};

struct machine {
    struct fuzz_run run;
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct uart *uarts[BOARD_UART_COUNT];
    struct control *control;
    struct gic *gic;
    struct coherence_manager *manager;
    struct power_controller *power;
    struct syscon *syscon;
    struct rtc *rtc;
    struct scsi_bus *bus;
    struct disk_image *images[DISKS];
    struct virtio_driver disks[DISKS];
    bool pins[CPUS][GIC_PIN_COUNT];
    uint8_t last_sent; /* last character sent by a UART */
    uint64_t dma_bytes, dma_pieces;
    uint64_t accesses, requests, exits, marks, reboots, starts, stops, sent, pin_changes;
    uint64_t totals[COUNTERS];
    char path[64];
    uint8_t bytes[SECTORS * DISK_SECTOR_SIZE];
};

/* ---- callbacks of the devices ---- */

static void pin_set(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    struct machine *m = opaque;
    bool legal = cpu < CPUS && pin < GIC_PIN_COUNT;
    check(&m->run, legal && m->pins[cpu][pin] != level, "pin %u of cpu %u set to %d", pin, cpu, level);
    if (legal)
        m->pins[cpu][pin] = level;
    m->pin_changes++;
}

static void core_start(void *opaque, unsigned cpu, vaddr reset_pc)
{
    struct machine *m = opaque;
    check(&m->run, cpu < CPUS && reset_pc >= 0x80000000 && reset_pc < 0xc0000000, "cpu %u started at 0x%x", cpu,
          reset_pc);
    m->starts++;
}

static void core_stop(void *opaque, unsigned cpu)
{
    struct machine *m = opaque;
    check(&m->run, cpu < CPUS, "cpu %u stopped", cpu);
    m->stops++;
}

static void reboot(void *opaque)
{
    ((struct machine *)opaque)->reboots++;
}

static void sent(void *opaque, uint8_t byte)
{
    struct machine *m = opaque;
    m->last_sent = byte;
    m->sent++;
}

static size_t get_command(void *opaque, char *buffer, size_t size)
{
    struct machine *m = opaque;
    size_t length = one_in(&m->run, 4) ? size : below(&m->run, 200);
    memset(buffer, 'c', length);
    return length;
}

static void mark(void *opaque, const char *name)
{
    struct machine *m = opaque;
    bool printable = *name != '\0' && strlen(name) <= CONTROL_NAME_MAX;
    for (const char *c = name; *c; c++)
        printable = printable && *c >= ' ' && *c <= '~';
    check(&m->run, printable, "mark with the name \"%s\"", name);
    m->marks++;
}

static void run_ends(void *opaque, unsigned status)
{
    struct machine *m = opaque;
    check(&m->run, status <= 255, "exit status %u", status);
    m->exits++;
}

static bool has_job(void *opaque)
{
    (void)opaque;
    return true;
}

static void dma_done(void *opaque, paddr address, uint32_t size)
{
    struct machine *m = opaque;
    if (!physmem_is_ram(m->mem, address, size))
        check(&m->run, false, "DMA of %u bytes at 0x%x", size, address);
    m->dma_bytes += size;
    m->dma_pieces++;
}

static const struct gic_cpu_ops gic_ops = {.set_pin = pin_set};
static const struct power_ops power_ops = {.start = core_start, .stop = core_stop};
static const struct control_ops control_ops = {
    .get_command = get_command, .mark = mark, .exit = run_ends, .has_job = has_job};

/* ---- the board ---- */

static const char *const counters[COUNTERS] = {
    "disk.reads",      "disk.writes",      "disk.flushes",          "disk.errors",
    "disk.bytes_read", "disk.needs_reset", "disk.immediate_reports"};

static void make_image(struct machine *m)
{
    for (size_t i = 0; i < sizeof m->bytes; i++)
        m->bytes[i] = (uint8_t)random32(&m->run);
    strcpy(m->path, P_tmpdir "/simos-fuzz-XXXXXX");
    int fd = mkstemp(m->path);
    if (fd < 0 || write(fd, m->bytes, sizeof m->bytes) != (ssize_t)sizeof m->bytes) {
        perror(m->path);
        exit(1);
    }
    close(fd);
}

static bool image_is_unchanged(const struct machine *m)
{
    uint8_t now[sizeof m->bytes + 1];
    FILE *in = fopen(m->path, "rb");
    if (!in)
        return false;
    size_t size = fread(now, 1, sizeof now, in);
    fclose(in);
    return size == sizeof m->bytes && memcmp(now, m->bytes, size) == 0;
}

static void add_disk(struct machine *m, unsigned n, enum disk_mode mode, struct disk_config config)
{
    struct err err = {""};
    m->images[n] = disk_image_open(m->path, mode, &err);
    if (!m->images[n]) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    m->disks[n].mem = m->mem;
    m->disks[n].block = virtio_block_create_drive(m->queue, m->mem, m->images[n], "fuzz", &config, m->bus, n,
                                                  gic_input(m->gic, BOARD_IRQ_VIRTIO + n), m->log);
    physmem_add_device(m->mem, BOARD_VIRTIO_BASE + n * BOARD_VIRTIO_STRIDE, VIRTIO_MMIO_SIZE, &virtio_block_device_ops,
                       m->disks[n].block);
}

static void add_disks(struct machine *m)
{
    static const struct disk_config at_once = {.model = DISK_FIXED, .speed = 1},
                                    later = {.model = DISK_FIXED, .speed = 1, .latency = 300},
                                    drive = {.model = DISK_HP97560,
                                             .speed = DRIVE_SPEED,
                                             .read_ahead = true,
                                             .immediate_report = true};
    m->bus = scsi_bus_create((struct disk_clock){.queue = m->queue, .speed = DRIVE_SPEED});
    add_disk(m, 0, DISK_COPY_ON_WRITE, at_once);
    add_disk(m, 1, DISK_READ_ONLY, later);
    add_disk(m, 2, DISK_COPY_ON_WRITE, drive);
    add_disk(m, 3, DISK_READ_ONLY, drive);
}

static void build(struct machine *m)
{
    struct err err = {""};
    const struct coherence_manager_config config = {
        .cpus = CPUS, .gcr_base = BOARD_GCR_BASE, .gic_base = BOARD_GIC_BASE, .cpc_base = BOARD_CPC_BASE};
    memset(m->pins, 0, sizeof m->pins);
    memset(m->disks, 0, sizeof m->disks);
    m->log = log_create(true);
    m->queue = event_queue_create(200000000);
    m->mem = physmem_create(m->log, &err);
    if (!m->mem || !physmem_add_ram(m->mem, 0, LOW_RAM, &err) ||
        !physmem_add_ram(m->mem, BOARD_HIGH_RAM_BASE, HIGH_RAM, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    m->mem->after_write = m->mem->before_read = dma_done;
    m->mem->hook_opaque = m;

    m->gic = gic_create(m->queue, CPUS, &gic_ops, m, m->log);
    physmem_add_device(m->mem, BOARD_GIC_BASE, BOARD_GIC_SIZE, &gic_device_ops, m->gic);
    m->manager = coherence_manager_create(&config, m->log);
    physmem_add_device(m->mem, BOARD_GCR_BASE, BOARD_GCR_SIZE, &coherence_manager_device_ops, m->manager);
    physmem_add_device(m->mem, BOARD_GCR_BASE + COHERENCE_MANAGER_L2_SYNC_OFFSET, COHERENCE_MANAGER_L2_SYNC_SIZE,
                       &coherence_manager_l2_sync_ops, m->manager);
    m->power = power_controller_create(CPUS, m->manager, &power_ops, m, m->log);
    physmem_add_device(m->mem, BOARD_CPC_BASE, BOARD_CPC_SIZE, &power_controller_device_ops, m->power);
    m->syscon = syscon_create(reboot, m, m->log);
    physmem_add_device(m->mem, BOARD_SYSCON_BASE, BOARD_SYSCON_SIZE, &syscon_device_ops, m->syscon);
    m->rtc = rtc_create(m->queue, 1000000000000000000u, gic_input(m->gic, BOARD_IRQ_RTC), m->log);
    physmem_add_device(m->mem, BOARD_RTC_BASE, BOARD_RTC_SIZE, &rtc_device_ops, m->rtc);
    for (unsigned n = 0; n < BOARD_UART_COUNT; n++) { /* without character time, a short and a long one */
        m->uarts[n] = uart_create(m->queue, gic_input(m->gic, BOARD_IRQ_UART + n), sent, m, n * n * 50, m->log);
        physmem_add_device(m->mem, BOARD_UART_BASE + n * BOARD_UART_STRIDE, BOARD_UART_SIZE, &uart_device_ops,
                           m->uarts[n]);
    }
    m->control = control_create(m->mem, (struct control_mailbox){BOARD_MAILBOX_BASE, false}, &control_ops, m, m->log);
    physmem_add_device(m->mem, BOARD_CONTROL_BASE, BOARD_CONTROL_SIZE, &control_device_ops, m->control);
    add_disks(m);
}

/* Sum the disks' counters over all boards. */
static void add_up(struct machine *m)
{
    for (unsigned n = 0; n < DISKS; n++) {
        struct stats *stats = stats_create();
        double value = 0;
        virtio_block_register_stats(m->disks[n].block, stats, "disk");
        for (unsigned i = 0; i < COUNTERS; i++)
            if (stats_value(stats, counters[i], &value))
                m->totals[i] += (uint64_t)value;
        stats_free(stats);
    }
}

static void tear_down(struct machine *m)
{
    add_up(m);
    for (unsigned n = 0; n < DISKS; n++) {
        virtio_block_free(m->disks[n].block);
        disk_image_close(m->images[n]);
    }
    scsi_bus_free(m->bus);
    for (unsigned n = 0; n < BOARD_UART_COUNT; n++)
        uart_free(m->uarts[n]);
    control_free(m->control);
    rtc_free(m->rtc);
    syscon_free(m->syscon);
    power_controller_free(m->power);
    coherence_manager_free(m->manager);
    gic_free(m->gic);
    physmem_free(m->mem);
    event_queue_free(m->queue);
    log_free(m->log);
}

#endif
