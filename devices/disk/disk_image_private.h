/*
 * The image structure, private to devices/disk/disk_image*.c.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_IMAGE_PRIVATE_H
#define SIMOS_DEVICES_DISK_DISK_IMAGE_PRIVATE_H

#include "devices/disk/disk_image.h"

struct disk_image {
    int fd;
    enum disk_mode mode;
    bool drops_zeros;             /* disk_image_drop_zeros() */
    uint64_t size;                /* bytes */
    struct disk_overlay *overlay; /* copy-on-write; otherwise NULL */
    /* For a series of checkpoints (struct saved_parts): number of the file that holds each block of the overlay; NULL
     * without a series. Blocks written now are saved in file number NEXT_FILE. */
    uint32_t *files, next_file;
    uint64_t failures; /* writes and flushes that the host refused */
    int failure;       /* errno of the first */
};

#endif
