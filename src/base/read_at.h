/* Reads of a file at an offset, its position apart. */
#ifndef SIMOS_BASE_READ_AT_H
#define SIMOS_BASE_READ_AT_H

#include <stdint.h>

/* Read SIZE bytes from byte OFFSET of the open file FD into BUFFER, past signals that interrupt. Returns how many there
 * were: fewer if the file ends before, which another process may have truncated; -1 with errno if it cannot be read. */
int64_t read_at(int fd, void *buffer, uint64_t size, uint64_t offset);

#endif
