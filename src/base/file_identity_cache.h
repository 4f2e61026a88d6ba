/*
 * Cache of file identities: results of file_identity_read_fd(), keyed by the stat(2) data of the file, in 256 files in
 * the directory simos/identities of $XDG_CACHE_HOME or ~/.cache. Without such a directory, or if the file was changed
 * just now (so that another change within the same tick of the file system's clock would be missed), the file is read
 * every time: no result depends on the cache.
 */
#ifndef SIMOS_BASE_FILE_IDENTITY_CACHE_H
#define SIMOS_BASE_FILE_IDENTITY_CACHE_H

#include "src/base/file_identity.h"

/* The identity of the entire open file FD, called NAME in ERR. */
bool file_identity_find(struct file_identity *identity, int fd, const char *name, struct err *err);

#endif
