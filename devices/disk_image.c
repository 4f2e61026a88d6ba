#include "devices/disk_image.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 256 }; /* overlay slots; a power of two */

/* One changed block. */
struct overlay_slot {
    uint64_t block; /* number of the block in the image */
    uint8_t *bytes; /* DISK_BLOCK_SIZE of them; NULL = free slot */
};

struct disk_image {
    int fd;
    enum disk_mode mode;
    uint64_t size; /* bytes */
    /* Open hash table, at most three quarters full. Nothing depends on its order. */
    struct overlay_slot *slots;
    uint64_t capacity, used;
};

/* Nobody else writes what we have open, and nobody has open what we write: neither another disk of this machine nor
 * another process. A file system that knows no such locks is not asked to. */
static bool lock(int fd, const char *name, enum disk_mode mode, struct err *err)
{
    int operation = mode == DISK_WRITE_THROUGH ? LOCK_EX : LOCK_SH;
    if (flock(fd, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return err_set(err, "disk image %s: in use by another disk, or another simulator, and one of the two writes it",
                       name);
    return true;
}

/* The size of what FD is, in bytes; 0 with ERR if it cannot be a disk. */
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
    if (!size || !lock(fd, name, mode, err)) {
        close(fd);
        return NULL;
    }
    struct disk_image *image = checked_memory(calloc(1, sizeof *image));
    image->fd = fd;
    image->mode = mode;
    image->size = size;
    return image;
}

struct disk_image *disk_image_open(const char *path, enum disk_mode mode, struct err *err)
{
    /* Not blocking, so that a pipe given by mistake is refused below instead of waited for. */
    int fd = open(path, (mode == DISK_WRITE_THROUGH ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        err_set(err, "disk image %s: %s", path, strerror(errno));
        return NULL;
    }
    return disk_image_open_fd(fd, mode, path, err);
}

void disk_image_close(struct disk_image *image)
{
    if (!image)
        return;
    for (uint64_t i = 0; i < image->capacity; i++)
        free(image->slots[i].bytes);
    free(image->slots);
    close(image->fd);
    free(image);
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
    return image->used * DISK_BLOCK_SIZE;
}

static bool file_read(const struct disk_image *image, uint64_t offset, uint8_t *buffer, size_t size)
{
    while (size > 0) {
        ssize_t done = pread(image->fd, buffer, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false; /* 0: somebody has cut the file */
        buffer += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

static bool file_write(const struct disk_image *image, uint64_t offset, const uint8_t *buffer, size_t size)
{
    while (size > 0) {
        ssize_t done = pwrite(image->fd, buffer, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        buffer += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

/* The slot that holds BLOCK, or the free one where it belongs. */
static struct overlay_slot *overlay_slot(struct overlay_slot *slots, uint64_t capacity, uint64_t block)
{
    uint64_t place = (block * 0x9e3779b97f4a7c15u) >> 32; /* Knuth's multiplicative hash */
    while (slots[place & (capacity - 1)].bytes && slots[place & (capacity - 1)].block != block)
        place++;
    return &slots[place & (capacity - 1)];
}

static uint8_t *overlay_find(const struct disk_image *image, uint64_t block)
{
    return image->used ? overlay_slot(image->slots, image->capacity, block)->bytes : NULL;
}

static bool overlay_grow(struct disk_image *image)
{
    uint64_t capacity = image->capacity ? 2 * image->capacity : FIRST_CAPACITY;
    struct overlay_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t i = 0; i < image->capacity; i++)
        if (image->slots[i].bytes)
            *overlay_slot(slots, capacity, image->slots[i].block) = image->slots[i];
    free(image->slots);
    image->slots = slots;
    image->capacity = capacity;
    return true;
}

/* Bytes of BLOCK inside the image: fewer than a block at the end. */
static size_t block_size(const struct disk_image *image, uint64_t block)
{
    uint64_t rest = image->size - block * DISK_BLOCK_SIZE;
    return rest < DISK_BLOCK_SIZE ? (size_t)rest : DISK_BLOCK_SIZE;
}

/* The overlay's copy of BLOCK, made from the file unless all of it is about to be written. NULL: no memory, or the
 * file cannot be read. */
static uint8_t *overlay_make(struct disk_image *image, uint64_t block, bool overwritten)
{
    uint8_t *bytes = overlay_find(image, block);
    if (bytes)
        return bytes;
    if (4 * (image->used + 1) > 3 * image->capacity && !overlay_grow(image))
        return NULL;
    bytes = calloc(1, DISK_BLOCK_SIZE);
    if (!bytes)
        return NULL;
    if (!overwritten && !file_read(image, block * DISK_BLOCK_SIZE, bytes, block_size(image, block))) {
        free(bytes);
        return NULL;
    }
    *overlay_slot(image->slots, image->capacity, block) = (struct overlay_slot){.block = block, .bytes = bytes};
    image->used++;
    return bytes;
}

static bool in_range(const struct disk_image *image, uint64_t offset, uint32_t size)
{
    return offset <= image->size && size <= image->size - offset;
}

/* How much of [offset, offset+size) lies in the first block it touches. */
static size_t block_part(uint64_t offset, uint32_t size)
{
    size_t part = DISK_BLOCK_SIZE - offset % DISK_BLOCK_SIZE;
    return part < size ? part : size;
}

bool disk_image_read(struct disk_image *image, uint64_t offset, void *buffer, uint32_t size)
{
    uint8_t *to = buffer;
    if (!in_range(image, offset, size))
        return false;
    if (image->used == 0)
        return file_read(image, offset, to, size);
    while (size > 0) {
        size_t part = block_part(offset, size);
        const uint8_t *bytes = overlay_find(image, offset / DISK_BLOCK_SIZE);
        if (bytes)
            memcpy(to, bytes + offset % DISK_BLOCK_SIZE, part);
        else if (!file_read(image, offset, to, part))
            return false;
        to += part;
        offset += part;
        size -= (uint32_t)part;
    }
    return true;
}

bool disk_image_write(struct disk_image *image, uint64_t offset, const void *buffer, uint32_t size)
{
    const uint8_t *from = buffer;
    if (image->mode == DISK_READ_ONLY || !in_range(image, offset, size))
        return false;
    if (image->mode == DISK_WRITE_THROUGH)
        return file_write(image, offset, from, size);
    while (size > 0) {
        size_t part = block_part(offset, size);
        uint64_t block = offset / DISK_BLOCK_SIZE;
        uint8_t *bytes = overlay_make(image, block, part == block_size(image, block));
        if (!bytes)
            return false;
        memcpy(bytes + offset % DISK_BLOCK_SIZE, from, part);
        from += part;
        offset += part;
        size -= (uint32_t)part;
    }
    return true;
}

bool disk_image_flush(struct disk_image *image)
{
    return image->mode != DISK_WRITE_THROUGH || fdatasync(image->fd) == 0;
}
