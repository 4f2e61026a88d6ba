/*
 * Configuration space (specification section 5.2.4; little-endian):
 *
 *   0x00 u64 capacity in 512-byte sectors     0x08 u32 size_max, bytes a segment     0x0c u32 seg_max, segments
 *   0x10 u32 geometry (not offered, 0)        0x14 u32 blk_size, 512                 the rest 0 (not offered)
 *   0x20 u8 writeback, 1 after a reset; may be written: 0 writethrough, 1 writeback
 *
 * Request: the device reads { u32 type; u32 priority; u64 sector } and the data of OUT; it writes the data of IN or
 * GET_ID and, last, one byte of status: 0 OK, 1 IOERR, 2 UNSUPP.
 */
#include "devices/virtio/virtio_block.h"
#include "devices/device_stats.h"
#include "devices/virtio/virtio_mmio.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE_ID_BLOCK = 2, REQUEST_QUEUE = 0, HEADER_BYTES = 16, BYTES_OF_STATUS = 1 };
enum { TYPE_IN = 0, TYPE_OUT = 1, TYPE_FLUSH = 4, TYPE_GET_ID = 8 };
enum { VIRTIO_BLK_S_OK = 0, VIRTIO_BLK_S_IOERR = 1, VIRTIO_BLK_S_UNSUPP = 2 };
enum {
    CONFIG_CAPACITY = 0x00,
    CONFIG_SIZE_MAX = 0x08,
    CONFIG_SEG_MAX = 0x0c,
    CONFIG_BLK_SIZE = 0x14,
    CONFIG_WRITEBACK = 0x20,
    CONFIG_BYTES = 0x21
};
enum { CHUNK_BYTES = 64 << 10 }; /* bounds the host memory of a transfer of any length */
enum { REQUESTS = DISK_QUEUE };

#define F_SIZE_MAX   (1ull << 1)
#define F_SEG_MAX    (1ull << 2)
#define F_RO         (1ull << 5)
#define F_BLK_SIZE   (1ull << 6)
#define F_FLUSH      (1ull << 9)
#define F_CONFIG_WCE (1ull << 11)

#define REQUEST_MAX_BYTES ((uint64_t)VIRTIO_BLOCK_SEG_MAX * VIRTIO_BLOCK_SIZE_MAX)

struct request_header {
    uint32_t type, priority;
    uint64_t sector;
};

_Static_assert(sizeof(struct request_header) == HEADER_BYTES, "the header as it lies in guest memory");

/* A request in flight: taken from the available ring, not yet in the used ring. Plain state. */
struct request {
    bool used;
    bool sync; /* writethrough: a write that flushes the image before it completes */
    uint8_t status;
    uint32_t type;
    uint32_t written; /* bytes of data written to the buffers if the request succeeds */
    uint64_t sector;
    struct virtqueue_chain chain; /* a copy that the guest cannot change */
};

/* Saved state: mmio.state, the used requests, config, notified, the event's time, and the drive's state. */
struct virtio_block {
    struct virtio_mmio mmio;
    struct event event; /* takes requests from the ring */
    struct event_queue *queue;
    struct physmem *mem;
    struct disk_image *image;
    struct disk *disk;
    struct log *log;
    cycles notified; /* time of the driver's last notification */
    char id[VIRTIO_BLOCK_ID_BYTES];
    uint8_t config[CONFIG_BYTES];
    uint8_t chunk[CHUNK_BYTES];
    uint64_t reads, writes, flushes, others, errors, bytes_read, bytes_written;
    struct request requests[REQUESTS];
};

static bool is_written_through(const struct virtio_block *block)
{
    uint64_t features = block->mmio.state.driver_features;
    return features & F_CONFIG_WCE ? !block->config[CONFIG_WRITEBACK] : !(features & F_FLUSH);
}

static uint64_t data_bytes(const struct request *request)
{
    return request->type == TYPE_OUT ? request->chain.read_bytes - HEADER_BYTES
                                     : request->chain.write_bytes - BYTES_OF_STATUS;
}

/* Is the transfer on the disk, in whole sectors and within the limits offered? */
static bool is_transfer_valid(struct virtio_block *block, const struct request *request)
{
    uint64_t capacity = disk_image_sectors(block->image), bytes = data_bytes(request), sector = request->sector;
    if (bytes % DISK_SECTOR_SIZE == 0 && bytes <= REQUEST_MAX_BYTES && sector <= capacity &&
        bytes / DISK_SECTOR_SIZE <= capacity - sector)
        return true;
    log_guest(block->log, "virtio_block.range", "disk: request for %llu bytes at sector %llu of %llu",
              (unsigned long long)bytes, (unsigned long long)sector, (unsigned long long)capacity);
    return false;
}

/* ---- from the ring to the drive ---- */

/* The drive request for a read or write; a command if it transfers no data. */
static enum disk_kind accept_transfer(struct virtio_block *block, struct request *request)
{
    bool out = request->type == TYPE_OUT;
    *(out ? &block->writes : &block->reads) += 1;
    if ((out && disk_image_is_read_only(block->image)) || !is_transfer_valid(block, request)) {
        request->status = VIRTIO_BLK_S_IOERR;
        return DISK_COMMAND;
    }
    request->sync = out && is_written_through(block);
    if (data_bytes(request) == 0)
        return DISK_COMMAND;
    return !out ? DISK_READ : request->sync ? DISK_WRITE_MEDIUM : DISK_WRITE;
}

static enum disk_kind accept(struct virtio_block *block, struct request *request)
{
    if (!virtqueue_chain_is_ram(&request->chain, block->mem)) {
        log_guest(block->log, "virtio_block.not_ram", "disk: a request's buffer is not RAM");
        request->status = VIRTIO_BLK_S_IOERR;
        return DISK_COMMAND;
    }
    switch (request->type) {
    case TYPE_IN:
    case TYPE_OUT: return accept_transfer(block, request);
    case TYPE_FLUSH: block->flushes++; return DISK_FLUSH;
    case TYPE_GET_ID: block->others++; return DISK_COMMAND;
    default:
        block->others++;
        request->status = VIRTIO_BLK_S_UNSUPP;
        return DISK_COMMAND;
    }
}

/* Submit the request in CHAIN to the drive. NULL, or the reason why the queue is broken. */
static const char *start_request(struct virtio_block *block, struct request *request, cycles arrival)
{
    const struct virtqueue_chain *chain = &request->chain;
    struct request_header header;
    if (chain->read_bytes < HEADER_BYTES || chain->write_bytes < BYTES_OF_STATUS)
        return "a request without header or status";
    if (!virtqueue_chain_read(chain, block->mem, 0, &header, HEADER_BYTES))
        return "a request's header is not in RAM";
    request->used = true;
    request->sync = false;
    request->status = VIRTIO_BLK_S_OK;
    request->type = header.type;
    request->sector = header.sector;
    request->written = 0;
    enum disk_kind kind = accept(block, request);
    uint32_t sectors = kind < DISK_FLUSH ? (uint32_t)(data_bytes(request) / DISK_SECTOR_SIZE) : 0;
    disk_submit(block->disk, kind, (unsigned)(request - block->requests), header.sector, sectors, arrival);
    return NULL;
}

static struct request *free_request(struct virtio_block *block)
{
    for (unsigned i = 0; i < REQUESTS; i++)
        if (!block->requests[i].used)
            return &block->requests[i];
    return NULL;
}

static void forget_requests(struct virtio_block *block)
{
    for (unsigned i = 0; i < REQUESTS; i++)
        block->requests[i].used = false;
    disk_reset(block->disk);
}

static void fail(struct virtio_block *block, const char *why)
{
    forget_requests(block);
    virtio_mmio_fail(&block->mmio, why);
}

/* Take the available requests, as far as there are free entries. */
static void take_requests(struct virtio_block *block, cycles arrival)
{
    struct virtqueue *queue = &block->mmio.state.queues[REQUEST_QUEUE];
    struct request *request;
    while (virtio_mmio_is_ready(&block->mmio) && disk_pending(block->disk) < REQUESTS &&
           (request = free_request(block))) {
        const char *why = NULL;
        enum virtqueue_result result = virtqueue_pop_avail(queue, block->mem, &request->chain, &why);
        if (result == VIRTQUEUE_EMPTY)
            return;
        if (result == VIRTQUEUE_AVAILABLE)
            why = start_request(block, request, arrival);
        if (why)
            fail(block, why);
    }
}

static void take_event(void *opaque)
{
    struct virtio_block *block = opaque;
    take_requests(block, block->notified);
}

/* ---- from the drive to the ring ---- */

/* Copy SECTORS sectors of a read or write, from its sector FIRST on, when they are transferred over the bus. */
static bool move_data(void *opaque, unsigned tag, uint32_t first, uint32_t sectors)
{
    struct virtio_block *block = opaque;
    const struct request *request = &block->requests[tag];
    const struct virtqueue_chain *chain = &request->chain;
    uint64_t position = (uint64_t)first * DISK_SECTOR_SIZE, end = position + (uint64_t)sectors * DISK_SECTOR_SIZE;
    uint64_t offset = request->sector * DISK_SECTOR_SIZE;
    while (position < end) {
        uint32_t part = end - position < CHUNK_BYTES ? (uint32_t)(end - position) : CHUNK_BYTES;
        bool ok = request->type == TYPE_OUT
                      ? virtqueue_chain_read(chain, block->mem, HEADER_BYTES + position, block->chunk, part) &&
                            disk_image_write(block->image, offset + position, block->chunk, part)
                      : disk_image_read(block->image, offset + position, block->chunk, part) &&
                            virtqueue_chain_write(chain, block->mem, position, block->chunk, part);
        if (!ok)
            return false;
        position += part;
    }
    return true;
}

/* Complete a request after its data was transferred without error. False on a host error. */
static bool complete(struct virtio_block *block, struct request *request)
{
    switch (request->type) {
    case TYPE_IN:
        request->written = (uint32_t)data_bytes(request);
        block->bytes_read += request->written;
        return true;
    case TYPE_OUT: block->bytes_written += data_bytes(request); return !request->sync || disk_image_flush(block->image);
    case TYPE_FLUSH: return disk_image_flush(block->image);
    default: { /* GET_ID */
        uint64_t room = data_bytes(request);
        request->written = room < VIRTIO_BLOCK_ID_BYTES ? (uint32_t)room : VIRTIO_BLOCK_ID_BYTES;
        return virtqueue_chain_write(&request->chain, block->mem, 0, block->id, request->written);
    }
    }
}

/* Write the status and return the chain through the used ring. NULL, or the reason why the queue is broken. */
static const char *give_back(struct virtio_block *block, struct request *request)
{
    struct virtqueue *queue = &block->mmio.state.queues[REQUEST_QUEUE];
    const struct virtqueue_chain *chain = &request->chain;
    if (!virtqueue_chain_write(chain, block->mem, chain->write_bytes - BYTES_OF_STATUS, &request->status,
                               BYTES_OF_STATUS))
        return "a request's status is not in RAM";
    if (!virtqueue_push_used(queue, block->mem, chain->head, request->written + BYTES_OF_STATUS))
        return "the used ring is not in RAM";
    if (virtqueue_needs_notification(queue, block->mem))
        virtio_mmio_interrupt(&block->mmio);
    return NULL;
}

static void request_done(void *opaque, unsigned tag, bool ok)
{
    struct virtio_block *block = opaque;
    struct request *request = &block->requests[tag];
    if (request->status == VIRTIO_BLK_S_OK && (!ok || !complete(block, request))) {
        request->status = VIRTIO_BLK_S_IOERR;
        request->written = 0;
    }
    block->errors += request->status != VIRTIO_BLK_S_OK;
    request->used = false;
    const char *why = give_back(block, request);
    if (why)
        fail(block, why);
    else
        take_requests(block, block->queue->now);
}

static const struct disk_ops drive_ops = {.move = move_data, .done = request_done};

/* ---- interface to the transport ---- */

static void block_notify(void *opaque, unsigned index)
{
    struct virtio_block *block = opaque;
    (void)index;
    if (event_is_scheduled(&block->event))
        return;
    block->notified = block->queue->now;
    event_schedule(block->queue, &block->event, block->queue->now + 1);
}

static void block_reset(void *opaque)
{
    struct virtio_block *block = opaque;
    event_cancel(block->queue, &block->event);
    forget_requests(block);
    block->config[CONFIG_WRITEBACK] = 1;
}

static void block_config_write(void *opaque, uint32_t offset, unsigned size, uint32_t value)
{
    struct virtio_block *block = opaque;
    if (offset == CONFIG_WRITEBACK && size == 1 && (block->mmio.state.driver_features & F_CONFIG_WCE))
        block->config[CONFIG_WRITEBACK] = value & 1;
    else
        log_guest(block->log, "virtio_block.config", "disk: %u bytes written to offset 0x%x of the configuration", size,
                  offset);
}

static uint32_t block_config_read(void *opaque, uint32_t offset, unsigned size)
{
    const struct virtio_block *block = opaque;
    uint32_t value = 0;
    if (offset < CONFIG_BYTES && size <= CONFIG_BYTES - offset)
        memcpy(&value, block->config + offset, size);
    return value;
}

static const struct virtio_ops block_ops = {
    .name = "disk",
    .device_id = DEVICE_ID_BLOCK,
    .queue_count = 1,
    .config_read = block_config_read,
    .notify = block_notify,
    .reset = block_reset,
    .config_write = block_config_write,
};

static void fill_config(struct virtio_block *block)
{
    const uint64_t capacity = disk_image_sectors(block->image);
    const uint32_t size_max = VIRTIO_BLOCK_SIZE_MAX, seg_max = VIRTIO_BLOCK_SEG_MAX, blk_size = DISK_SECTOR_SIZE;
    memcpy(block->config + CONFIG_CAPACITY, &capacity, sizeof capacity);
    memcpy(block->config + CONFIG_SIZE_MAX, &size_max, sizeof size_max);
    memcpy(block->config + CONFIG_SEG_MAX, &seg_max, sizeof seg_max);
    memcpy(block->config + CONFIG_BLK_SIZE, &blk_size, sizeof blk_size);
    block->config[CONFIG_WRITEBACK] = 1;
}

struct virtio_block *virtio_block_create_drive(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                               const char *id, const struct disk_config *config, struct scsi_bus *bus,
                                               unsigned number, struct irq_line irq, struct log *log)
{
    struct virtio_block *block = checked_memory(calloc(1, sizeof *block));
    block->queue = queue;
    block->mem = mem;
    block->image = image;
    block->log = log;
    block->disk = disk_create(queue, config, disk_image_sectors(image), bus, number, &drive_ops, block);
    size_t length = strlen(id);
    memcpy(block->id, id, length < sizeof block->id ? length : sizeof block->id);
    fill_config(block);
    uint64_t features = F_SIZE_MAX | F_SEG_MAX | F_BLK_SIZE | F_FLUSH | F_CONFIG_WCE;
    if (disk_image_is_read_only(image))
        features |= F_RO;
    virtio_mmio_init(&block->mmio, &block_ops, block, features, irq, log);
    event_init(&block->event, "disk requests", take_event, block);
    return block;
}

struct virtio_block *virtio_block_create(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                         const char *id, cycles latency, struct irq_line irq, struct log *log)
{
    const struct disk_config config = {.model = DISK_FIXED, .latency = latency, .speed = 1};
    return virtio_block_create_drive(queue, mem, image, id, &config, NULL, 0, irq, log);
}

struct disk *virtio_block_drive(const struct virtio_block *block)
{
    return block->disk;
}

void virtio_block_free(struct virtio_block *block)
{
    if (!block)
        return;
    event_cancel(block->queue, &block->event);
    disk_free(block->disk);
    free(block);
}

static uint32_t block_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct virtio_block *block = opaque;
    return virtio_mmio_device_ops.read(&block->mmio, offset, size, cpu);
}

static void block_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct virtio_block *block = opaque;
    virtio_mmio_device_ops.write(&block->mmio, offset, size, value, cpu);
}

const struct device_ops virtio_block_device_ops = {.name = "disk", .read = block_read, .write = block_write};

void virtio_block_register_stats(const struct virtio_block *block, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"reads", "requests", "requests to read", &block->reads},
        {"writes", "requests", "requests to write", &block->writes},
        {"flushes", "requests", "requests to flush", &block->flushes},
        {"others", "requests", "requests of any other kind", &block->others},
        {"errors", "requests", "requests that failed or were not supported", &block->errors},
        {"bytes_read", "bytes", "bytes read from the disk", &block->bytes_read},
        {"bytes_written", "bytes", "bytes written to the disk", &block->bytes_written},
        {"notifications", "writes", "times the driver notified the disk", &block->mmio.notifications},
        {"interrupts", "interrupts", "times the interrupt line was raised", &block->mmio.interrupts},
        {"needs_reset", "times", "driver errors that stopped the disk (DEVICE_NEEDS_RESET)", &block->mmio.needs_reset},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
    disk_register_stats(block->disk, stats, prefix);
}

/* ---- checkpoint: the fields, then u32 number of requests in flight, then these requests ---- */

static const struct saved_field saved_fields[] = {
    SAVED_FIELD(struct virtio_block, event, SAVED_EVENT),
    SAVED_FIELD(struct virtio_block, notified, SAVED_TIME),
    SAVED_ROW("writeback", struct virtio_block, config[CONFIG_WRITEBACK], SAVED_U8, 1, 0, false, 1),
    SAVED_STATISTIC(struct virtio_block, reads),
    SAVED_STATISTIC(struct virtio_block, writes),
    SAVED_STATISTIC(struct virtio_block, flushes),
    SAVED_STATISTIC(struct virtio_block, others),
    SAVED_STATISTIC(struct virtio_block, errors),
    SAVED_STATISTIC(struct virtio_block, bytes_read),
    SAVED_STATISTIC(struct virtio_block, bytes_written),
};

static void write_request(const struct request *request, uint32_t number, struct saved_out *out)
{
    const struct virtqueue_chain *chain = &request->chain;
    const uint32_t words[] = {number,           request->sync, request->status, request->type,
                              request->written, chain->head,   chain->readable, chain->writable};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        saved_put_u32(out, words[i]);
    saved_put_u64(out, request->sector);
    for (unsigned i = 0; i < chain->readable + chain->writable; i++) {
        saved_put_u64(out, chain->segments[i].address);
        saved_put_u32(out, chain->segments[i].length);
    }
}

static void write_requests(void *base, struct saved_out *out)
{
    const struct virtio_block *block = base;
    uint32_t count = 0;
    for (unsigned i = 0; i < REQUESTS; i++)
        count += block->requests[i].used;
    saved_put_u32(out, count);
    for (unsigned i = 0; i < REQUESTS; i++)
        if (block->requests[i].used)
            write_request(&block->requests[i], i, out);
}

static bool read_chain(struct virtqueue_chain *chain, struct saved_in *in)
{
    chain->read_bytes = chain->write_bytes = 0;
    for (unsigned i = 0; i < chain->readable + chain->writable; i++) {
        struct virtqueue_segment *segment = &chain->segments[i];
        if (!saved_get_u64(in, &segment->address) || !saved_get_u32(in, &segment->length))
            return false;
        *(i < chain->readable ? &chain->read_bytes : &chain->write_bytes) += segment->length;
    }
    return true;
}

static bool read_request(struct virtio_block *block, struct saved_in *in, struct err *err)
{
    uint32_t words[8];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!saved_get_u32(in, &words[i]))
            return false;
    if (words[0] >= REQUESTS || block->requests[words[0]].used || words[1] > 1 || words[2] > VIRTIO_BLK_S_UNSUPP ||
        words[5] > UINT16_MAX || words[6] > VIRTQUEUE_MAX_SIZE || words[7] > VIRTQUEUE_MAX_SIZE - words[6])
        return err_set(err, "an invalid request");
    struct request *request = &block->requests[words[0]];
    request->sync = words[1];
    request->status = (uint8_t)words[2];
    request->type = words[3];
    request->written = words[4];
    request->chain.head = (uint16_t)words[5];
    request->chain.readable = words[6];
    request->chain.writable = words[7];
    if (!saved_get_u64(in, &request->sector) || !read_chain(&request->chain, in))
        return false;
    if (request->chain.read_bytes < HEADER_BYTES || request->chain.write_bytes < BYTES_OF_STATUS)
        return err_set(err, "a request without header or status");
    request->used = true;
    return true;
}

static bool read_requests(void *base, struct saved_in *in, struct err *err)
{
    struct virtio_block *block = base;
    uint32_t count;
    for (unsigned i = 0; i < REQUESTS; i++)
        block->requests[i].used = false;
    if (!saved_get_u32(in, &count))
        return false;
    while (count-- > 0)
        if (!read_request(block, in, err))
            return false;
    return true;
}

/* Check that the device and its drive have the same requests. */
static bool block_loaded(void *base, struct err *err)
{
    const struct virtio_block *block = base;
    unsigned used = 0;
    for (unsigned i = 0; i < REQUESTS; i++) {
        used += block->requests[i].used;
        if (block->requests[i].used && !disk_is_pending(block->disk, i))
            return err_set(err, "request %u is not pending in the drive", i);
    }
    if (used != disk_pending(block->disk))
        return err_set(err, "the drive has requests that are not the device's");
    return true;
}

void virtio_block_register_saved(struct virtio_block *block, struct saved *saved, const char *prefix)
{
    static const struct saved_ops ops = {.write = write_requests, .read = read_requests, .after_load = block_loaded};
    saved_add(saved, &(struct saved_section){.name = prefix,
                                             .version = 1,
                                             .base = block,
                                             .fields = saved_fields,
                                             .field_count = sizeof saved_fields / sizeof saved_fields[0],
                                             .ops = &ops});
    char name[SAVED_NAME_MAX + 1];
    snprintf(name, sizeof name, "%s.virtio", prefix);
    virtio_mmio_register_saved(&block->mmio, saved, name);
    disk_register_saved(block->disk, saved, prefix);
}
