#include "devices/disk/disk_image_private.h"
#include "devices/disk/disk_file.h"
#include "devices/disk/disk_format.h"
#include "src/base/input_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Size in bytes of the file FD; 0 with ERR if it cannot be a disk. */
static uint64_t size_of(int fd, const char *name, struct err *err)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        err_set(err, "disk image %s: %s", name, strerror(errno));
        return 0;
    }
    if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) {
        err_set(err, "disk image %s: neither a file nor a block device", name);
        return 0;
    }
    off_t size = lseek(fd, 0, SEEK_END);
    if (size > 0 && !disk_format_check(fd, (uint64_t)size, name, err))
        return 0;
    if (size <= 0 || size % DISK_SECTOR_SIZE != 0) {
        err_set(err, "disk image %s: its size, %lld bytes, is not a positive multiple of %d", name, (long long)size,
                DISK_SECTOR_SIZE);
        return 0;
    }
    return (uint64_t)size;
}

struct disk_image *disk_image_open_fd(int fd, enum disk_mode mode, const char *name, struct err *err)
{
    uint64_t size = size_of(fd, name, err);
    if (!size || !disk_file_lock(fd, mode == DISK_WRITE_THROUGH, "disk image", name, err)) {
        close(fd);
        return NULL;
    }
    struct disk_image *image = checked_memory(calloc(1, sizeof *image));
    image->fd = fd;
    image->mode = mode;
    image->size = size;
    if (mode == DISK_COPY_ON_WRITE)
        image->overlay = disk_overlay_create();
    return image;
}

struct disk_image *disk_image_open(const char *path, enum disk_mode mode, struct err *err)
{
    struct err reason = {""};
    int fd = input_file_open_at(INPUT_DISK, AT_FDCWD, path, mode == DISK_WRITE_THROUGH ? O_RDWR : 0, NULL, &reason);
    if (fd < 0) {
        err_set(err, "disk image %.300s: %s", path, reason.text);
        return NULL;
    }
    return disk_image_open_fd(fd, mode, path, err);
}

struct disk_image *disk_image_open_overlay(const char *path, const char *overlay, struct err *err)
{
    struct disk_image *image = disk_image_open(path, DISK_READ_ONLY, err);
    if (!image)
        return NULL;
    image->mode = DISK_COPY_ON_WRITE;
    image->overlay = disk_overlay_open(overlay, image->fd, image->size, path, err);
    if (image->overlay)
        return image;
    disk_image_close(image);
    return NULL;
}

void disk_image_close(struct disk_image *image)
{
    if (!image)
        return;
    disk_overlay_close(image->overlay);
    close(image->fd);
    free(image->files);
    free(image);
}

int disk_image_file(const struct disk_image *image)
{
    return image->fd;
}

uint64_t disk_image_sectors(const struct disk_image *image)
{
    return image->size / DISK_SECTOR_SIZE;
}

bool disk_image_is_read_only(const struct disk_image *image)
{
    return image->mode == DISK_READ_ONLY;
}

uint64_t disk_image_overlay_bytes(const struct disk_image *image)
{
    return image->overlay ? disk_overlay_count(image->overlay) * DISK_BLOCK_SIZE : 0;
}

/* Bytes of BLOCK inside the image: less than a full block for the last one. */
static size_t block_size(const struct disk_image *image, uint64_t block)
{
    uint64_t rest = image->size - block * DISK_BLOCK_SIZE;
    return rest < DISK_BLOCK_SIZE ? (size_t)rest : DISK_BLOCK_SIZE;
}

static bool in_range(const struct disk_image *image, uint64_t offset, uint32_t size)
{
    return offset <= image->size && size <= image->size - offset;
}

/* Bytes of [offset, offset+size) that lie in the first block it touches. */
static uint32_t block_part(uint64_t offset, uint32_t size)
{
    uint32_t part = DISK_BLOCK_SIZE - (uint32_t)(offset % DISK_BLOCK_SIZE);
    return part < size ? part : size;
}

bool disk_image_read(struct disk_image *image, uint64_t offset, void *buffer, uint32_t size)
{
    uint8_t *to = buffer;
    if (!in_range(image, offset, size))
        return false;
    if (!image->overlay || disk_overlay_count(image->overlay) == 0)
        return disk_file_read(image->fd, offset, to, size);
    while (size > 0) {
        uint32_t part = block_part(offset, size);
        uint64_t block = offset / DISK_BLOCK_SIZE;
        if (!(disk_overlay_has(image->overlay, block)
                  ? disk_overlay_read(image->overlay, block, (uint32_t)(offset % DISK_BLOCK_SIZE), to, part)
                  : disk_file_read(image->fd, offset, to, part)))
            return false;
        to += part;
        offset += part;
        size -= part;
    }
    return true;
}

bool disk_image_has_ext(struct disk_image *image)
{
    enum { MAGIC_AT = 1024 + 56 }; /* offset of the magic number: superblock, field */
    static const uint8_t expected[] = {0x53, 0xef};
    uint8_t magic[sizeof expected];
    return disk_image_read(image, MAGIC_AT, magic, sizeof magic) && memcmp(magic, expected, sizeof magic) == 0;
}

static bool write_block(struct disk_image *image, uint64_t block, uint32_t in_block, const uint8_t *from, uint32_t size)
{
    if (image->files)
        image->files[block] = image->next_file;
    return disk_overlay_write(image->overlay, block, in_block, from, size);
}

void disk_image_drop_zeros(struct disk_image *image)
{
    image->drops_zeros = true;
}

static bool is_zero(const uint8_t *bytes)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, DISK_BLOCK_SIZE - 1) == 0;
}

/* Write PART bytes inside one block. A block not yet in the overlay is first filled from the image. */
static bool overlay_part(struct disk_image *image, uint64_t offset, const uint8_t *from, uint32_t part)
{
    uint64_t block = offset / DISK_BLOCK_SIZE;
    uint32_t in_block = (uint32_t)(offset % DISK_BLOCK_SIZE);
    uint8_t whole[DISK_BLOCK_SIZE] = {0};
    if (image->drops_zeros && part == DISK_BLOCK_SIZE && !disk_overlay_has(image->overlay, block) && is_zero(from) &&
        disk_file_read(image->fd, block * DISK_BLOCK_SIZE, whole, DISK_BLOCK_SIZE) && is_zero(whole))
        return true;
    if (disk_overlay_has(image->overlay, block) || part == DISK_BLOCK_SIZE)
        return write_block(image, block, in_block, from, part);
    size_t size = block_size(image, block);
    if (part != size && !disk_file_read(image->fd, block * DISK_BLOCK_SIZE, whole, size))
        return false;
    memcpy(whole + in_block, from, part);
    return write_block(image, block, 0, whole, DISK_BLOCK_SIZE);
}

/* Note a write or flush that the host refused, with errno. Returns false. */
static bool host_refused(struct disk_image *image)
{
    if (image->failures++ == 0)
        image->failure = errno;
    return false;
}

bool disk_image_write(struct disk_image *image, uint64_t offset, const void *buffer, uint32_t size)
{
    const uint8_t *from = buffer;
    if (image->mode == DISK_READ_ONLY || !in_range(image, offset, size))
        return false;
    if (image->mode == DISK_WRITE_THROUGH)
        return disk_file_write(image->fd, offset, from, size) || host_refused(image);
    while (size > 0) {
        uint32_t part = block_part(offset, size);
        if (!overlay_part(image, offset, from, part))
            return host_refused(image);
        from += part;
        offset += part;
        size -= part;
    }
    return true;
}

bool disk_image_flush(struct disk_image *image)
{
    return (image->mode == DISK_WRITE_THROUGH ? fdatasync(image->fd) == 0
                                              : !image->overlay || disk_overlay_flush(image->overlay)) ||
           host_refused(image);
}

uint64_t disk_image_finish(struct disk_image *image, int *reason)
{
    if (image->overlay && !disk_overlay_flush(image->overlay))
        host_refused(image);
    *reason = image->failure;
    return image->failures;
}
