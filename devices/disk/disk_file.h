/*
 * Reads and writes of a complete range of a host file; file locks and fingerprints.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_FILE_H
#define SIMOS_DEVICES_DISK_DISK_FILE_H

#include "src/base/log.h"
#include "src/base/types.h"

/* Read or write SIZE bytes at OFFSET. False on a host error (a write: with errno) or, for a read, if the file is
 * shorter; part of the range may have been transferred. */
bool disk_file_read(int fd, uint64_t offset, void *buffer, size_t size);
bool disk_file_write(int fd, uint64_t offset, const void *buffer, size_t size);

/* Lock FD so that no other process writes a file that we have open, and no other has open a file that we write; other
 * disks of this machine count as well (advisory locks, flock(2); file systems without locks are not locked). False with
 * ERR, which begins with WHAT and NAME, if another holder conflicts. */
bool disk_file_lock(int fd, bool writes, const char *what, const char *name, struct err *err);

/* Fingerprint that identifies an image or a rebuilt version of it, not every changed byte: FNV-1a, 64 bits, over the
 * size, the first megabyte and 256 blocks of 4 KB spread evenly over the file. False on a read error. */
bool disk_file_fingerprint(int fd, uint64_t size, uint64_t *value);

/* Continue the 64-bit FNV-1a hash HASH over SIZE bytes; start with DISK_FILE_FNV1A_INIT. */
uint64_t disk_file_fnv1a(uint64_t hash, const void *bytes, size_t size);
#define DISK_FILE_FNV1A_INIT 0xcbf29ce484222325u

#endif
