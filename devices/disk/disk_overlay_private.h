/*
 * Operations of the two kinds of overlay, private to devices/disk/disk_overlay*.c.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_OVERLAY_PRIVATE_H
#define SIMOS_DEVICES_DISK_DISK_OVERLAY_PRIVATE_H

#include "devices/disk/disk_overlay.h"

struct disk_overlay_ops {
    void (*close)(struct disk_overlay *overlay);
    bool (*has)(const struct disk_overlay *overlay, uint64_t block);
    bool (*read)(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer, uint32_t size);
    bool (*write)(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer, uint32_t size);
    bool (*flush)(struct disk_overlay *overlay);
};

/* First member of both kinds of overlay. */
struct disk_overlay {
    const struct disk_overlay_ops *ops;
    uint64_t count; /* blocks in the overlay */
};

#endif
