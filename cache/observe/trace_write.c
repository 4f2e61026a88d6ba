#include "cache/observe/trace.h"
#include "cache/observe/trace_block.h"
#include "cache/observe/trace_din.h"

#include "src/base/log.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct trace_writer {
    FILE *file;
    char *path;
    enum trace_format format;
    unsigned fields; /* enum trace_fields */
    int error;       /* errno of the first failed write, or 0 */
    uint64_t count;
    struct trace_state state; /* of this block */
    size_t used;
    uint8_t block[TRACE_BLOCK_BYTES]; /* for din: text */
    uint8_t packed[TRACE_BLOCK_BYTES + TRACE_BLOCK_BYTES / 8 + 64];
};

static void write_bytes(struct trace_writer *writer, const void *bytes, size_t count)
{
    errno = 0;
    if (!writer->error && fwrite(bytes, 1, count, writer->file) != count)
        writer->error = errno ? errno : EIO;
}

static void write_header(struct trace_writer *writer, const struct trace_info *info)
{
    uint8_t header[TRACE_HEADER_BYTES] = TRACE_MAGIC;
    header[8] = TRACE_VERSION;
    header[9] = info->level;
    header[10] = info->cpus;
    header[11] = (uint8_t)((info->times ? TRACE_FLAG_TIMES : 0) | (info->whole ? TRACE_FLAG_WHOLE : 0) |
                           (info->is_mips1 ? TRACE_FLAG_MIPS1 : 0) |
                           (info->process == TRACE_PROCESS  ? TRACE_FLAG_PROCESS
                            : info->process == TRACE_THREAD ? TRACE_FLAG_THREAD
                                                            : 0));
    trace_put(header + 12, info->fetch_line, 4);
    write_bytes(writer, header, sizeof header);
}

struct trace_writer *trace_writer_create(const char *path, enum trace_format format, const struct trace_info *info,
                                         struct err *err)
{
    int descriptor = save_open("trace", path, O_TRUNC, err);
    if (descriptor < 0)
        return NULL;
    FILE *file = checked_memory(fdopen(descriptor, "wb"));
    struct trace_writer *writer = calloc(1, sizeof *writer);
    if (!writer || !(writer->path = strdup(path)))
        log_bug("out of memory");
    writer->file = file;
    writer->format = format;
    writer->fields = trace_fields_of(info->level, info->times, true);
    if (format == TRACE_BINARY)
        write_header(writer, info);
    return writer;
}

static void write_packed(struct trace_writer *writer)
{
    uLongf size = sizeof writer->packed;
    uint8_t header[TRACE_BLOCK_HEADER_BYTES];
    if (compress2(writer->packed, &size, writer->block, writer->used, 1) != Z_OK)
        log_bug("a block of a trace cannot be packed");
    trace_put(header, writer->used, 4);
    trace_put(header + 4, size, 4);
    trace_put(header + 8, crc32(0, writer->packed, (uInt)size), 4);
    write_bytes(writer, header, sizeof header);
    write_bytes(writer, writer->packed, size);
}

static void write_block(struct trace_writer *writer)
{
    if (writer->used > 0 && writer->format == TRACE_BINARY)
        write_packed(writer);
    else
        write_bytes(writer, writer->block, writer->used);
    writer->used = 0;
    writer->state = (struct trace_state){.cpu = 0};
}

static void write_end(struct trace_writer *writer)
{
    uint8_t end[TRACE_BLOCK_HEADER_BYTES + 8];
    trace_put(end, 0, 4);
    trace_put(end + 4, 8, 4);
    trace_put(end + 12, writer->count, 8);
    trace_put(end + 8, crc32(0, end + 12, 8), 4);
    write_bytes(writer, end, sizeof end);
}

bool trace_print_din(FILE *out, const struct reference *reference)
{
    char line[TRACE_RECORD_MAX];
    size_t length = din_encode(reference, line);
    return fwrite(line, 1, length, out) == length;
}

void trace_writer_add(struct trace_writer *writer, const struct reference *reference)
{
    if (writer->error)
        return;
    uint8_t *to = writer->block + writer->used;
    size_t length = writer->format == TRACE_DIN ? din_encode(reference, (char *)to)
                                                : trace_encode(&writer->state, reference, writer->fields, to);
    writer->used += length;
    writer->count += length > 0;
    if (writer->used > TRACE_BLOCK_BYTES - TRACE_RECORD_MAX)
        write_block(writer);
}

bool trace_writer_failed(const struct trace_writer *writer)
{
    return writer->error != 0;
}

uint64_t trace_writer_count(const struct trace_writer *writer)
{
    return writer->count;
}

bool trace_writer_close(struct trace_writer *writer, struct err *err)
{
    write_block(writer);
    if (writer->format == TRACE_BINARY)
        write_end(writer);
    if (save_close_stream(writer->file) != 0 && !writer->error)
        writer->error = errno;
    bool done = writer->error == 0 || err_set(err, "trace %s: %s", writer->path, strerror(writer->error));
    free(writer->path);
    free(writer);
    return done;
}
