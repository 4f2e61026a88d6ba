#include "src/host/copy_sparse.h"

#include "src/base/read_at.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool copy_is_zero(const void *bytes, size_t count)
{
    const char *at = bytes;
    return count == 0 || (at[0] == 0 && memcmp(at, at + 1, count - 1) == 0);
}

static void add_block(struct copy_parts *parts, uint64_t block)
{
    struct copy_part *last = parts->count ? &parts->parts[parts->count - 1] : NULL;
    parts->blocks++;
    if (last && last->first + last->count == block) {
        last->count++;
        return;
    }
    if ((parts->count & (parts->count + 1)) == 0)
        parts->parts = checked_memory(realloc(parts->parts, (parts->count + 1) * 2 * sizeof *parts->parts));
    parts->parts[parts->count++] = (struct copy_part){block, 1};
}

/* Read a block of FILE; a file that ends in it, or has become shorter, has zeros behind its end. */
static bool read_block(int file, uint64_t block, char *buffer)
{
    const int64_t done = read_at(file, buffer, COPY_SPARSE_BLOCK, block * COPY_SPARSE_BLOCK);
    if (done < 0)
        return false;
    memset(buffer + done, 0, COPY_SPARSE_BLOCK - (size_t)done);
    return true;
}

static bool find_blocks(struct copy_parts *parts, int file, uint64_t blocks, char *buffer)
{
    for (uint64_t block = 0; block < blocks; block++) {
        off_t data = lseek(file, (off_t)(block * COPY_SPARSE_BLOCK), SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            return true;
        if (data >= 0) /* a file system that knows no holes: every block is looked at */
            block = (uint64_t)data / COPY_SPARSE_BLOCK;
        if (block >= blocks)
            return true;
        if (!read_block(file, block, buffer))
            return false;
        if (!copy_is_zero(buffer, COPY_SPARSE_BLOCK))
            add_block(parts, block);
    }
    return true;
}

int copy_parts_find(struct copy_parts *parts, int file, uint64_t size)
{
    const uint64_t blocks = (size + COPY_SPARSE_BLOCK - 1) / COPY_SPARSE_BLOCK;
    *parts = (struct copy_parts){0};
    if (size < COPY_SPARSE_MIN)
        return 0;
    char *buffer = checked_memory(malloc(COPY_SPARSE_BLOCK));
    bool done = find_blocks(parts, file, blocks, buffer);
    int reason = errno;
    free(buffer);
    if (done && lseek(file, 0, SEEK_SET) == 0 && (blocks - parts->blocks) * COPY_SPARSE_BLOCK >= COPY_SPARSE_MIN)
        return 1;
    free(parts->parts);
    *parts = (struct copy_parts){0};
    errno = reason;
    return done ? 0 : -1;
}
