/*
 * Inside the reader of checkpoints: open.c verifies a file, stream.c unpacks its sections, load.c and print.c use them.
 */
#ifndef SIMOS_CHECKPOINT_READER_H
#define SIMOS_CHECKPOINT_READER_H

#include "checkpoint/format.h"
#include <zlib.h>

struct checkpoint_entry {
    struct checkpoint_section section;
    long at; /* where in the file it is stored */
};

struct checkpoint {
    char *path;
    FILE *file;
    struct checkpoint_entry *entries;
    size_t count;
};

/* A section while it is unpacked, piece by piece. */
struct checkpoint_stream {
    const struct checkpoint *checkpoint;
    const struct checkpoint_entry *entry;
    z_stream zlib;
    bool ended;                 /* zlib has come to the end of what it stored */
    uint64_t stored_left, left; /* bytes: in the file, and unpacked */
    struct err *err;            /* what was wrong; the first counts */
    uint8_t piece[1 << 14];
};

/* Begin with ENTRY; end with checkpoint_stream_close(). */
bool checkpoint_stream_open(struct checkpoint_stream *stream, const struct checkpoint *checkpoint,
                            const struct checkpoint_entry *entry, struct err *err);
/* For struct saved_in: all COUNT bytes, or false with an error. */
bool checkpoint_stream_get(void *stream, void *bytes, size_t count);
/* Everything must have been taken: false with an error if there is more. */
bool checkpoint_stream_at_end(struct checkpoint_stream *stream);
void checkpoint_stream_close(struct checkpoint_stream *stream);

#endif
