#include "src/base/read_at.h"
#include <errno.h>
#include <unistd.h>

int64_t read_at(int fd, void *buffer, uint64_t size, uint64_t offset)
{
    uint64_t done = 0;
    while (done < size) {
        const ssize_t count = pread(fd, (uint8_t *)buffer + done, size - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (uint64_t)count;
    }
    return (int64_t)done;
}
