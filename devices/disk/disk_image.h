/*
 * The contents of a disk: a raw image file, accessed as 512-byte sectors.
 *
 * The file is opened read-only and never changed, unless write-through is requested: writes go to a copy-on-write
 * overlay (devices/disk/disk_overlay.h) in blocks of 4 KB. The overlay is in memory and discarded when the image is
 * closed, or in a file.
 *
 * A file whose size is not a multiple of 512 bytes is rejected: a partial last sector could be neither shown to the
 * guest nor written back without made-up bytes.
 *
 * Files of other image formats are rejected (devices/disk/disk_format.h). Not modelled: time (devices/disk/disk.h).
 */
#ifndef SIMOS_DEVICES_DISK_DISK_IMAGE_H
#define SIMOS_DEVICES_DISK_DISK_IMAGE_H

#include "devices/disk/disk_overlay.h"
#include "src/base/log.h"
#include "src/base/saved.h"
#include "src/base/types.h"

enum { DISK_SECTOR_SIZE = 512 };

enum disk_mode {
    DISK_COPY_ON_WRITE, /* the guest may write; the file does not change */
    DISK_READ_ONLY,     /* the guest may not write */
    DISK_WRITE_THROUGH, /* guest writes go to the file */
};

struct disk_image;

/* Open the regular file or block device PATH. NULL with ERR naming it if it is missing, unreadable (or not writable for
 * write-through), empty, not a file, of a size that is not a multiple of 512, of another format than raw, or in use: an
 * image open for write-through must not be open as another disk, in this or another process (advisory locks, flock(2)).
 */
struct disk_image *disk_image_open(const char *path, enum disk_mode mode, struct err *err);

/* As disk_image_open(), on the open file FD (also one without a name: memfd_create(2)). The image takes ownership of FD
 * and closes it on failure too. NAME is used in messages. */
struct disk_image *disk_image_open_fd(int fd, enum disk_mode mode, const char *name, struct err *err);

/* Open the image PATH copy-on-write, with its overlay in the file OVERLAY, which is created if missing. */
struct disk_image *disk_image_open_overlay(const char *path, const char *overlay, struct err *err);

/* Close the image. Writes that were not flushed are not forced to stable storage; they survive unless the host
 * crashes. */
void disk_image_close(struct disk_image *image);

/* File descriptor of the image, for identifying the file. The image keeps ownership. */
int disk_image_file(const struct disk_image *image);

/* Size in sectors of DISK_SECTOR_SIZE bytes; at least 1. */
uint64_t disk_image_sectors(const struct disk_image *image);
bool disk_image_is_read_only(const struct disk_image *image);

/* Copy SIZE bytes from or to byte OFFSET; any offset and size are safe. False for a range beyond the end, a host error,
 * lack of memory for the overlay, or a write to a read-only image; a failed write may have been done in part. */
bool disk_image_read(struct disk_image *image, uint64_t offset, void *buffer, uint32_t size);
bool disk_image_write(struct disk_image *image, uint64_t offset, const void *buffer, uint32_t size);

/* Does the disk hold an ext2, ext3 or ext4 file system, by the magic number of the superblock (Linux's
 * fs/ext4/ext4.h)? */
bool disk_image_has_ext(struct disk_image *image);

/* From now on do not keep a written block of zeros where the image has zeros too: a guest that writes a sparse file
 * takes no memory for its holes. */
void disk_image_drop_zeros(struct disk_image *image);

/* Force all writes to stable storage: to the image, or to the overlay file. False on a host error. */
bool disk_image_flush(struct disk_image *image);

/* Call at the end of a run: completes the overlay file. The number of writes and flushes that the host has refused,
 * with the errno of the first in *REASON; 0: all that the guest wrote is there. */
uint64_t disk_image_finish(struct disk_image *image, int *reason);

/* Register the saved section NAME: the image's size and the blocks of the overlay. It can be loaded only into a
 * copy-on-write disk of the same image with an empty overlay; the caller ensures that the image is the same. Data
 * written through is in the image, not in the section: see disk_image_can_be_saved(). */
void disk_image_register_saved(struct disk_image *image, struct saved *saved, const char *name);

/* Does the section of disk_image_register_saved() hold everything that the guest wrote? False for write-through. */
bool disk_image_can_be_saved(const struct disk_image *image);

/* Bytes in the overlay. */
uint64_t disk_image_overlay_bytes(const struct disk_image *image);

#endif
