/*
 * A driver of a virtio disk, for tests: sets the device up and submits requests, by register accesses and stores to
 * guest RAM.
 *
 * Not modelled: interrupts (the caller checks them); more than one chain at a time in virtio_driver_request().
 */
#ifndef SIMOS_TESTS_UNIT_VIRTIO_DRIVER_H
#define SIMOS_TESTS_UNIT_VIRTIO_DRIVER_H

#include "devices/virtio/virtio_block.h"
#include <string.h>

enum {
    VIRTIO_MAGIC = 0x000,
    VIRTIO_VERSION = 0x004,
    VIRTIO_DEVICE_ID = 0x008,
    VIRTIO_VENDOR_ID = 0x00c,
    VIRTIO_DEVICE_FEATURES = 0x010,
    VIRTIO_DEVICE_FEATURES_SEL = 0x014,
    VIRTIO_DRIVER_FEATURES = 0x020,
    VIRTIO_DRIVER_FEATURES_SEL = 0x024,
    VIRTIO_QUEUE_SEL = 0x030,
    VIRTIO_QUEUE_NUM_MAX = 0x034,
    VIRTIO_QUEUE_NUM = 0x038,
    VIRTIO_QUEUE_READY = 0x044,
    VIRTIO_QUEUE_NOTIFY = 0x050,
    VIRTIO_INTERRUPT_STATUS = 0x060,
    VIRTIO_INTERRUPT_ACK = 0x064,
    VIRTIO_STATUS = 0x070,
    VIRTIO_QUEUE_DESC = 0x080,
    VIRTIO_QUEUE_DRIVER = 0x090,
    VIRTIO_QUEUE_DEVICE = 0x0a0,
    VIRTIO_CONFIG = 0x100,
};
enum {
    VIRTIO_ACKNOWLEDGE = 1,
    VIRTIO_DRIVER = 2,
    VIRTIO_DRIVER_OK = 4,
    VIRTIO_FEATURES_OK = 8,
    VIRTIO_NEEDS_RESET = 0x40
};
enum { VIRTIO_BLK_F_FLUSH = 1 << 9, VIRTIO_BLK_F_CONFIG_WCE = 1 << 11 };
enum { VIRTQ_NEXT = 1, VIRTQ_WRITE = 2, VIRTQ_INDIRECT = 4 };
enum { VIRTIO_BLK_IN = 0, VIRTIO_BLK_OUT = 1, VIRTIO_BLK_FLUSH = 4, VIRTIO_BLK_GET_ID = 8 };

struct virtio_driver {
    struct physmem *mem;
    struct virtio_block *block;
    paddr desc, avail, used; /* rings */
    paddr header, status;    /* of the request of virtio_driver_request() */
    uint16_t size;           /* number of descriptors */
    uint16_t avail_index;
};

static inline uint32_t virtio_get(struct virtio_driver *driver, uint32_t offset)
{
    return virtio_block_device_ops.read(driver->block, offset, 4, 0);
}

static inline void virtio_put(struct virtio_driver *driver, uint32_t offset, uint32_t value)
{
    virtio_block_device_ops.write(driver->block, offset, 4, value, 0);
}

static inline void guest_store(struct physmem *mem, paddr address, const void *bytes, size_t size)
{
    memcpy(physmem_host(mem, address), bytes, size);
}

static inline void guest_store16(struct physmem *mem, paddr address, uint16_t value)
{
    guest_store(mem, address, &value, sizeof value);
}

static inline uint16_t guest_load16(const struct physmem *mem, paddr address)
{
    uint16_t value;
    memcpy(&value, physmem_host(mem, address), sizeof value);
    return value;
}

static inline uint32_t guest_load32(const struct physmem *mem, paddr address)
{
    uint32_t value;
    memcpy(&value, physmem_host(mem, address), sizeof value);
    return value;
}

/* Reset, negotiate VERSION_1 and FEATURES (of the low 32), set up queue 0 of SIZE descriptors with rings from BASE
 * (needs 16 KB), and set DRIVER_OK. */
static inline void virtio_driver_start_with(struct virtio_driver *driver, paddr base, uint16_t size, uint32_t features)
{
    driver->desc = base;
    driver->avail = base + 0x1000;
    driver->used = base + 0x2000;
    driver->header = base + 0x3000;
    driver->status = base + 0x3010;
    driver->size = size;
    driver->avail_index = 0;
    memset(physmem_host(driver->mem, base), 0, 0x4000);
    virtio_put(driver, VIRTIO_STATUS, 0);
    virtio_put(driver, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE);
    virtio_put(driver, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER);
    virtio_put(driver, VIRTIO_DRIVER_FEATURES_SEL, 0);
    virtio_put(driver, VIRTIO_DRIVER_FEATURES, features);
    virtio_put(driver, VIRTIO_DRIVER_FEATURES_SEL, 1);
    virtio_put(driver, VIRTIO_DRIVER_FEATURES, 1);
    virtio_put(driver, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER | VIRTIO_FEATURES_OK);
    virtio_put(driver, VIRTIO_QUEUE_SEL, 0);
    virtio_put(driver, VIRTIO_QUEUE_NUM, size);
    virtio_put(driver, VIRTIO_QUEUE_DESC, driver->desc);
    virtio_put(driver, VIRTIO_QUEUE_DESC + 4, 0);
    virtio_put(driver, VIRTIO_QUEUE_DRIVER, driver->avail);
    virtio_put(driver, VIRTIO_QUEUE_DRIVER + 4, 0);
    virtio_put(driver, VIRTIO_QUEUE_DEVICE, driver->used);
    virtio_put(driver, VIRTIO_QUEUE_DEVICE + 4, 0);
    virtio_put(driver, VIRTIO_QUEUE_READY, 1);
    virtio_put(driver, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER | VIRTIO_FEATURES_OK | VIRTIO_DRIVER_OK);
}

/* Start with VERSION_1 only: the disk's cache is then write-through. */
static inline void virtio_driver_start(struct virtio_driver *driver, paddr base, uint16_t size)
{
    virtio_driver_start_with(driver, base, size, 0);
}

/* Write descriptor NUMBER. */
static inline void virtio_driver_describe(struct virtio_driver *driver, uint16_t number, uint64_t address,
                                          uint32_t length, uint16_t flags, uint16_t next)
{
    paddr place = driver->desc + number * 16u;
    guest_store(driver->mem, place, &address, 8);
    guest_store(driver->mem, place + 8, &length, 4);
    guest_store16(driver->mem, place + 12, flags);
    guest_store16(driver->mem, place + 14, next);
}

/* Make the chain at descriptor HEAD available, without a notification. */
static inline void virtio_driver_offer(struct virtio_driver *driver, uint16_t head)
{
    guest_store16(driver->mem, driver->avail + 4 + 2u * (driver->avail_index % driver->size), head);
    driver->avail_index++;
    guest_store16(driver->mem, driver->avail + 2, driver->avail_index);
}

static inline void virtio_driver_header(struct virtio_driver *driver, paddr address, uint32_t type, uint64_t sector)
{
    const uint32_t words[2] = {type, 0};
    guest_store(driver->mem, address, words, 8);
    guest_store(driver->mem, address + 8, &sector, 8);
}

/* Submit one request in descriptors 0..2, with one data buffer (none if BYTES is 0), and notify. The status byte is
 * 0xff until the device writes it. */
static inline void virtio_driver_request(struct virtio_driver *driver, uint32_t type, uint64_t sector, paddr data,
                                         uint32_t bytes)
{
    virtio_driver_header(driver, driver->header, type, sector);
    *physmem_host(driver->mem, driver->status) = 0xff;
    virtio_driver_describe(driver, 0, driver->header, 16, VIRTQ_NEXT, bytes ? 1 : 2);
    virtio_driver_describe(driver, 1, data, bytes, VIRTQ_NEXT | (type == VIRTIO_BLK_OUT ? 0 : VIRTQ_WRITE), 2);
    virtio_driver_describe(driver, 2, driver->status, 1, VIRTQ_WRITE, 0);
    virtio_driver_offer(driver, 0);
    virtio_put(driver, VIRTIO_QUEUE_NOTIFY, 0);
}

static inline uint8_t virtio_driver_status(struct virtio_driver *driver)
{
    return *physmem_host(driver->mem, driver->status);
}

static inline uint16_t virtio_driver_used_index(struct virtio_driver *driver)
{
    return guest_load16(driver->mem, driver->used + 2);
}

/* Head and written bytes of used entry INDEX. */
static inline uint32_t virtio_driver_used_head(struct virtio_driver *driver, uint16_t index)
{
    return guest_load32(driver->mem, driver->used + 4 + 8u * (index % driver->size));
}

static inline uint32_t virtio_driver_used_written(struct virtio_driver *driver, uint16_t index)
{
    return guest_load32(driver->mem, driver->used + 8 + 8u * (index % driver->size));
}

#endif
