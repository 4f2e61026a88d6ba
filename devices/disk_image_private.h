/*
 * What an image is inside: for devices/disk_image*.c only.
 */
#ifndef SIMOS_DISK_IMAGE_PRIVATE_H
#define SIMOS_DISK_IMAGE_PRIVATE_H

#include "devices/disk_image.h"

struct disk_image {
    int fd;
    enum disk_mode mode;
    uint64_t size;                /* bytes */
    struct disk_overlay *overlay; /* copy on write; otherwise NULL */
};

#endif
