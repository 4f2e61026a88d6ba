/*
 * Configuration space (specification section 5.2.4; little-endian, read only):
 *
 *   0x00 u64 capacity in 512-byte sectors     0x08 u32 size_max, bytes a segment     0x0c u32 seg_max, segments
 *   0x10 u32 geometry (not offered, 0)        0x14 u32 blk_size, 512                 the rest 0 (not offered)
 *
 * Request: the device reads { u32 type; u32 priority; u64 sector } and the data of OUT; it writes the data of IN or
 * GET_ID and, last, one byte of status: 0 OK, 1 IOERR, 2 UNSUPP.
 */
#include "devices/virtio_block.h"
#include "devices/device_stats.h"
#include "devices/virtio_mmio.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE_ID_BLOCK = 2, REQUEST_QUEUE = 0, HEADER_BYTES = 16, STATUS_BYTES = 1 };
enum { TYPE_IN = 0, TYPE_OUT = 1, TYPE_FLUSH = 4, TYPE_GET_ID = 8 };
enum { STATUS_OK = 0, STATUS_IOERR = 1, STATUS_UNSUPP = 2 };
enum {
    CONFIG_CAPACITY = 0x00,
    CONFIG_SIZE_MAX = 0x08,
    CONFIG_SEG_MAX = 0x0c,
    CONFIG_BLK_SIZE = 0x14,
    CONFIG_BYTES = 0x18
};
enum { CHUNK_BYTES = 64 << 10 }; /* host memory a transfer uses, however long it is */

#define F_SIZE_MAX (1ull << 1)
#define F_SEG_MAX  (1ull << 2)
#define F_RO       (1ull << 5)
#define F_BLK_SIZE (1ull << 6)
#define F_FLUSH    (1ull << 9)

#define REQUEST_MAX_BYTES ((uint64_t)VIRTIO_BLOCK_SEG_MAX * VIRTIO_BLOCK_SIZE_MAX)

struct request_header {
    uint32_t type, priority;
    uint64_t sector;
};

_Static_assert(sizeof(struct request_header) == HEADER_BYTES, "the header as it lies in guest memory");

/* Between two register accesses or events the device holds no request: the one being served is still in the ring, and
 * the event's time is all there is to save beside mmio.state. */
struct virtio_block {
    struct virtio_mmio mmio;
    struct event event;
    struct event_queue *queue;
    struct physmem *mem;
    struct disk_image *image;
    struct log *log;
    cycles latency;
    char id[VIRTIO_BLOCK_ID_BYTES];
    uint8_t config[CONFIG_BYTES];
    struct virtqueue_chain chain; /* valid only while a request is executed */
    uint8_t chunk[CHUNK_BYTES];
    uint64_t reads, writes, flushes, others, errors, bytes_read, bytes_written;
};

const struct param_def virtio_block_params[] = {
    {.name = "disk.latency",
     .type = PARAM_TIME,
     .unit = "ns",
     .initial = "0",
     .min = 0,
     .max = 10000000000ull,
     .help = "time a disk takes for a request; 0 = one cycle"},
};
const size_t virtio_block_param_count = sizeof virtio_block_params / sizeof virtio_block_params[0];

static void start_service(struct virtio_block *block)
{
    /* At least a cycle, so that requests that cause requests cannot hold simulated time still. */
    event_schedule(block->queue, &block->event, block->queue->now + (block->latency ? block->latency : 1));
}

/* Does [sector, sector + bytes) lie on the disk, in whole sectors and within what was offered? */
static bool is_transfer_valid(struct virtio_block *block, uint64_t sector, uint64_t bytes)
{
    uint64_t capacity = disk_image_sectors(block->image);
    if (bytes % DISK_SECTOR_SIZE == 0 && bytes <= REQUEST_MAX_BYTES && sector <= capacity &&
        bytes / DISK_SECTOR_SIZE <= capacity - sector)
        return true;
    log_guest(block->log, "virtio_block.range", "disk: request for %llu bytes at sector %llu of %llu",
              (unsigned long long)bytes, (unsigned long long)sector, (unsigned long long)capacity);
    return false;
}

/* IN or OUT of BYTES at byte OFFSET of the image, in pieces. */
static bool transfer(struct virtio_block *block, bool out, uint64_t offset, uint64_t bytes)
{
    const struct virtqueue_chain *chain = &block->chain;
    for (uint64_t done = 0; done < bytes;) {
        uint32_t part = bytes - done < CHUNK_BYTES ? (uint32_t)(bytes - done) : CHUNK_BYTES;
        bool ok = out ? virtqueue_chain_read(chain, block->mem, HEADER_BYTES + done, block->chunk, part) &&
                            disk_image_write(block->image, offset + done, block->chunk, part)
                      : disk_image_read(block->image, offset + done, block->chunk, part) &&
                            virtqueue_chain_write(chain, block->mem, done, block->chunk, part);
        if (!ok)
            return false;
        done += part;
    }
    return true;
}

static unsigned execute_in(struct virtio_block *block, uint64_t sector, uint32_t *written)
{
    uint64_t bytes = block->chain.write_bytes - STATUS_BYTES;
    block->reads++;
    if (!is_transfer_valid(block, sector, bytes) || !transfer(block, false, sector * DISK_SECTOR_SIZE, bytes))
        return STATUS_IOERR;
    block->bytes_read += bytes;
    *written += (uint32_t)bytes;
    return STATUS_OK;
}

static unsigned execute_out(struct virtio_block *block, uint64_t sector)
{
    uint64_t bytes = block->chain.read_bytes - HEADER_BYTES;
    block->writes++;
    if (disk_image_is_read_only(block->image) || !is_transfer_valid(block, sector, bytes) ||
        !transfer(block, true, sector * DISK_SECTOR_SIZE, bytes))
        return STATUS_IOERR;
    block->bytes_written += bytes;
    return STATUS_OK;
}

static unsigned execute_get_id(struct virtio_block *block, uint32_t *written)
{
    uint64_t room = block->chain.write_bytes - STATUS_BYTES;
    uint32_t bytes = room < VIRTIO_BLOCK_ID_BYTES ? (uint32_t)room : VIRTIO_BLOCK_ID_BYTES;
    block->others++;
    if (!virtqueue_chain_write(&block->chain, block->mem, 0, block->id, bytes))
        return STATUS_IOERR;
    *written += bytes;
    return STATUS_OK;
}

/* The status of the request, and in WRITTEN the bytes of data written. */
static unsigned execute(struct virtio_block *block, const struct request_header *header, uint32_t *written)
{
    if (!virtqueue_chain_is_ram(&block->chain, block->mem)) {
        log_guest(block->log, "virtio_block.not_ram", "disk: a request's buffer is not RAM");
        return STATUS_IOERR;
    }
    switch (header->type) {
    case TYPE_IN: return execute_in(block, header->sector, written);
    case TYPE_OUT: return execute_out(block, header->sector);
    case TYPE_FLUSH: block->flushes++; return disk_image_flush(block->image) ? STATUS_OK : STATUS_IOERR;
    case TYPE_GET_ID: return execute_get_id(block, written);
    default: block->others++; return STATUS_UNSUPP;
    }
}

/* Serve the chain that was taken. NULL, or why the queue is broken. */
static const char *serve(struct virtio_block *block, struct virtqueue *queue)
{
    struct virtqueue_chain *chain = &block->chain;
    struct request_header header;
    uint32_t written = 0;
    if (chain->read_bytes < HEADER_BYTES || chain->write_bytes < STATUS_BYTES)
        return "a request without header or status";
    if (!virtqueue_chain_read(chain, block->mem, 0, &header, HEADER_BYTES))
        return "a request's header is not in RAM";
    uint8_t status = (uint8_t)execute(block, &header, &written);
    block->errors += status != STATUS_OK;
    if (!virtqueue_chain_write(chain, block->mem, chain->write_bytes - STATUS_BYTES, &status, STATUS_BYTES))
        return "a request's status is not in RAM";
    if (!virtqueue_give_back(queue, block->mem, chain->head, written + STATUS_BYTES))
        return "the used ring is not in RAM";
    return NULL;
}

static void service_fire(void *opaque)
{
    struct virtio_block *block = opaque;
    struct virtqueue *queue = &block->mmio.state.queues[REQUEST_QUEUE];
    const char *why = NULL;
    if (!virtio_mmio_is_ready(&block->mmio))
        return;
    enum virtqueue_result result = virtqueue_take(queue, block->mem, &block->chain, &why);
    if (result == VIRTQUEUE_FILLED) {
        why = serve(block, queue);
        if (!why && virtqueue_wants_interrupt(queue, block->mem))
            virtio_mmio_interrupt(&block->mmio);
        if (!why)
            result = virtqueue_look(queue, block->mem, &why);
    }
    if (why)
        virtio_mmio_fail(&block->mmio, why);
    else if (result == VIRTQUEUE_FILLED)
        start_service(block);
}

static void block_notify(void *opaque, unsigned index)
{
    struct virtio_block *block = opaque;
    (void)index;
    if (!event_is_scheduled(&block->event))
        start_service(block);
}

static void block_reset(void *opaque)
{
    struct virtio_block *block = opaque;
    event_cancel(block->queue, &block->event);
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
};

static void fill_config(struct virtio_block *block)
{
    const uint64_t capacity = disk_image_sectors(block->image);
    const uint32_t size_max = VIRTIO_BLOCK_SIZE_MAX, seg_max = VIRTIO_BLOCK_SEG_MAX, blk_size = DISK_SECTOR_SIZE;
    memcpy(block->config + CONFIG_CAPACITY, &capacity, sizeof capacity);
    memcpy(block->config + CONFIG_SIZE_MAX, &size_max, sizeof size_max);
    memcpy(block->config + CONFIG_SEG_MAX, &seg_max, sizeof seg_max);
    memcpy(block->config + CONFIG_BLK_SIZE, &blk_size, sizeof blk_size);
}

struct virtio_block *virtio_block_create(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                         const char *id, cycles latency, struct irq_line irq, struct log *log)
{
    struct virtio_block *block = calloc(1, sizeof *block);
    if (!block)
        log_bug("out of memory");
    block->queue = queue;
    block->mem = mem;
    block->image = image;
    block->log = log;
    block->latency = latency;
    size_t length = strlen(id);
    memcpy(block->id, id, length < sizeof block->id ? length : sizeof block->id);
    fill_config(block);
    uint64_t features = F_SIZE_MAX | F_SEG_MAX | F_BLK_SIZE | F_FLUSH;
    if (disk_image_is_read_only(image))
        features |= F_RO;
    virtio_mmio_init(&block->mmio, &block_ops, block, features, irq, log);
    event_init(&block->event, "disk", service_fire, block);
    return block;
}

void virtio_block_free(struct virtio_block *block)
{
    if (!block)
        return;
    event_cancel(block->queue, &block->event);
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
        {"needs_reset", "times", "times the driver broke the rules and the disk stopped", &block->mmio.needs_reset},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}
