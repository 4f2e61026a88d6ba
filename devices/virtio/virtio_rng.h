/*
 * virtio entropy device (Virtual I/O Device specification 1.1, section 5.4): the guest asks for random bytes.
 *
 * They come from a generator that a seed decides (splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014): so that a run can be repeated, not so that nobody could guess them. Nothing that is
 * to stay secret may depend on them.
 *
 * A request is answered when its bytes have come, at a rate given at creation, one request after the other. The rest of
 * the register space is virtio_mmio.h's; there is no configuration space.
 */
#ifndef SIMOS_VIRTIO_RNG_H
#define SIMOS_VIRTIO_RNG_H

#include "devices/device_type.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/params.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

struct virtio_rng;

enum { VIRTIO_RNG_REQUEST_MAX = 4096 /* bytes that one request is given at most */ };

/* The next number of the generator whose state is STATE, a seed at first. */
uint64_t virtio_rng_next(uint64_t *state);

/* A source seeded by SEED that gives RATE bytes a second of simulated time (above 0). QUEUE, MEM and LOG must outlive
 * it. */
struct virtio_rng *virtio_rng_create(struct event_queue *queue, struct physmem *mem, uint64_t seed, uint64_t rate,
                                     struct irq_line irq, struct log *log);
/* Before its event queue. NULL is allowed. */
void virtio_rng_free(struct virtio_rng *rng);

/* Registers; opaque is the virtio_rng. */
extern const struct device_ops virtio_rng_device_ops;

void virtio_rng_register_stats(const struct virtio_rng *rng, struct stats *stats, const char *prefix);

/* Add the sections NAME and NAME.virtio. */
void virtio_rng_register_saved(struct virtio_rng *rng, struct saved *saved, const char *name);

/* The board's own, as rng.* describes it. */
extern const struct device_type virtio_rng_type;

#endif
