#include "src/base/file_identity.h"

#include "src/base/progress.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 15 };

bool file_identity_same(const struct file_identity *one, const struct file_identity *other)
{
    return one->size == other->size && strcmp(one->digest, other->digest) == 0;
}

bool file_identity_read_fd(struct file_identity *identity, int fd, uint64_t limit, const char *name, struct err *err)
{
    struct stat file;
    uint8_t block[BLOCK];
    struct sha256_ctx hash;
    ssize_t count;
    sha256_init(&hash);
    *identity = (struct file_identity){0};
    struct progress *progress = progress_create();
    const double size = fstat(fd, &file) == 0 && file.st_size > 0 ? (double)file.st_size : 0;
    for (;;) {
        if (progress_is_due(progress))
            progress_draw(progress, size > 0 ? (double)identity->size / size : -1, "SHA-256 of %s", name);
        uint64_t rest = limit - identity->size;
        count = pread(fd, block, rest < sizeof block ? (size_t)rest : sizeof block, (off_t)identity->size);
        if (count == 0)
            break;
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            break;
        sha256_update(&hash, (size_t)count, block);
        identity->size += (uint64_t)count;
    }
    const int reason = errno;
    progress_free(progress);
    if (count < 0)
        return err_set(err, "%s: %s", name, strerror(reason));
    digest_take(&hash, identity->digest);
    return true;
}

bool file_identity_read(struct file_identity *identity, enum input_kind kind, const char *path, struct err *err)
{
    uint64_t size;
    int fd = input_file_open(kind, path, &size, err);
    if (fd < 0)
        return false;
    bool done = file_identity_read_fd(identity, fd, size, path, err);
    close(fd);
    return done;
}
