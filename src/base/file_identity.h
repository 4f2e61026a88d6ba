/*
 * Identity of a file: its size and the SHA-256 of its content, as printed by sha256sum.
 */
#ifndef SIMOS_BASE_FILE_IDENTITY_H
#define SIMOS_BASE_FILE_IDENTITY_H

#include "src/base/digest.h"
#include "src/base/input_file.h"
#include "src/base/log.h"
#include "src/base/types.h"

struct file_identity {
    uint64_t size; /* bytes */
    char digest[DIGEST_DIGITS + 1];
};

bool file_identity_same(const struct file_identity *one, const struct file_identity *other);

/* Read the entire file PATH, of KIND: about a second for 1 GB; holes are not read from disk. False with ERR naming the
 * file. */
bool file_identity_read(struct file_identity *identity, enum input_kind kind, const char *path, struct err *err);

/* Identity of the open file FD, from byte 0 up to LIMIT at most, without changing its position; NAME is for ERR. */
bool file_identity_read_fd(struct file_identity *identity, int fd, uint64_t limit, const char *name, struct err *err);

#endif
