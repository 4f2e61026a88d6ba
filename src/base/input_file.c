#include "src/base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the pipe FD have a writer, or unread data? Consumes no data. */
static bool has_writer(int fd)
{
    int copy[2];
    if (pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    const bool has = tee(fd, copy[1], 1, SPLICE_F_NONBLOCK) != 0;
    close(copy[0]);
    close(copy[1]);
    return has;
}

int input_file_open(const char *path)
{
    struct stat there;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return -1;
    int reason = fstat(fd, &there) != 0 ? errno : S_ISFIFO(there.st_mode) && !has_writer(fd) ? ENXIO : 0;
    if (reason == 0 && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0)
        return fd;
    if (reason == 0)
        reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

FILE *input_file_stream(const char *path)
{
    int fd = input_file_open(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (fd >= 0 && !file) {
        int reason = errno;
        close(fd);
        errno = reason;
    }
    return file;
}

const char *input_file_reason(int error)
{
    return error == ENXIO ? "the pipe has no writer" : strerror(error);
}
