#include "devices/virtio/virtio_rng.h"

#include "devices/device_stats.h"
#include "devices/virtio/virtio_mmio.h"
#include "src/base/splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE_ID_ENTROPY = 4, REQUEST_QUEUE = 0 };

struct virtio_rng {
    struct virtio_mmio mmio;
    struct event event; /* completion of the request in service */
    struct event_queue *queue;
    struct physmem *mem;
    uint64_t rate;      /* bytes per second */
    uint64_t generator; /* state of the generator */
    bool busy;          /* a request is in service */
    uint32_t length;    /* bytes that the request returns */
    struct virtqueue_chain chain;
    uint64_t requests, bytes;
};

static void fail(struct virtio_rng *rng, const char *why)
{
    rng->busy = false;
    event_cancel(rng->queue, &rng->event);
    virtio_mmio_fail(&rng->mmio, why);
}

/* Begin to serve the next request, if there is one and the device is idle. */
static void start(struct virtio_rng *rng)
{
    const char *why = NULL;
    if (rng->busy || !virtio_mmio_is_ready(&rng->mmio))
        return;
    enum virtqueue_result result =
        virtqueue_pop_avail(&rng->mmio.state.queues[REQUEST_QUEUE], rng->mem, &rng->chain, &why);
    if (result == VIRTQUEUE_EMPTY)
        return;
    if (result == VIRTQUEUE_BROKEN || rng->chain.readable) {
        fail(rng, why ? why : "a request for random bytes has device-readable buffers");
        return;
    }
    uint64_t wanted = rng->chain.write_bytes;
    rng->length = wanted < VIRTIO_RNG_REQUEST_MAX ? (uint32_t)wanted : VIRTIO_RNG_REQUEST_MAX;
    rng->busy = true;
    cycles duration = (rng->length * rng->queue->clock_hz + rng->rate - 1) / rng->rate;
    event_schedule(rng->queue, &rng->event, rng->queue->now + (duration ? duration : 1));
}

static void fill(struct virtio_rng *rng, uint8_t *bytes, uint32_t count)
{
    for (uint32_t done = 0; done < count; done += 8) {
        uint64_t word = splitmix_next(&rng->generator);
        for (uint32_t i = 0; i < 8 && done + i < count; i++)
            bytes[done + i] = (uint8_t)(word >> (8 * i));
    }
}

static void request_done(void *opaque)
{
    struct virtio_rng *rng = opaque;
    struct virtqueue *queue = &rng->mmio.state.queues[REQUEST_QUEUE];
    uint8_t bytes[VIRTIO_RNG_REQUEST_MAX];
    fill(rng, bytes, rng->length);
    rng->busy = false;
    if (!virtqueue_chain_write(&rng->chain, rng->mem, 0, bytes, rng->length)) {
        fail(rng, "a buffer for random bytes is not in RAM");
        return;
    }
    if (!virtqueue_push_used(queue, rng->mem, rng->chain.head, rng->length)) {
        fail(rng, "the used ring is not in RAM");
        return;
    }
    rng->requests++;
    rng->bytes += rng->length;
    if (virtqueue_needs_notification(queue, rng->mem))
        virtio_mmio_interrupt(&rng->mmio);
    start(rng);
}

/* Interface to the transport */

static uint32_t config_read(void *opaque, uint32_t offset, unsigned size)
{
    (void)opaque, (void)offset, (void)size;
    return 0;
}

static void notify(void *opaque, unsigned index)
{
    (void)index;
    start(opaque);
}

static void reset(void *opaque)
{
    struct virtio_rng *rng = opaque;
    rng->busy = false;
    event_cancel(rng->queue, &rng->event);
}

static const struct virtio_ops ops = {"rng", DEVICE_ID_ENTROPY, 1, config_read, notify, reset, NULL};

static uint32_t read_register(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct virtio_rng *rng = opaque;
    return virtio_mmio_device_ops.read(&rng->mmio, offset, size, cpu);
}

static void write_register(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct virtio_rng *rng = opaque;
    virtio_mmio_device_ops.write(&rng->mmio, offset, size, value, cpu);
}

const struct device_ops virtio_rng_device_ops = {"rng", read_register, write_register};

/* Creation */

struct virtio_rng *virtio_rng_create(struct event_queue *queue, struct physmem *mem, uint64_t seed, uint64_t rate,
                                     struct irq_line irq, struct log *log)
{
    struct virtio_rng *rng = checked_memory(calloc(1, sizeof *rng));
    rng->queue = queue;
    rng->mem = mem;
    rng->rate = rate;
    rng->generator = seed;
    virtio_mmio_init(&rng->mmio, &ops, rng, VIRTIO_F_VERSION_1, irq, log);
    event_init(&rng->event, "rng", request_done, rng);
    return rng;
}

void virtio_rng_free(struct virtio_rng *rng)
{
    if (!rng)
        return;
    event_cancel(rng->queue, &rng->event);
    free(rng);
}

void virtio_rng_register_stats(const struct virtio_rng *rng, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"requests", "requests", "requests for random bytes that were answered", &rng->requests},
        {"bytes", "bytes", "random bytes given", &rng->bytes},
        {"notifications", "writes", "times the driver notified the device", &rng->mmio.notifications},
        {"interrupts", "interrupts", "times the interrupt line was raised", &rng->mmio.interrupts},
        {"needs_reset", "times", "driver errors that stopped the device (DEVICE_NEEDS_RESET)", &rng->mmio.needs_reset},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

/* Checkpoint: the fields, then the segments of the request in service, if there is one */

static const struct saved_field fields[] = {
    SAVED_FIELD(struct virtio_rng, event, SAVED_EVENT),
    SAVED_FIELD(struct virtio_rng, generator, SAVED_U64),
    SAVED_FIELD(struct virtio_rng, busy, SAVED_BOOL),
    SAVED_LIMITED(struct virtio_rng, length, SAVED_U32, VIRTIO_RNG_REQUEST_MAX),
    SAVED_STATISTIC(struct virtio_rng, requests),
    SAVED_STATISTIC(struct virtio_rng, bytes),
};

static void write_request(void *base, struct saved_out *out)
{
    const struct virtio_rng *rng = base;
    const struct virtqueue_chain *chain = &rng->chain;
    saved_put_u32(out, rng->busy ? chain->head : 0);
    saved_put_u32(out, rng->busy ? chain->writable : 0);
    for (unsigned i = 0; rng->busy && i < chain->writable; i++) {
        saved_put_u64(out, chain->segments[i].address);
        saved_put_u32(out, chain->segments[i].length);
    }
}

static bool read_request(void *base, struct saved_in *in, struct err *err)
{
    struct virtio_rng *rng = base;
    struct virtqueue_chain *chain = &rng->chain;
    uint32_t head, segments;
    if (!saved_get_u32(in, &head) || !saved_get_u32(in, &segments))
        return false;
    if (head > UINT16_MAX || segments > VIRTQUEUE_MAX_SIZE)
        return err_set(err, "a request of %u segments", segments);
    chain->head = (uint16_t)head;
    chain->readable = 0;
    chain->writable = segments;
    chain->read_bytes = chain->write_bytes = 0;
    for (unsigned i = 0; i < segments; i++) {
        if (!saved_get_u64(in, &chain->segments[i].address) || !saved_get_u32(in, &chain->segments[i].length))
            return false;
        chain->write_bytes += chain->segments[i].length;
    }
    return rng->length <= chain->write_bytes || !rng->busy ||
           err_set(err, "a request for more bytes than its buffer holds");
}

static bool check_request(void *base, struct err *err)
{
    const struct virtio_rng *rng = base;
    return rng->busy == event_is_scheduled(&rng->event) ||
           err_set(err, "request in service and completion event do not match");
}

void virtio_rng_register_saved(struct virtio_rng *rng, struct saved *saved, const char *name)
{
    static const struct saved_ops saved_ops = {
        .write = write_request, .read = read_request, .after_load = check_request};
    char part[SAVED_NAME_MAX + 1];
    saved_add(saved,
              &(struct saved_section){.name = name, .version = 1, .base = rng, SAVED_TABLE(fields), .ops = &saved_ops});
    snprintf(part, sizeof part, "%s.virtio", name);
    virtio_mmio_register_saved(&rng->mmio, saved, part);
}

/* Board device */

static const struct param_def params[] = {
    {"rng.present", PARAM_BOOL, TRAIT_FIXED, "", "off", 0, 0, false, NULL,
     "the guest has an entropy device, and a seed at power-on"},
    {"rng.seed", PARAM_INT, TRAIT_TIMED, "", "1", 0, UINT64_MAX, false, NULL,
     "seed of the random bytes that the guest gets"},
    {"rng.rate", PARAM_INT, TRAIT_TIMED, "bytes/s", "100000", 1, 1000000000, false, NULL,
     "bytes a second that the entropy device gives"},
};
static const size_t param_count = sizeof params / sizeof params[0];

static bool create_on_board(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    if (!params_bool(board->params, "rng.present"))
        return true;
    *device = virtio_rng_create(board->queue, board->mem, params_u64(board->params, "rng.seed"),
                                params_u64(board->params, "rng.rate"), device_irq(board, 0), board->log);
    physmem_add_device(board->mem, board->base, VIRTIO_MMIO_SIZE, &virtio_rng_device_ops, *device);
    return true;
}

static void free_on_board(void *device)
{
    virtio_rng_free(device);
}

static void register_stats(void *device, struct stats *stats)
{
    virtio_rng_register_stats(device, stats, "rng");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    virtio_rng_register_saved(device, saved, "rng");
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    virtio_mmio_begin_node(tree, "rng", board->base, board->irq);
    tree_end(tree);
}

/* The seed that a boot loader passes to the kernel's random number generator, so that the boot does not wait for
 * entropy. */
static void write_chosen(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    uint64_t seed[4], state = ~params_u64(board->params, "rng.seed"); /* not the bytes of the device */
    for (size_t i = 0; i < sizeof seed / sizeof seed[0]; i++)
        seed[i] = splitmix_next(&state);
    tree_bytes(tree, "rng-seed", seed, sizeof seed);
}

const struct device_type virtio_rng_type = {
    .name = "rng",
    .summary = "entropy device (virtio), of rng.present",
    .size = VIRTIO_MMIO_SIZE,
    .interrupts = 1,
    .params = {{params, &param_count}},
    .create = create_on_board,
    .free = free_on_board,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_node,
    .write_chosen = write_chosen,
};
