/*
 * The contents of a disk: a raw image file, seen as 512-byte sectors.
 *
 * The file is opened for reading only and never changed, unless write-through is asked for: writes go into an overlay
 * (devices/disk/disk_overlay.h), 4 KB block by block, in memory, where closing forgets it, or in a file of its own.
 *
 * A file whose size is not a multiple of 512 bytes is refused: a last partial sector could be neither shown to the
 * guest nor written back without inventing bytes.
 *
 * Not modelled: partitions, image formats other than raw, time (devices/disk/disk.h).
 */
#ifndef SIMOS_DISK_IMAGE_H
#define SIMOS_DISK_IMAGE_H

#include "devices/disk/disk_overlay.h"
#include "src/base/log.h"
#include "src/base/saved.h"
#include "src/base/types.h"

enum { DISK_SECTOR_SIZE = 512 };

enum disk_mode {
    DISK_COPY_ON_WRITE, /* the guest may write; the file stays as it is */
    DISK_READ_ONLY,     /* the guest may not write */
    DISK_WRITE_THROUGH, /* the guest's writes go into the file */
};

struct disk_image;

/* Open the regular file or block device PATH. NULL with ERR naming it if it is missing, unreadable (or not writable
 * for write-through), empty, not a file, of a size that is not a multiple of 512, or in use: what is written through
 * must not be open as another disk, here or in another process (advisory locks, flock(2)). */
struct disk_image *disk_image_open(const char *path, enum disk_mode mode, struct err *err);

/* The same of an open file FD (also one without a name: memfd_create(2)), which is the image's from now on, and closed
 * on failure too. NAME is for messages. */
struct disk_image *disk_image_open_fd(int fd, enum disk_mode mode, const char *name, struct err *err);

/* The image PATH, copy on write, with its overlay in the file OVERLAY, which is made if it is not there. */
struct disk_image *disk_image_open_overlay(const char *path, const char *overlay, struct err *err);

/* What was not flushed of a file is not forced to the host's disk, but is there unless the host crashes. */
void disk_image_close(struct disk_image *image);

/* The image's file, open for reading, for looking at what file it is. It stays the image's. */
int disk_image_file(const struct disk_image *image);

/* Size in sectors of DISK_SECTOR_SIZE bytes; at least 1. */
uint64_t disk_image_sectors(const struct disk_image *image);
bool disk_image_is_read_only(const struct disk_image *image);

/* Copy SIZE bytes from or to byte OFFSET; any offset and size are safe. False on a range beyond the end, a host error,
 * no memory for the overlay, or a write to a read-only image; a failed write may have been done in part. */
bool disk_image_read(struct disk_image *image, uint64_t offset, void *buffer, uint32_t size);
bool disk_image_write(struct disk_image *image, uint64_t offset, const void *buffer, uint32_t size);

/* Has the disk an ext2, ext3 or ext4 file system, by the magic number of its superblock (Linux's fs/ext4/ext4.h)? */
bool disk_image_has_ext(struct disk_image *image);

/* Force what was written to stable storage: into the image, or into the overlay's file. False on a host error. */
bool disk_image_flush(struct disk_image *image);

/* Add the section NAME: the image's size, and the overlay's blocks. It is loaded into a copy-on-write disk of the same
 * image whose overlay is empty; that the image is the same is the caller's to see to. What was written through is in
 * the image, not in the section: see below. */
void disk_image_register_saved(struct disk_image *image, struct saved *saved, const char *name);

/* Does what disk_image_register_saved() adds hold all that the guest wrote? False: written through. */
bool disk_image_can_be_saved(const struct disk_image *image);

/* Bytes the overlay holds. */
uint64_t disk_image_overlay_bytes(const struct disk_image *image);

#endif
