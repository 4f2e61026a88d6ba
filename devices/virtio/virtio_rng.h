/*
 * virtio entropy device (Virtual I/O Device specification 1.1, section 5.4): supplies random bytes to the guest.
 *
 * The bytes come from a seeded generator (src/base/splitmix.h), so that a run is reproducible. They are predictable: no
 * secret may depend on them.
 *
 * Requests are served one after the other; each completes when its bytes are available at the configured rate. The
 * registers are those of virtio_mmio.h; there is no configuration space.
 */
#ifndef SIMOS_DEVICES_VIRTIO_VIRTIO_RNG_H
#define SIMOS_DEVICES_VIRTIO_VIRTIO_RNG_H

#include "devices/device_type.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/params.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

struct virtio_rng;

enum { VIRTIO_RNG_REQUEST_MAX = 4096 /* maximum bytes returned per request */ };

/* Create an entropy source with SEED and RATE bytes per second of simulated time (above 0). QUEUE, MEM and LOG must
 * outlive it. */
struct virtio_rng *virtio_rng_create(struct event_queue *queue, struct physmem *mem, uint64_t seed, uint64_t rate,
                                     struct irq_line irq, struct log *log);
/* Free the device, before its event queue. NULL is allowed. */
void virtio_rng_free(struct virtio_rng *rng);

/* Registers; opaque is the virtio_rng. */
extern const struct device_ops virtio_rng_device_ops;

void virtio_rng_register_stats(const struct virtio_rng *rng, struct stats *stats, const char *prefix);

/* Register the saved sections NAME and NAME.virtio. */
void virtio_rng_register_saved(struct virtio_rng *rng, struct saved *saved, const char *name);

/* The board's entropy device, configured by rng.*. */
extern const struct device_type virtio_rng_type;

#endif
