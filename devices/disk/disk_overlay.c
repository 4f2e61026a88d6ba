/* Dispatch for both kinds of overlay, and the overlay in memory. */
#include "devices/disk/disk_overlay_private.h"
#include "src/base/hash_map.h"
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

struct memory_overlay {
    struct disk_overlay overlay;
    struct hash_map blocks; /* by number of the block in the image: its DISK_BLOCK_SIZE bytes */
};

static void memory_close(struct disk_overlay *overlay)
{
    struct memory_overlay *memory = (struct memory_overlay *)overlay;
    for (struct hash_slot *slot = hash_map_next(&memory->blocks, NULL); slot;
         slot = hash_map_next(&memory->blocks, slot))
        free(slot->pointer);
    hash_map_release(&memory->blocks);
    free(memory);
}

static uint8_t *find(const struct disk_overlay *overlay, uint64_t block)
{
    const struct hash_slot *slot = hash_map_find(&((const struct memory_overlay *)overlay)->blocks, block);
    return slot ? slot->pointer : NULL;
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
        if (!hash_map_reserve(&memory->blocks, memory->blocks.count + 1))
            return false;
        bytes = malloc(DISK_BLOCK_SIZE);
        if (!bytes)
            return false;
        hash_map_add(&memory->blocks, block)->pointer = bytes;
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
