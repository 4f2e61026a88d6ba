/*
 * Files copied into and out of the guest: the requests of --copy-in and --copy-out, and the transfer format.
 *
 * Copy in: the host's files become a tar stream (GNU format) on a read-only disk, which the guest unpacks before the
 * job. The first 512 bytes of the disk are the line COPY_IN_MAGIC, a blank, the stream's length in bytes, and zeros;
 * the stream follows. With sparse files (copy_sparse.h) the line has three more numbers: where the list of these files
 * begins and its length in bytes, and the block (64 KB) of the disk at which their blocks begin. They are empty in the
 * stream. The list has for each a line "BYTES SECONDS PARTS", its path, and for each part a line "TO COUNT FROM" of
 * blocks in the file, and from the first of all blocks on. The disk has a fixed size, so that files can also be copied
 * to a restored machine. The stream depends only on the files' names, permissions and contents: they are sorted, owned
 * by root, and have the guest's clock at power-on as time.
 *
 * Copy out: another disk lists the requested paths: the line COPY_OUT_MAGIC, zeros up to byte 512, then one path per
 * line, relative to the job's root, and an empty line. After the job the guest overwrites the disk from byte 0 with a
 * tar stream of these files. After the run the host unpacks the stream as untrusted input: see copy_tree.h.
 *
 * Not copied: owners, times, extended attributes, hard links (copy in), special files.
 */
#ifndef SIMOS_HOST_COPY_FILES_H
#define SIMOS_HOST_COPY_FILES_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { COPY_FILES_MAX = 64, COPY_SECTOR = 512, COPY_HEADER_SIZE = 65536 };

/* Size of the copy-in disk. */
#define COPY_IN_CAPACITY (4ull << 30)

#define COPY_IN_MAGIC  "simos copy-in"
#define COPY_OUT_MAGIC "simos copy-out"

/* Default directory in the guest: the job's working directory. */
#define COPY_GUEST_FOLDER "/root"

struct copy_request {
    char *from; /* source path; a guest path has no leading slash */
    char *to;   /* destination directory; a guest path has no leading slash */
};

struct copy_files {
    struct copy_request in[COPY_FILES_MAX], out[COPY_FILES_MAX];
    unsigned in_count, out_count;
    int stream;           /* memory file of the copy-in disk; -1: not yet created */
    uint64_t stream_size; /* valid bytes of the stream file */
};

struct copy_files *copy_files_create(void);
void copy_files_free(struct copy_files *copy); /* NULL is allowed */

/* Add the request TEXT, "HOSTPATH[:GUESTFOLDER]" or "GUESTPATH[:HOSTFOLDER]". A guest directory begins with a slash; a
 * relative guest path is in COPY_GUEST_FOLDER. The last colon before a slash separates the two, so that both may
 * contain colons; in a copy out also the last one before "./", "../", "." or "..", and if there is none the last colon.
 * False with ERR if the text is invalid; files are not checked. */
bool copy_files_add_in(struct copy_files *copy, const char *text, struct err *err);
bool copy_files_add_out(struct copy_files *copy, const char *text, struct err *err);

/* Do the destination directories on the host exist? False with ERR naming one that does not. */
bool copy_out_check(const struct copy_files *copy, struct err *err);

/* Create the copy-in disk, unless it exists; SECONDS since 1970 is the time of all files. False with ERR naming a file
 * that cannot be read, or is neither file, directory nor symbolic link. */
bool copy_in_pack(struct copy_files *copy, uint64_t seconds, struct err *err);

/* Fill the COPY_HEADER_SIZE bytes of HEADER with the copy-out requests for the guest. */
void copy_out_write_header(const struct copy_files *copy, char *header);

/* Read SIZE bytes of the disk at OFFSET; false on an error. */
typedef bool copy_out_read(void *opaque, uint64_t offset, void *buffer, uint32_t size);

/* Unpack the stream on a disk of SIZE bytes. Entries that are not allowed, or that the host rejects, are skipped with a
 * line on stderr. False with ERR if a requested file, or a part of it, was not copied. */
bool copy_out_unpack(const struct copy_files *copy, copy_out_read *read, void *opaque, uint64_t size, struct err *err);

#endif
