/*
 * What an image is inside: for devices/disk_image*.c only.
 */
#ifndef SIMOS_DISK_IMAGE_PRIVATE_H
#define SIMOS_DISK_IMAGE_PRIVATE_H

#include "devices/disk/disk_image.h"

struct disk_image {
    int fd;
    enum disk_mode mode;
    uint64_t size;                /* bytes */
    struct disk_overlay *overlay; /* copy on write; otherwise NULL */
    /* Of a series of checkpoints (struct saved_parts): which file holds each block of the overlay; NULL: there is none.
     * What is written now will be in file number NEXT_FILE. */
    uint32_t *files, next_file;
};

#endif
