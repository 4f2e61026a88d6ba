#include "src/trace/drmemtrace_file.h"

#include "src/base/log.h"
#include <string.h>

void drmemtrace_begin(struct drmemtrace_file *file, FILE *out)
{
    enum { GZIP = 15 + 16, LEVEL = 3 };
    file->out = out;
    if (deflateInit2(&file->stream, LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        log_bug("out of memory");
}

/* Compress and write the records; all that the compressor holds, too, if FLUSH is Z_FINISH. */
static void write_records(struct drmemtrace_file *file, int flush)
{
    z_stream *stream = &file->stream;
    stream->next_in = file->records;
    stream->avail_in = (uInt)file->used;
    file->used = 0;
    do {
        stream->next_out = file->packed;
        stream->avail_out = sizeof file->packed;
        deflate(stream, flush);
        const size_t count = sizeof file->packed - stream->avail_out;
        if (!file->failed && fwrite(file->packed, 1, count, file->out) != count)
            file->failed = true;
    } while (stream->avail_out == 0);
}

static void put(struct drmemtrace_file *file, unsigned type, unsigned size, const uint8_t *last, unsigned count)
{
    uint8_t *record = file->records + file->used;
    record[0] = (uint8_t)type;
    record[1] = (uint8_t)(type >> 8);
    record[2] = (uint8_t)size;
    record[3] = (uint8_t)(size >> 8);
    memset(record + 4, 0, 8);
    memcpy(record + 4, last, count);
    file->used += DRMEMTRACE_RECORD_BYTES;
    if (file->used == sizeof file->records)
        write_records(file, Z_NO_FLUSH);
}

void drmemtrace_put(struct drmemtrace_file *file, enum drmemtrace_type type, unsigned size, uint64_t address)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(address >> 8 * i);
    put(file, type, size, bytes, sizeof bytes);
}

void drmemtrace_put_bytes(struct drmemtrace_file *file, enum drmemtrace_type type, const uint8_t *bytes, unsigned count)
{
    put(file, type, count, bytes, count);
}

void drmemtrace_put_marker(struct drmemtrace_file *file, enum drmemtrace_marker marker, uint64_t value)
{
    drmemtrace_put(file, DRMEMTRACE_MARKER, marker, value);
}

bool drmemtrace_end(struct drmemtrace_file *file)
{
    write_records(file, Z_FINISH);
    return !file->failed;
}

void drmemtrace_release(struct drmemtrace_file *file)
{
    if (file->out)
        deflateEnd(&file->stream);
    file->out = NULL;
}
