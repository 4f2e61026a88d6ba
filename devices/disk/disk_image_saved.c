/*
 * A disk image in a checkpoint: u64 size, u64 number of overlay blocks, then for each block in ascending order: u64
 * number, u32 1 (0: it could not be read), 4096 bytes. A file of a checkpoint series holds only the blocks that it
 * owns; the others are in earlier files of the series. In version 1 a fingerprint of the image followed the size.
 */
#include "devices/disk/disk_file.h"
#include "devices/disk/disk_image_private.h"
#include <stdlib.h>

bool disk_image_can_be_saved(const struct disk_image *image)
{
    return image->mode != DISK_WRITE_THROUGH;
}

/* Version 1: does the fingerprint match the image? 0, which a valid fingerprint has with probability 2^-64, stands for
 * an unreadable image. */
static bool read_fingerprint(const struct disk_image *image, struct saved_in *in, struct err *err)
{
    uint64_t value, here;
    if (!disk_file_fingerprint(image->fd, image->size, &here))
        here = 0;
    return saved_get_u64(in, &value) &&
           (value == here || err_set(err, "the disk image is not the saved one, or has changed"));
}

static uint64_t overlay_count(const struct disk_image *image)
{
    return image->overlay ? disk_overlay_count(image->overlay) : 0;
}

/* The first overlay block with a number of at least BLOCK. It must exist. */
static uint64_t next_block(const struct disk_image *image, uint64_t block)
{
    while (!disk_overlay_has(image->overlay, block))
        block++;
    return block;
}

/* Does the overlay block BLOCK belong to the file that is being written? */
static bool is_own(const struct disk_image *image, uint64_t block, bool part)
{
    return !part || image->files[block] + 1 == image->next_file;
}

static void put_block(const struct disk_image *image, uint64_t block, struct saved_out *out)
{
    uint8_t bytes[DISK_BLOCK_SIZE] = {0};
    saved_put_u64(out, block);
    saved_put_u32(out, disk_overlay_read(image->overlay, block, 0, bytes, sizeof bytes));
    saved_put(out, bytes, sizeof bytes);
}

static void image_write(void *base, struct saved_out *out)
{
    const struct disk_image *image = base;
    uint64_t left = overlay_count(image), own = 0;
    for (uint64_t i = 0, block = 0; i < left; i++, block++) {
        block = next_block(image, block);
        own += is_own(image, block, out->series);
    }
    saved_put_u64(out, image->size);
    saved_put_u64(out, own);
    for (uint64_t block = 0; own > 0; block++) {
        block = next_block(image, block);
        if (!is_own(image, block, out->series))
            continue;
        put_block(image, block, out);
        own--;
    }
}

static bool read_blocks(struct disk_image *image, struct saved_in *in, uint64_t count, struct err *err)
{
    uint64_t blocks = (image->size + DISK_BLOCK_SIZE - 1) / DISK_BLOCK_SIZE, least = 0;
    while (count-- > 0) {
        uint8_t bytes[DISK_BLOCK_SIZE];
        uint64_t block;
        uint32_t readable;
        if (!saved_get_u64(in, &block) || !saved_get_u32(in, &readable) || !saved_get(in, bytes, sizeof bytes))
            return false;
        if (block < least || block >= blocks || readable != 1)
            return err_set(err, "block %llu of the disk is damaged", (unsigned long long)block);
        if (!disk_overlay_write(image->overlay, block, 0, bytes, sizeof bytes))
            return err_set(err, "block %llu of the disk cannot be written to the overlay", (unsigned long long)block);
        least = block + 1;
    }
    return true;
}

static bool image_read(void *base, struct saved_in *in, struct err *err)
{
    struct disk_image *image = base;
    uint64_t size, count;
    if (!saved_get_u64(in, &size))
        return false;
    if (size != image->size)
        return err_set(err, "the disk's image has %llu bytes, not %llu", (unsigned long long)image->size,
                       (unsigned long long)size);
    if ((in->version == 1 && !read_fingerprint(image, in, err)) || !saved_get_u64(in, &count))
        return false;
    if (count == 0)
        return true;
    if (!image->overlay)
        return err_set(err, "the disk was written before it was saved: it must be copy-on-write here");
    if (disk_overlay_count(image->overlay) && !in->continues)
        return err_set(err, "the disk's overlay is not empty");
    return read_blocks(image, in, count, err);
}

/* Checkpoint series */

static void begin_part(void *base, uint32_t number)
{
    struct disk_image *image = base;
    if (!image->files && image->overlay) /* blocks already in the overlay belong to file 0 */
        image->files =
            checked_memory(calloc((image->size + DISK_BLOCK_SIZE - 1) / DISK_BLOCK_SIZE, sizeof *image->files));
    image->next_file = number + 1;
}

static void count_parts(const void *base, uint64_t *units)
{
    const struct disk_image *image = base;
    uint64_t left = overlay_count(image);
    for (uint64_t block = 0; left > 0; block++, left--) {
        block = next_block(image, block);
        units[image->files[block]]++;
    }
}

static void take_over_part(void *base, uint32_t file)
{
    struct disk_image *image = base;
    uint64_t left = overlay_count(image);
    for (uint64_t block = 0; left > 0; block++, left--) {
        block = next_block(image, block);
        if (image->files[block] == file)
            image->files[block] = image->next_file - 1;
    }
}

static const struct saved_parts image_parts = {begin_part, count_parts, take_over_part};

void disk_image_register_saved(struct disk_image *image, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.write = image_write, .read = image_read, .parts = &image_parts};
    saved_add(saved, &(struct saved_section){.name = name, .version = 2, .oldest = 1, .base = image, .ops = &ops});
}
