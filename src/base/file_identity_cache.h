/*
 * Which file is it, if that has been asked before: what file_identity_read_fd() found is kept in the folder
 * simos/identities of $XDG_CACHE_HOME or ~/.cache, in one of 256 places, by what stat(2) says of the file. Without such
 * a folder, or when the file has just been changed (so that a change in the same tick of the file system's clock could
 * go unseen), it is read every time: nothing depends on the folder.
 */
#ifndef SIMOS_FILE_IDENTITY_CACHE_H
#define SIMOS_FILE_IDENTITY_CACHE_H

#include "src/base/file_identity.h"

/* The identity of all of the open file FD, called NAME in ERR. */
bool file_identity_find(struct file_identity *identity, int fd, const char *name, struct err *err);

#endif
