/* Dispatch for both kinds of overlay, and the overlay in memory. */
#include "devices/disk/disk_overlay_private.h"
#include <stdlib.h>
#include <string.h>

void disk_overlay_close(struct disk_overlay *overlay)
{
    if (overlay)
        overlay->ops->close(overlay);
}

bool disk_overlay_has(const struct disk_overlay *overlay, uint64_t block)
{
    return overlay->count && overlay->ops->has(overlay, block);
}

bool disk_overlay_read(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer, uint32_t size)
{
    return overlay->ops->read(overlay, block, offset, buffer, size);
}

bool disk_overlay_write(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer,
                        uint32_t size)
{
    return overlay->ops->write(overlay, block, offset, buffer, size);
}

bool disk_overlay_flush(struct disk_overlay *overlay)
{
    return overlay->ops->flush(overlay);
}

uint64_t disk_overlay_count(const struct disk_overlay *overlay)
{
    return overlay->count;
}

/* ---- in memory ---- */

enum { FIRST_CAPACITY = 256 }; /* slots; a power of two */

/* One changed block. */
struct slot {
    uint64_t block; /* number of the block in the image */
    uint8_t *bytes; /* DISK_BLOCK_SIZE bytes; NULL = free slot */
};

/* Hash table with open addressing, at most three quarters full. The order of its slots affects no result. */
struct memory_overlay {
    struct disk_overlay overlay;
    struct slot *slots;
    uint64_t capacity;
};

static void memory_close(struct disk_overlay *overlay)
{
    struct memory_overlay *memory = (struct memory_overlay *)overlay;
    for (uint64_t i = 0; i < memory->capacity; i++)
        free(memory->slots[i].bytes);
    free(memory->slots);
    free(memory);
}

/* The slot that holds BLOCK, or the free slot for it. */
static struct slot *find_slot(struct slot *slots, uint64_t capacity, uint64_t block)
{
    uint64_t slot_number = (block * 0x9e3779b97f4a7c15u) >> 32; /* Knuth's multiplicative hash */
    while (slots[slot_number & (capacity - 1)].bytes && slots[slot_number & (capacity - 1)].block != block)
        slot_number++;
    return &slots[slot_number & (capacity - 1)];
}

static uint8_t *find(const struct disk_overlay *overlay, uint64_t block)
{
    const struct memory_overlay *memory = (const struct memory_overlay *)overlay;
    return overlay->count ? find_slot(memory->slots, memory->capacity, block)->bytes : NULL;
}

static bool grow(struct memory_overlay *memory)
{
    uint64_t capacity = memory->capacity ? 2 * memory->capacity : FIRST_CAPACITY;
    struct slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t i = 0; i < memory->capacity; i++)
        if (memory->slots[i].bytes)
            *find_slot(slots, capacity, memory->slots[i].block) = memory->slots[i];
    free(memory->slots);
    memory->slots = slots;
    memory->capacity = capacity;
    return true;
}

static bool memory_has(const struct disk_overlay *overlay, uint64_t block)
{
    return find(overlay, block) != NULL;
}

static bool memory_read(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer,
                        uint32_t size)
{
    memcpy(buffer, find(overlay, block) + offset, size);
    return true;
}

static bool memory_write(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer,
                         uint32_t size)
{
    struct memory_overlay *memory = (struct memory_overlay *)overlay;
    uint8_t *bytes = find(overlay, block);
    if (!bytes) {
        if (4 * (overlay->count + 1) > 3 * memory->capacity && !grow(memory))
            return false;
        bytes = malloc(DISK_BLOCK_SIZE);
        if (!bytes)
            return false;
        *find_slot(memory->slots, memory->capacity, block) = (struct slot){.block = block, .bytes = bytes};
        overlay->count++;
    }
    memcpy(bytes + offset, buffer, size);
    return true;
}

static bool memory_flush(struct disk_overlay *overlay)
{
    (void)overlay;
    return true;
}

static const struct disk_overlay_ops memory_ops = {
    .close = memory_close, .has = memory_has, .read = memory_read, .write = memory_write, .flush = memory_flush};

struct disk_overlay *disk_overlay_create(void)
{
    struct memory_overlay *memory = checked_memory(calloc(1, sizeof *memory));
    memory->overlay.ops = &memory_ops;
    return &memory->overlay;
}
