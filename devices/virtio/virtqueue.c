/*
 * Split virtqueue with N descriptors (all fields little-endian; specification section 2.6):
 *
 *   descriptor table, 16-byte aligned: N x { u64 address; u32 length; u16 flags; u16 next }
 *                                      flags: 1 NEXT, 2 WRITE, 4 INDIRECT
 *   available ring, 2-byte aligned:    u16 flags (1 NO_INTERRUPT); u16 index; u16 head[N]; written by the driver
 *   used ring, 4-byte aligned:         u16 flags (1 NO_NOTIFY); u16 index; { u32 head; u32 written }[N]; written by the
 *                                      device
 */
#include "devices/virtio/virtqueue.h"

enum { DESC_NEXT = 1, DESC_WRITE = 2, DESC_INDIRECT = 4, AVAIL_NO_INTERRUPT = 1 };
enum { DESC_BYTES = 16, DESC_ALIGN = 16, AVAIL_ALIGN = 2, USED_ALIGN = 4 };
enum { RING_INDEX = 2, AVAIL_HEADS = 4, AVAIL_HEAD_BYTES = 2, USED_ENTRIES = 4, USED_ENTRY_BYTES = 8 };

#define CHAIN_MAX_BYTES (1ull << 32)

struct descriptor {
    uint64_t address;
    uint32_t length;
    uint16_t flags, next;
};

_Static_assert(sizeof(struct descriptor) == DESC_BYTES, "the descriptor as it lies in guest memory");

void virtqueue_reset(struct virtqueue *queue)
{
    *queue = (struct virtqueue){0};
}

const char *virtqueue_check(const struct virtqueue *queue)
{
    if (queue->size == 0 || queue->size > VIRTQUEUE_MAX_SIZE || (queue->size & (queue->size - 1)) != 0)
        return "queue size is not a power of two from 1 to 256";
    if (queue->desc % DESC_ALIGN || queue->avail % AVAIL_ALIGN || queue->used % USED_ALIGN)
        return "a ring is not aligned";
    return NULL;
}

const char *virtqueue_enable(struct virtqueue *queue)
{
    const char *wrong = virtqueue_check(queue);
    if (wrong)
        return wrong;
    queue->next_avail = queue->next_used = 0;
    queue->enabled = true;
    return NULL;
}

static enum virtqueue_result broken(const char **why, const char *text)
{
    *why = text;
    return VIRTQUEUE_BROKEN;
}

/* Address of a ring field. The guest chooses BASE: on overflow the result is UINT64_MAX, which is not RAM. */
static uint64_t ring_address(uint64_t base, uint64_t offset)
{
    return base > UINT64_MAX - offset ? UINT64_MAX : base + offset;
}

enum virtqueue_result virtqueue_peek(const struct virtqueue *queue, struct physmem *mem, const char **why)
{
    uint16_t index;
    if (!queue->enabled)
        return VIRTQUEUE_EMPTY;
    if (!physmem_dma_read(mem, ring_address(queue->avail, RING_INDEX), &index, sizeof index))
        return broken(why, "the available ring is not in RAM");
    uint16_t pending = index - queue->next_avail;
    if (pending > queue->size)
        return broken(why, "more buffers are available than the queue holds");
    return pending ? VIRTQUEUE_AVAILABLE : VIRTQUEUE_EMPTY;
}

/* Append a descriptor to the chain. NULL, or the reason why it is invalid. */
static const char *chain_add(struct virtqueue_chain *chain, const struct descriptor *descriptor)
{
    unsigned count = chain->readable + chain->writable;
    if (descriptor->flags & DESC_INDIRECT)
        return "an indirect descriptor, a feature that was not offered";
    if (descriptor->flags & DESC_WRITE) {
        chain->writable++;
        chain->write_bytes += descriptor->length;
    } else {
        if (chain->writable)
            return "a buffer to read follows one to write";
        chain->readable++;
        chain->read_bytes += descriptor->length;
    }
    if (chain->read_bytes + chain->write_bytes > CHAIN_MAX_BYTES)
        return "a chain is longer than 4 GB";
    chain->segments[count] = (struct virtqueue_segment){.address = descriptor->address, .length = descriptor->length};
    return NULL;
}

enum virtqueue_result virtqueue_pop_avail(struct virtqueue *queue, struct physmem *mem, struct virtqueue_chain *chain,
                                          const char **why)
{
    enum virtqueue_result result = virtqueue_peek(queue, mem, why);
    if (result != VIRTQUEUE_AVAILABLE)
        return result;
    uint64_t entry_offset = AVAIL_HEADS + AVAIL_HEAD_BYTES * (uint64_t)(queue->next_avail & (queue->size - 1));
    uint16_t head;
    if (!physmem_dma_read(mem, ring_address(queue->avail, entry_offset), &head, sizeof head))
        return broken(why, "the available ring is not in RAM");
    chain->head = head;
    chain->readable = chain->writable = 0;
    chain->read_bytes = chain->write_bytes = 0;

    uint16_t next = head;
    for (uint32_t i = 0; i < queue->size; i++) { /* a valid chain uses each descriptor at most once */
        struct descriptor descriptor;
        if (next >= queue->size)
            return broken(why, "a descriptor number beyond the queue's size");
        if (!physmem_dma_read(mem, ring_address(queue->desc, next * (uint64_t)DESC_BYTES), &descriptor, DESC_BYTES))
            return broken(why, "the descriptor table is not in RAM");
        const char *wrong = chain_add(chain, &descriptor);
        if (wrong)
            return broken(why, wrong);
        if (!(descriptor.flags & DESC_NEXT)) {
            queue->next_avail++;
            return VIRTQUEUE_AVAILABLE;
        }
        next = descriptor.next;
    }
    return broken(why, "a chain of descriptors loops");
}

bool virtqueue_push_used(struct virtqueue *queue, struct physmem *mem, uint16_t head, uint32_t written)
{
    uint32_t entry[2] = {head, written};
    uint64_t entry_offset = USED_ENTRIES + USED_ENTRY_BYTES * (uint64_t)(queue->next_used & (queue->size - 1));
    uint16_t index = queue->next_used + 1;
    if (!physmem_dma_write(mem, ring_address(queue->used, entry_offset), entry, sizeof entry) ||
        !physmem_dma_write(mem, ring_address(queue->used, RING_INDEX), &index, sizeof index))
        return false;
    queue->next_used = index;
    return true;
}

bool virtqueue_needs_notification(const struct virtqueue *queue, struct physmem *mem)
{
    uint16_t flags;
    return !physmem_dma_read(mem, queue->avail, &flags, sizeof flags) || !(flags & AVAIL_NO_INTERRUPT);
}

/* Copy between BUFFER and COUNT segments, addressed as one contiguous range. */
static bool copy(const struct virtqueue_segment *segments, unsigned count, struct physmem *mem, uint64_t offset,
                 uint8_t *to, const uint8_t *from, uint32_t size)
{
    for (unsigned i = 0; i < count && size > 0; i++) {
        if (offset >= segments[i].length) {
            offset -= segments[i].length;
            continue;
        }
        uint32_t part = segments[i].length - (uint32_t)offset;
        if (part > size)
            part = size;
        uint64_t address = ring_address(segments[i].address, offset);
        if (to ? !physmem_dma_read(mem, address, to, part) : !physmem_dma_write(mem, address, from, part))
            return false;
        if (to)
            to += part;
        else
            from += part;
        size -= part;
        offset = 0;
    }
    return size == 0;
}

bool virtqueue_chain_read(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset, void *buffer,
                          uint32_t size)
{
    return copy(chain->segments, chain->readable, mem, offset, buffer, NULL, size);
}

bool virtqueue_chain_write(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset,
                           const void *buffer, uint32_t size)
{
    return copy(chain->segments + chain->readable, chain->writable, mem, offset, NULL, buffer, size);
}

bool virtqueue_chain_is_ram(const struct virtqueue_chain *chain, const struct physmem *mem)
{
    for (unsigned i = 0; i < chain->readable + chain->writable; i++)
        if (!(i < chain->readable ? physmem_is_ram : physmem_is_writable)(mem, chain->segments[i].address,
                                                                          chain->segments[i].length))
            return false;
    return true;
}
