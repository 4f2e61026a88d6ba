/*
 * Reading and writing a range of a host file, all of it or not at all; and locking it.
 */
#ifndef SIMOS_DISK_FILE_H
#define SIMOS_DISK_FILE_H

#include "src/base/log.h"
#include "src/base/types.h"

/* False: a host error, or (reading) the file is shorter. Part may have been done. */
bool disk_file_read(int fd, uint64_t offset, void *buffer, size_t size);
bool disk_file_write(int fd, uint64_t offset, const void *buffer, size_t size);

/* Nobody else writes what we have open, and nobody has open what we write: neither another disk of this machine nor
 * another process (advisory locks, flock(2); a file system that knows none is not asked to). False with ERR, which
 * begins with WHAT and NAME, if the file is taken. */
bool disk_file_lock(int fd, bool writes, const char *what, const char *name, struct err *err);

/* What tells an image from another one, or from a rebuilt one, not every changed byte: FNV-1a, 64 bits, over the size,
 * the first megabyte and 256 blocks of 4 KB spread evenly over it. False: it cannot be read. */
bool disk_file_fingerprint(int fd, uint64_t size, uint64_t *value);

/* FNV-1a, 64 bits, going on from HASH; DISK_FILE_FNV at the beginning. */
uint64_t disk_file_fnv(uint64_t hash, const void *bytes, size_t size);
#define DISK_FILE_FNV 0xcbf29ce484222325u

#endif
