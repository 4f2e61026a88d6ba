/*
 * Which file is it? Its size and the SHA-256 of its content (FIPS 180-4), the same as sha256sum prints. By nettle: a
 * small library without global state that uses the processor's own instructions where there are any.
 */
#ifndef SIMOS_FILE_IDENTITY_H
#define SIMOS_FILE_IDENTITY_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { FILE_IDENTITY_DIGITS = 64 };

struct file_identity {
    uint64_t size;                         /* bytes */
    char digest[FILE_IDENTITY_DIGITS + 1]; /* hexadecimal, lower case */
};

/* Read all of the file PATH: about a second for 1 GB; holes cost no reading from the disk. False with ERR naming it. */
bool file_identity_read(struct file_identity *identity, const char *path, struct err *err);

/* Of the open file FD, from its beginning up to byte LIMIT at most, without moving its position; NAME is for ERR. */
bool file_identity_read_fd(struct file_identity *identity, int fd, uint64_t limit, const char *name, struct err *err);

#endif
