/*
 * Copy-on-write overlay: the changed blocks of an unchanged disk image, kept in memory (lost when the disk is closed)
 * or in a file, which later runs continue.
 *
 * Overlay file (all numbers little-endian):
 *
 *   0      header, one block: "simosovl", u32 version 1, u32 block size 4096, u64 bytes of the image,
 *          u64 fingerprint of the image, u64 checksum of the header up to here; the rest 0
 *   4096   index: one bit per block of the image, least significant bit first, 1 = the block is in the overlay; padded
 *          to whole blocks
 *   ...    block N of the image at N * 4096 behind the index; the file is sparse
 *
 * After a kill or a host crash the file holds all writes up to the last flush, and any subset of later ones, as on a
 * drive with a write cache. Therefore only a flush writes the index: it first forces the data blocks to stable storage,
 * then writes the index and forces it too. A block with a clear index bit is invalid whatever the file holds there, so
 * the file is always a consistent overlay.
 *
 * The fingerprint is that of devices/disk/disk_file.h.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_OVERLAY_H
#define SIMOS_DEVICES_DISK_DISK_OVERLAY_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { DISK_BLOCK_SIZE = 4096 };

/* Maximum bytes of an image with an overlay file: bounds the size of the in-memory index (128 MB). */
#define DISK_OVERLAY_IMAGE_MAX (4ull << 40)

struct disk_overlay;

/* Create an empty overlay in memory. Never NULL. */
struct disk_overlay *disk_overlay_create(void);

/* Open the overlay file PATH for the image open as IMAGE, SIZE bytes, called NAME in messages; an empty or missing file
 * becomes an empty overlay. NULL with ERR if the file cannot be opened, is in use, is not an overlay or belongs to
 * another image, or if the image is larger than DISK_OVERLAY_IMAGE_MAX. */
struct disk_overlay *disk_overlay_open(const char *path, int image, uint64_t size, const char *name, struct err *err);

/* Close the overlay. An overlay file is flushed first. NULL is allowed. */
void disk_overlay_close(struct disk_overlay *overlay);

/* Is BLOCK (of the image) in the overlay? */
bool disk_overlay_has(const struct disk_overlay *overlay, uint64_t block);

/* Copy SIZE bytes at OFFSET of BLOCK, which must be in the overlay; the range must lie in the block. False on a host
 * error. */
bool disk_overlay_read(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer,
                       uint32_t size);

/* Write SIZE bytes at OFFSET of BLOCK. For a block not yet in the overlay the range must be the whole block. False on a
 * host error or lack of memory; the block is then not added. */
bool disk_overlay_write(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer,
                        uint32_t size);

/* Overlay file: force all writes and the index to stable storage. False on a host error. */
bool disk_overlay_flush(struct disk_overlay *overlay);

/* Number of blocks in the overlay. */
uint64_t disk_overlay_count(const struct disk_overlay *overlay);

#endif
