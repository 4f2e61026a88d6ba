#include "devices/disk/disk_file.h"
#include "src/base/read_at.h"
#include <errno.h>
#include <sys/file.h>
#include <unistd.h>

bool disk_file_read(int fd, uint64_t offset, void *buffer, size_t size)
{
    return read_at(fd, buffer, size, offset) == (int64_t)size;
}

bool disk_file_write(int fd, uint64_t offset, const void *buffer, size_t size)
{
    const uint8_t *from = buffer;
    while (size > 0) {
        ssize_t done = pwrite(fd, from, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return false;
        from += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

bool disk_file_lock(int fd, bool writes, const char *what, const char *name, struct err *err)
{
    if (flock(fd, (writes ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return err_set(err, "%s %s: in use by another disk, or another simulator, and one of the two writes it", what,
                       name);
    return true;
}

uint64_t disk_file_fnv1a(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ from[i]) * 0x100000001b3u;
    return hash;
}

bool disk_file_fingerprint(int fd, uint64_t size, uint64_t *value)
{
    enum { BLOCK = 4096, HEAD = (1 << 20) / BLOCK, SPREAD = 256 };
    uint8_t block[BLOCK];
    uint64_t blocks = size / BLOCK;
    *value = disk_file_fnv1a(DISK_FILE_FNV1A_INIT, &size, sizeof size);
    for (uint64_t i = 0; i < HEAD + SPREAD; i++) {
        uint64_t number = i < HEAD ? i : (i - HEAD) * (blocks / SPREAD);
        if (number >= blocks)
            continue;
        if (!disk_file_read(fd, number * BLOCK, block, sizeof block))
            return false;
        *value = disk_file_fnv1a(*value, block, sizeof block);
    }
    return true;
}
