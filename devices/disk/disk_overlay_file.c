/* Overlay in a file; devices/disk/disk_overlay.h describes the format. */
#include "devices/disk/disk_file.h"
#include "devices/disk/disk_overlay_private.h"
#include "src/base/read_at.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1 };

struct header {
    char magic[8];
    uint32_t version, block_size;
    uint64_t size, fingerprint, checksum;
};

_Static_assert(offsetof(struct header, checksum) == 32, "the header as it lies in the file");

static const char magic[8] = {'s', 'i', 'm', 'o', 's', 'o', 'v', 'l'};

struct file_overlay {
    struct disk_overlay overlay;
    int fd;
    uint64_t index_bytes; /* of index, a multiple of the block size */
    uint8_t *index;
    uint8_t *index_changed; /* one flag per block of the index */
    bool changed;           /* any flag of index_changed is set */
};

/* ---- header ---- */

static struct header make_header(uint64_t size, uint64_t image_fingerprint)
{
    struct header header = {
        .version = VERSION, .block_size = DISK_BLOCK_SIZE, .size = size, .fingerprint = image_fingerprint};
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = disk_file_fnv1a(DISK_FILE_FNV1A_INIT, &header, offsetof(struct header, checksum));
    return header;
}

/* Is FOUND the header of an overlay for the image described by EXPECTED? */
static bool check_header(const struct header *found, const struct header *expected, const char *path, const char *name,
                         struct err *err)
{
    if (memcmp(found->magic, magic, sizeof magic) != 0 ||
        found->checksum != disk_file_fnv1a(DISK_FILE_FNV1A_INIT, found, offsetof(struct header, checksum)))
        return err_set(err, "disk overlay %s: not an overlay", path);
    if (found->version != VERSION || found->block_size != DISK_BLOCK_SIZE)
        return err_set(err, "disk overlay %s: of version %u; known is version %u", path, found->version, VERSION);
    if (memcmp(found, expected, sizeof *found) != 0)
        return err_set(err, "disk overlay %s: belongs to another disk image than %s, or the image has changed", path,
                       name);
    return true;
}

/* Read the header, or write it into an empty file. */
static bool begin_file(int fd, const struct header *expected, const char *path, const char *name, struct err *err)
{
    uint8_t block[DISK_BLOCK_SIZE] = {0};
    struct header found;
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return err_set(err, "disk overlay %s: not a file", path);
    if (status.st_size == 0) {
        memcpy(block, expected, sizeof *expected);
        return disk_file_write(fd, 0, block, sizeof block) ||
               err_set(err, "disk overlay %s: cannot be written: %s", path, strerror(errno));
    }
    if (status.st_size < DISK_BLOCK_SIZE || !disk_file_read(fd, 0, &found, sizeof found))
        return err_set(err, "disk overlay %s: not an overlay", path);
    return check_header(&found, expected, path, name, err);
}

/* ---- index ---- */

/* Read the index. Parts of it beyond the end of the file are 0. */
static bool read_index(struct file_overlay *file)
{
    const int64_t done = read_at(file->fd, file->index, file->index_bytes, DISK_BLOCK_SIZE);
    if (done < 0)
        return false;
    for (int64_t i = 0; i < done; i++)
        file->overlay.count += (unsigned)__builtin_popcount(file->index[i]);
    return true;
}

static bool write_index(struct file_overlay *file)
{
    for (uint64_t i = 0; i < file->index_bytes / DISK_BLOCK_SIZE; i++) {
        if (!file->index_changed[i])
            continue;
        if (!disk_file_write(file->fd, (i + 1) * DISK_BLOCK_SIZE, file->index + i * DISK_BLOCK_SIZE, DISK_BLOCK_SIZE))
            return false;
        file->index_changed[i] = 0;
    }
    file->changed = false;
    return true;
}

static bool file_has(const struct disk_overlay *overlay, uint64_t block)
{
    const struct file_overlay *file = (const struct file_overlay *)overlay;
    return file->index[block / 8] >> block % 8 & 1;
}

static void set_bit(struct file_overlay *file, uint64_t block)
{
    file->index[block / 8] |= (uint8_t)(1 << block % 8);
    file->index_changed[block / 8 / DISK_BLOCK_SIZE] = 1;
    file->changed = true;
    file->overlay.count++;
}

/* ---- blocks ---- */

static uint64_t block_offset(const struct file_overlay *file, uint64_t block)
{
    return DISK_BLOCK_SIZE + file->index_bytes + block * DISK_BLOCK_SIZE;
}

static bool file_read(const struct disk_overlay *overlay, uint64_t block, uint32_t offset, void *buffer, uint32_t size)
{
    const struct file_overlay *file = (const struct file_overlay *)overlay;
    return disk_file_read(file->fd, block_offset(file, block) + offset, buffer, size);
}

static bool file_write(struct disk_overlay *overlay, uint64_t block, uint32_t offset, const void *buffer, uint32_t size)
{
    struct file_overlay *file = (struct file_overlay *)overlay;
    if (!disk_file_write(file->fd, block_offset(file, block) + offset, buffer, size))
        return false;
    if (!file_has(overlay, block))
        set_bit(file, block);
    return true;
}

static bool file_flush(struct disk_overlay *overlay)
{
    struct file_overlay *file = (struct file_overlay *)overlay;
    if (fdatasync(file->fd) != 0)
        return false;
    return !file->changed || (write_index(file) && fdatasync(file->fd) == 0);
}

static void file_close(struct disk_overlay *overlay)
{
    struct file_overlay *file = (struct file_overlay *)overlay;
    if (file->changed)
        file_flush(overlay); /* on failure only writes since the last flush are lost */
    close(file->fd);
    free(file->index);
    free(file->index_changed);
    free(file);
}

static const struct disk_overlay_ops file_ops = {
    .close = file_close, .has = file_has, .read = file_read, .write = file_write, .flush = file_flush};

static struct disk_overlay *make_overlay(int fd, uint64_t size)
{
    uint64_t blocks = (size + DISK_BLOCK_SIZE - 1) / DISK_BLOCK_SIZE;
    uint64_t index_blocks = (blocks + 8 * DISK_BLOCK_SIZE - 1) / (8 * DISK_BLOCK_SIZE);
    struct file_overlay *file = checked_memory(calloc(1, sizeof *file));
    file->overlay.ops = &file_ops;
    file->fd = fd;
    file->index_bytes = index_blocks * DISK_BLOCK_SIZE;
    file->index = checked_memory(calloc(1, file->index_bytes));
    file->index_changed = checked_memory(calloc(1, index_blocks));
    return &file->overlay;
}

struct disk_overlay *disk_overlay_open(const char *path, int image, uint64_t size, const char *name, struct err *err)
{
    uint64_t value;
    if (size > DISK_OVERLAY_IMAGE_MAX) {
        err_set(err, "disk image %s: of %llu bytes; one that has an overlay file is at most 4 TB", name,
                (unsigned long long)size);
        return NULL;
    }
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0) {
        err_set(err, "disk overlay %s: %s", path, strerror(errno));
        return NULL;
    }
    bool ok = disk_file_lock(fd, true, "disk overlay", path, err) &&
              (disk_file_fingerprint(image, size, &value) || err_set(err, "disk image %s: cannot be read", name));
    if (ok) {
        struct header expected = make_header(size, value);
        ok = begin_file(fd, &expected, path, name, err);
    }
    if (!ok) {
        close(fd);
        return NULL;
    }
    struct disk_overlay *overlay = make_overlay(fd, size);
    if (!read_index((struct file_overlay *)overlay)) {
        err_set(err, "disk overlay %s: %s", path, strerror(errno));
        disk_overlay_close(overlay);
        return NULL;
    }
    return overlay;
}
