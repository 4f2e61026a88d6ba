/*
 * Stress test of four disks: a driver with up to sixteen outstanding requests per disk makes random overlapping
 * reads, writes and flushes. The expected contents of each disk are known at any time.
 *
 * stress_disks [SEED [REQUESTS]]
 *
 * Checked (Virtual I/O Device specification 1.1, section 5.2.6; devices/disk/disk.h): every request ends exactly once,
 * in the order of its disk; a read returns the writes before it and none after it; when a flush ends, every write that
 * ended before its submission is durable on the host's disk; with a write-through cache, so is every write that has
 * ended; a transfer beyond the end fails alone. The program replaces pwrite() and fdatasync() by functions that
 * record what would be durable; nothing is forced to the real disk.
 */
#include "tests/unit/virtio_driver.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DISKS = 4, SECTORS = 1 << 15, HOT = 256, SLOTS = 16, MOST = 64 /* maximum sectors per request */ };
enum { RAM_BYTES = 16 << 20, DISK_AREA = 2 << 20, RINGS_BYTES = 0x4000, QUEUE = 128, DESCRIPTORS = 8 };
enum { RESET_EVERY = 20000 };

struct request {
    bool busy;
    uint32_t type;
    uint64_t sector;
    uint32_t sectors;
    uint64_t order;          /* position in the disk's order of requests */
    uint32_t expected[MOST]; /* write: the data; read: the expected data */
    bool invalid;
};

struct disk_under_test {
    struct disk_image *image;
    struct virtio_driver driver;
    bool written_through;
    int fd;                                      /* another descriptor of the same file */
    uint32_t written[SECTORS];                   /* version of each sector after all submitted requests */
    uint32_t in_file[SECTORS], durable[SECTORS]; /* versions recorded by pwrite() and fdatasync() */
    uint32_t touched[SECTORS], touched_count;    /* sectors written since the last fdatasync() */
    bool is_touched[SECTORS];
    struct request requests[SLOTS];
    uint64_t submitted, ended;
    uint16_t used_index;
};

struct stress {
    struct event_queue *queue;
    struct scsi_bus *bus;
    struct physmem *mem;
    struct log *log;
    struct disk_under_test disks[DISKS];
    uint64_t random, requests, reads, writes, flushes, invalid, resets, failures;
};

/* Only for pwrite() and fdatasync(), which have no opaque argument. */
static struct stress *under_test;

static uint64_t random_below(struct stress *s, uint64_t limit)
{
    s->random ^= s->random << 13; /* xorshift64 */
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random % limit;
}

static void check(struct stress *s, bool ok, const char *what, const struct request *request, uint64_t detail)
{
    if (ok)
        return;
    s->failures++;
    printf("FAIL %s: type %u, sector %" PRIu64 ", %u sectors, order %" PRIu64 ", %" PRIu64 "\n", what, request->type,
           request->sector, request->sectors, request->order, detail);
    if (s->failures > 20)
        exit(1);
}

/* ---- the host's disk ---- */

static void stamp(uint8_t *sector, uint64_t number, uint32_t version)
{
    for (unsigned i = 0; i < 512; i += 16) {
        memcpy(sector + i, &number, 8);
        memcpy(sector + i + 8, &version, 4);
        memcpy(sector + i + 12, &i, 4);
    }
}

/* The version of sector NUMBER; UINT32_MAX: torn or another sector. A sector never written has version 0. */
static uint32_t version_of(const uint8_t *sector, uint64_t number)
{
    uint8_t expected[512] = {0};
    uint32_t version;
    memcpy(&version, sector + 8, 4);
    if (version)
        stamp(expected, number, version);
    return memcmp(expected, sector, 512) == 0 ? version : UINT32_MAX;
}

static struct disk_under_test *disk_of(int fd)
{
    char link[64], path[128], other[128];
    for (unsigned i = 0; under_test && i < DISKS; i++) {
        struct disk_under_test *disk = &under_test->disks[i];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t a = readlink(link, path, sizeof path);
        snprintf(link, sizeof link, "/proc/self/fd/%d", disk->fd);
        ssize_t b = readlink(link, other, sizeof other);
        if (a > 0 && a == b && memcmp(path, other, (size_t)a) == 0)
            return disk;
    }
    return NULL;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    struct disk_under_test *disk = disk_of(fd);
    for (size_t done = 0; disk && done < size; done += 512) {
        uint64_t sector = ((uint64_t)offset + done) / 512;
        disk->in_file[sector] = version_of((const uint8_t *)bytes + done, sector);
        if (!disk->is_touched[sector])
            disk->touched[disk->touched_count++] = (uint32_t)sector;
        disk->is_touched[sector] = true;
    }
    return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

int fdatasync(int fd)
{
    struct disk_under_test *disk = disk_of(fd);
    for (uint32_t i = 0; disk && i < disk->touched_count; i++) {
        disk->durable[disk->touched[i]] = disk->in_file[disk->touched[i]];
        disk->is_touched[disk->touched[i]] = false;
    }
    if (disk)
        disk->touched_count = 0;
    return 0;
}

/* ---- the driver ---- */

static paddr area(const struct stress *s, const struct disk_under_test *disk)
{
    return (paddr)(1 + (disk - s->disks)) * DISK_AREA;
}

static paddr header_of(const struct stress *s, const struct disk_under_test *disk, unsigned slot)
{
    return area(s, disk) + RINGS_BYTES + slot * 64;
}

static paddr data_of(const struct stress *s, const struct disk_under_test *disk, unsigned slot)
{
    return area(s, disk) + 0x10000 + slot * MOST * 512;
}

static void start_driver(struct stress *s, struct disk_under_test *disk)
{
    virtio_driver_start_with(&disk->driver, area(s, disk), QUEUE, disk->written_through ? 0 : VIRTIO_BLK_F_FLUSH);
    disk->used_index = 0;
}

static void choose(struct stress *s, struct disk_under_test *disk, struct request *request)
{
    uint64_t dice = random_below(s, 100);
    *request = (struct request){.busy = true, .order = disk->submitted++};
    request->type = dice < 8 ? VIRTIO_BLK_FLUSH : dice < 60 ? VIRTIO_BLK_OUT : VIRTIO_BLK_IN;
    if (request->type == VIRTIO_BLK_FLUSH)
        return;
    request->sectors = (uint32_t)(1 + random_below(s, random_below(s, 3) ? 8 : MOST));
    request->sector = random_below(s, random_below(s, 2) ? HOT : SECTORS + MOST);
    request->invalid = request->sector + request->sectors > SECTORS;
}

/* Fill in the request's area of guest memory, with one to four data buffers. */
static void describe(struct stress *s, struct disk_under_test *disk, unsigned slot)
{
    const struct request *request = &disk->requests[slot];
    struct virtio_driver *driver = &disk->driver;
    uint16_t number = (uint16_t)(slot * DESCRIPTORS), write = request->type == VIRTIO_BLK_IN ? VIRTQ_WRITE : 0;
    paddr header = header_of(s, disk, slot), data = data_of(s, disk, slot);
    uint32_t left = request->sectors * 512;
    virtio_driver_header(driver, header, request->type, request->sector);
    *physmem_host(s->mem, header + 32) = 0xff;
    virtio_driver_describe(driver, number, header, 16, VIRTQ_NEXT, number + 1);
    for (unsigned part = 0; left > 0; part++) {
        uint32_t size = part == 3 ? left : (uint32_t)(1 + random_below(s, left));
        number++;
        virtio_driver_describe(driver, number, data, size, VIRTQ_NEXT | write, number + 1);
        data += size;
        left -= size;
    }
    virtio_driver_describe(driver, number + 1, header + 32, 1, VIRTQ_WRITE, 0);
}

static void submit(struct stress *s, struct disk_under_test *disk, unsigned slot)
{
    struct request *request = &disk->requests[slot];
    uint8_t *data = physmem_host(s->mem, data_of(s, disk, slot));
    choose(s, disk, request);
    describe(s, disk, slot);
    memset(data, 0xee, MOST * 512);
    for (uint32_t i = 0; i < request->sectors && !request->invalid; i++) {
        if (request->type == VIRTIO_BLK_OUT) {
            stamp(data + i * 512, request->sector + i, ++disk->written[request->sector + i]);
        }
        request->expected[i] = disk->written[request->sector + i];
    }
    virtio_driver_offer(&disk->driver, (uint16_t)(slot * DESCRIPTORS));
    if (random_below(s, 4))
        virtio_put(&disk->driver, VIRTIO_QUEUE_NOTIFY, 0);
    s->requests++;
}

/* ---- checks at the end of a request ---- */

static void check_read(struct stress *s, struct disk_under_test *disk, unsigned slot)
{
    const struct request *request = &disk->requests[slot];
    const uint8_t *data = physmem_host(s->mem, data_of(s, disk, slot));
    for (uint32_t i = 0; i < request->sectors; i++)
        check(s, version_of(data + i * 512, request->sector + i) == request->expected[i], "wrong data read", request,
              i);
    s->reads++;
}

/* Everything before the flush is durable, and nothing later has begun. */
static void check_flush(struct stress *s, struct disk_under_test *disk, const struct request *flush)
{
    check(s, disk->touched_count == 0, "not on the host's disk after a flush", flush, disk->touched_count);
    for (uint32_t sector = 0; sector < HOT; sector++) {
        uint32_t version = disk->written[sector]; /* excludes pending writes */
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const struct request *r = &disk->requests[slot];
            if (r->busy && r->type == VIRTIO_BLK_OUT && !r->invalid && sector - r->sector < r->sectors &&
                r->expected[sector - r->sector] <= version)
                version = r->expected[sector - r->sector] - 1;
        }
        check(s, disk->durable[sector] == version, "a flush left out a write", flush, sector);
    }
    s->flushes++;
}

static void check_write(struct stress *s, struct disk_under_test *disk, const struct request *request)
{
    for (uint32_t i = 0; i < request->sectors; i++) {
        uint64_t sector = request->sector + i;
        check(s, disk->in_file[sector] == request->expected[i], "a write is not in the image", request, i);
        if (disk->written_through)
            check(s, disk->durable[sector] == request->expected[i], "a write through is not forced", request, i);
    }
    s->writes++;
}

static void check_end(struct stress *s, struct disk_under_test *disk, unsigned slot)
{
    struct request *request = &disk->requests[slot];
    uint8_t status = *physmem_host(s->mem, header_of(s, disk, slot) + 32);
    check(s, request->busy, "a request that was not under way ends", request, slot);
    check(s, request->order == disk->ended, "ends out of order", request, disk->ended);
    disk->ended++;
    check(s, status == (request->invalid ? 1 : 0), "status", request, status);
    request->busy = false;
    if (request->invalid)
        s->invalid++;
    else if (request->type == VIRTIO_BLK_IN)
        check_read(s, disk, slot);
    else if (request->type == VIRTIO_BLK_OUT)
        check_write(s, disk, request);
    else
        check_flush(s, disk, request);
}

static void collect(struct stress *s, struct disk_under_test *disk)
{
    while (disk->used_index != virtio_driver_used_index(&disk->driver)) {
        uint32_t head = virtio_driver_used_head(&disk->driver, disk->used_index++);
        check_end(s, disk, head / DESCRIPTORS);
    }
    virtio_put(&disk->driver, VIRTIO_INTERRUPT_ACK, 1);
}

/* Every sector of the file is untorn and has the version that pwrite() recorded. */
static void check_file(struct stress *s, struct disk_under_test *disk)
{
    static const struct request none;
    uint8_t sector[512];
    for (uint64_t i = 0; i < SECTORS; i++) {
        bool ok = pread(disk->fd, sector, 512, (off_t)(i * 512)) == 512;
        check(s, ok && version_of(sector, i) == disk->in_file[i], "the file is damaged", &none, i);
    }
}

/* Reset a disk with outstanding requests: any part of a pending write may be on the disk. */
static void reset_disk(struct stress *s, struct disk_under_test *disk)
{
    start_driver(s, disk);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        disk->requests[slot].busy = false;
    disk->submitted = disk->ended = 0;
    check_file(s, disk);
    memcpy(disk->written, disk->in_file, sizeof disk->written);
    s->resets++;
}

/* ---- running ---- */

static void open_disk(struct stress *s, unsigned number)
{
    static const struct disk_config config = {
        .model = DISK_HP97560, .speed = 1, .read_ahead = true, .immediate_report = true};
    struct disk_under_test *disk = &s->disks[number];
    char path[64] = P_tmpdir "/simos-stress-XXXXXX";
    struct err err = {""};
    disk->fd = mkstemp(path);
    if (disk->fd < 0 || ftruncate(disk->fd, (off_t)SECTORS * 512) != 0 ||
        !(disk->image = disk_image_open(path, DISK_WRITE_THROUGH, &err))) {
        printf("stress_disks: %s %s\n", path, err.text);
        exit(1);
    }
    unlink(path);
    disk->written_through = number == DISKS - 1;
    disk->driver.mem = s->mem;
    disk->driver.block = virtio_block_create_drive(s->queue, s->mem, disk->image, "stress", &config, s->bus, number,
                                                   (struct irq_line){0}, s->log);
    start_driver(s, disk);
}

/* Submit some new requests if NEW, otherwise wait for all. */
static bool step(struct stress *s, bool new)
{
    bool busy = false;
    for (unsigned i = 0; i < DISKS; i++) {
        struct disk_under_test *disk = &s->disks[i];
        for (unsigned slot = 0; new &&slot < SLOTS; slot++)
            if (!disk->requests[slot].busy && random_below(s, 4) == 0)
                submit(s, disk, slot);
        if (!new)
            virtio_put(&disk->driver, VIRTIO_QUEUE_NOTIFY, 0);
    }
    for (uint64_t events = 1 + random_below(s, 8); events > 0; events--) {
        if (event_queue_next(s->queue) != CYCLES_NEVER)
            event_queue_run(s->queue, event_queue_next(s->queue));
        for (unsigned i = 0; i < DISKS; i++)
            collect(s, &s->disks[i]);
    }
    for (unsigned i = 0; i < DISKS; i++)
        busy |= s->disks[i].ended != s->disks[i].submitted;
    return busy;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t requests = argc > 2 ? strtoull(argv[2], NULL, 0) : 40000;
    struct stress *s = under_test = calloc(1, sizeof *s);
    if (!s)
        return 1;
    s->random = seed * 0x9e3779b97f4a7c15u | 1;
    s->log = log_create(true);
    s->queue = event_queue_create(200000000);
    s->bus = scsi_bus_create((struct disk_clock){.queue = s->queue, .speed = 1});
    s->mem = physmem_create(s->log, NULL);
    if (!s->mem || !physmem_add_ram(s->mem, 0, RAM_BYTES, NULL))
        return 1;
    for (unsigned i = 0; i < DISKS; i++)
        open_disk(s, i);
    for (uint64_t next_reset = RESET_EVERY; s->requests < requests;) {
        step(s, true);
        if (s->requests >= next_reset) {
            reset_disk(s, &s->disks[random_below(s, DISKS)]);
            next_reset += RESET_EVERY;
        }
    }
    while (step(s, false))
        ;
    for (unsigned i = 0; i < DISKS; i++) {
        check_file(s, &s->disks[i]);
        virtio_block_free(s->disks[i].driver.block);
        disk_image_close(s->disks[i].image);
        close(s->disks[i].fd);
    }
    printf("seed %" PRIu64 ": %" PRIu64 " requests in %.1f simulated s: %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64
           " flushes, %" PRIu64 " beyond the end, %" PRIu64 " resets\n",
           seed, s->requests, (double)s->queue->now / 2e8, s->reads, s->writes, s->flushes, s->invalid, s->resets);
    bool reached = s->reads && s->writes && s->flushes && s->invalid && (s->resets || requests < RESET_EVERY);
    bool ok = s->failures == 0 && reached;
    printf("stress_disks: %d passed, %d failed\n", ok, !ok);
    scsi_bus_free(s->bus);
    event_queue_free(s->queue);
    physmem_free(s->mem);
    log_free(s->log);
    free(s);
    return !ok;
}
