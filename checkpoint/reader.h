/*
 * Internal interface of the reader: open.c verifies a file, stream.c decompresses its sections, load.c and print.c use
 * them.
 */
#ifndef SIMOS_CHECKPOINT_READER_H
#define SIMOS_CHECKPOINT_READER_H

#include "checkpoint/format.h"
#include <zlib.h>

struct checkpoint_entry {
    struct checkpoint_section section;
    long at; /* offset in the file of its compressed bytes */
};

struct checkpoint {
    char *path;
    FILE *file;
    struct checkpoint_entry *entries;
    size_t count;
};

/* A section being decompressed incrementally. */
struct checkpoint_stream {
    const struct checkpoint *checkpoint;
    const struct checkpoint_entry *entry;
    z_stream zlib;
    bool ended;                 /* zlib has reached the end of its stream */
    uint64_t stored_left, left; /* bytes left: compressed in the file, and uncompressed */
    struct err *err;            /* receives the first error */
    uint8_t piece[1 << 14];
};

/* Start reading ENTRY. checkpoint_stream_close() must be called also after a failure. */
bool checkpoint_stream_open(struct checkpoint_stream *stream, const struct checkpoint *checkpoint,
                            const struct checkpoint_entry *entry, struct err *err);
/* Callback of struct saved_in: read COUNT bytes. False with an error if there are fewer. */
bool checkpoint_stream_get(void *stream, void *bytes, size_t count);
/* Check that all bytes have been read. False with an error if some are left. */
bool checkpoint_stream_at_end(struct checkpoint_stream *stream);
void checkpoint_stream_close(struct checkpoint_stream *stream);

#endif
