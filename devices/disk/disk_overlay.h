/*
 * The changed blocks of a disk image that is itself not changed: kept in memory (gone with the disk), or in a file of
 * its own that the next run goes on with.
 *
 * An overlay file (all numbers little-endian):
 *
 *   0      header, one block: "simosovl", u32 version 1, u32 block size 4096, u64 bytes of the image,
 *          u64 fingerprint of the image, u64 checksum of the header up to here; the rest 0
 *   4096   index: one bit a block of the image, least significant bit first, 1 = the block is here; whole blocks of it
 *   ...    block N of the image at N * 4096 behind the index; the file is sparse
 *
 * What is in it after a kill, or a crash of the host: everything that was flushed; of what was written after the last
 * flush any part, as on a drive with a write cache. For that the index is written by flush only, after the blocks that
 * it names have been forced to the host's disk, and is then forced there too; a block whose bit is not set does not
 * count, whatever is in its place. The file always reads back as an overlay.
 *
 * The fingerprint is that of devices/disk/disk_file.h.
 */
#ifndef SIMOS_DISK_OVERLAY_H
#define SIMOS_DISK_OVERLAY_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { DISK_BLOCK_SIZE = 4096 };

/* Bytes of an image that has an overlay file: a bound on its index, which is in memory (128 MB). */
#define DISK_OVERLAY_IMAGE_MAX (4ull << 40)

struct disk_overlay;

/* An empty overlay in memory. Never NULL. */
struct disk_overlay *disk_overlay_create(void);

/* The overlay in the file PATH of the image that is open as IMAGE, SIZE bytes, called NAME; an empty or missing file
 * becomes an empty overlay. NULL with ERR if it cannot be used, is in use, is none, or belongs to another image, or if
 * that is larger than DISK_OVERLAY_IMAGE_MAX. */
struct disk_overlay *disk_overlay_open(const char *path, int image, uint64_t size, const char *name, struct err *err);

/* A file's index is brought up to date, as by a flush. NULL is allowed. */
void disk_overlay_close(struct disk_overlay *overlay);

/* Is BLOCK (of the image) here? */
bool disk_overlay_has(const struct disk_overlay *overlay, uint64_t block);

/* Copy SIZE bytes at OFFSET of BLOCK, which is here; they do not reach beyond it. False: the host cannot. */
bool disk_overlay_read(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer,
                       uint32_t size);

/* The same the other way. A block that is not here yet is written whole. False: the host cannot, or has no memory; a
 * block that was not here is then still not. */
bool disk_overlay_write(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer,
                        uint32_t size);

/* A file: everything written is on the host's disk, and will be found. False: it is not. */
bool disk_overlay_flush(struct disk_overlay *overlay);

/* Blocks that are here. */
uint64_t disk_overlay_count(const struct disk_overlay *overlay);

#endif
