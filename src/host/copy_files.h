/*
 * Files in and out of the guest: what --copy-in and --copy-out ask for, and how it travels.
 *
 * In: the host's files become one tar stream (GNU format), which the guest finds on a read-only disk of its own and
 * unpacks before the job. The disk's first 512 bytes are the line COPY_IN_MAGIC, a blank, the stream's length in bytes,
 * and zeros; the stream follows. The size of the disk says nothing, so that any files can be given to a machine that
 * has booted already. The stream is a function of the files' names, permissions and contents: they are sorted, they
 * belong to root, and their time is the guest's clock at power-on.
 *
 * Out: the guest finds the paths it has to bring on another disk: a line COPY_OUT_MAGIC, zeros up to byte 512, then a
 * path a line, relative to the job's root, and an empty line. After the job it writes a tar stream of them over that,
 * from byte 0 on. After the run the host unpacks it, trusting none of it: see copy_tree.h.
 *
 * Not carried: owners, times, extended attributes, hard links on the way in, special files.
 */
#ifndef SIMOS_COPY_FILES_H
#define SIMOS_COPY_FILES_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { COPY_FILES_MAX = 64, COPY_SECTOR = 512, COPY_HEADER_SIZE = 65536 };

/* Size of the disk of the way in. */
#define COPY_IN_CAPACITY (4ull << 30)

#define COPY_IN_MAGIC  "simos copy-in"
#define COPY_OUT_MAGIC "simos copy-out"

/* The folder of the guest that is meant when none is named: where the job runs. */
#define COPY_GUEST_FOLDER "/root"

struct copy_request {
    char *from; /* path on the side it comes from; of the guest: without the slash at its beginning */
    char *to;   /* folder on the other side; of the guest: the same */
};

struct copy_files {
    struct copy_request in[COPY_FILES_MAX], out[COPY_FILES_MAX];
    unsigned in_count, out_count;
    int stream;           /* file in memory that is the disk of the way in; -1: not made yet */
    uint64_t stream_size; /* bytes of it that mean something */
};

struct copy_files *copy_files_create(void);
void copy_files_free(struct copy_files *copy); /* NULL is allowed */

/* Add what TEXT asks for, "HOSTPATH[:GUESTFOLDER]" or "GUESTPATH[:HOSTFOLDER]". A guest's folder begins with a slash; a
 * path of the guest that does not is in COPY_GUEST_FOLDER. False with ERR saying what is wrong with the text; no file
 * is looked at. */
bool copy_files_add_in(struct copy_files *copy, const char *text, struct err *err);
bool copy_files_add_out(struct copy_files *copy, const char *text, struct err *err);

/* Are the folders there that files are to be brought to? False with ERR naming the one that is not. */
bool copy_out_check(const struct copy_files *copy, struct err *err);

/* Make the disk of the way in, unless it is made already; SECONDS is the time of all files, since 1970. False with ERR
 * naming the file that cannot be read, or is neither file, folder nor symbolic link. */
bool copy_in_pack(struct copy_files *copy, uint64_t seconds, struct err *err);

/* Fill the COPY_HEADER_SIZE bytes with what tells the guest what to bring. */
void copy_out_write_header(const struct copy_files *copy, char *header);

/* Gives SIZE bytes of the disk from OFFSET on; false if it cannot. */
typedef bool copy_out_read(void *opaque, uint64_t offset, void *buffer, uint32_t size);

/* Unpack the stream on a disk of SIZE bytes. What a stream may not hold is left out, with a line on stderr; so is what
 * the host refuses. False with ERR if anything that was asked for, or a part of it, is not there now. */
bool copy_out_unpack(const struct copy_files *copy, copy_out_read *read, void *opaque, uint64_t size, struct err *err);

#endif
