#include "cache/observe/trace.h"
#include "cache/observe/trace_block.h"
#include "cache/observe/trace_din.h"
#include "cache/observe/trace_input.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct trace_reader {
    struct trace_input *input;
    char *path;
    struct trace_info info;
    uint64_t blocks, count; /* blocks started (din: lines), references returned */
    bool ended, damaged;
    struct trace_state state;
    size_t at, used; /* position and size in this block */
    uint8_t block[TRACE_BLOCK_BYTES];
    uint8_t packed[TRACE_BLOCK_BYTES + TRACE_BLOCK_BYTES / 8 + 64];
};

/* Decodes HEADER. Returns NULL, or the error. */
static const char *check_header(const uint8_t *header, struct trace_info *info)
{
    *info = (struct trace_info){.level = header[9],
                                .cpus = header[10],
                                .times = header[11] & TRACE_FLAG_TIMES,
                                .whole = header[11] & TRACE_FLAG_WHOLE,
                                .is_mips1 = header[11] & TRACE_FLAG_MIPS1,
                                .calls = header[9] == 0 && header[8] >= TRACE_VERSION_CALLS,
                                .process = header[11] & TRACE_FLAG_PROCESS  ? TRACE_PROCESS
                                           : header[11] & TRACE_FLAG_THREAD ? TRACE_THREAD
                                                                            : TRACE_SPACE,
                                .fetch_line = (uint32_t)trace_get(header + 12, 4)};
    const unsigned of_process = TRACE_FLAG_PROCESS | TRACE_FLAG_THREAD;
    if (header[8] < TRACE_VERSION_OLDEST || header[8] > TRACE_VERSION)
        return "is a trace of another version";
    if (info->level > TRACE_LEVEL_MAX || info->cpus < 1 || info->cpus > BOARD_MAX_CPUS ||
        (header[11] & of_process) == of_process ||
        header[11] & ~(TRACE_FLAG_TIMES | TRACE_FLAG_WHOLE | of_process | (info->level == 0 ? TRACE_FLAG_MIPS1 : 0)))
        return "damaged: invalid header";
    return NULL;
}

/* The header of a binary trace, whose first bytes have been read. */
static const char *read_header(struct trace_reader *reader)
{
    enum { MAGIC = 8 };
    const size_t rest = TRACE_HEADER_BYTES - MAGIC;
    reader->used = 0;
    if (trace_input_read(reader->input, reader->block + MAGIC, rest) < rest)
        return trace_input_error(reader->input) ? trace_input_error(reader->input) : "damaged: truncated header";
    return check_header(reader->block, &reader->info);
}

/* Bytes of the line at the reader's position, without its newline; what there is if it is the last, or too long. */
static size_t line_length(const struct trace_reader *reader)
{
    const uint8_t *line = reader->block + reader->at, *end = memchr(line, '\n', reader->used - reader->at);
    return end ? (size_t)(end - line) : reader->used - reader->at;
}

/* Fill the block with text from the current line on. */
static void read_text(struct trace_reader *reader)
{
    reader->used -= reader->at;
    memmove(reader->block, reader->block + reader->at, reader->used);
    reader->at = 0;
    reader->used += trace_input_read(reader->input, reader->block + reader->used, sizeof reader->block - reader->used);
}

/* The format of the file: by its first bytes. Returns NULL, or the error. */
static const char *recognise(struct trace_reader *reader)
{
    struct reference reference;
    reader->used = trace_input_read(reader->input, reader->block, sizeof TRACE_MAGIC - 1);
    if (trace_input_error(reader->input))
        return trace_input_error(reader->input);
    if (reader->used == sizeof TRACE_MAGIC - 1 && memcmp(reader->block, TRACE_MAGIC, reader->used) == 0)
        return read_header(reader);
    read_text(reader);
    if (din_decode((const char *)reader->block, line_length(reader), &reference) == DIN_BAD || reader->used == 0)
        return "is not a trace: neither a binary one of simos nor din text";
    reader->info = (struct trace_info){.level = 1, .cpus = 1, .whole = true, .fetch_line = 4, .is_din = true};
    return NULL;
}

struct trace_reader *trace_reader_open(const char *path, struct trace_info *info, struct err *err)
{
    struct trace_input *input = trace_input_open(path, err);
    if (!input)
        return NULL;
    struct trace_reader *reader = checked_memory(calloc(1, sizeof *reader));
    reader->path = checked_memory(strdup(path));
    reader->input = input;
    const char *wrong = recognise(reader);
    if (wrong) {
        err_set(err, "trace %s: %s", path, wrong);
        trace_reader_close(reader);
        return NULL;
    }
    *info = reader->info;
    return reader;
}

void trace_reader_close(struct trace_reader *reader)
{
    if (!reader)
        return;
    trace_input_close(reader->input);
    free(reader->path);
    free(reader);
}

static bool damaged(struct trace_reader *reader, struct err *err, const char *what)
{
    reader->damaged = true;
    return err_set(err, "trace %s: damaged: block %llu %s", reader->path, (unsigned long long)reader->blocks, what);
}

static bool read_bytes(struct trace_reader *reader, uint8_t *to, size_t count, struct err *err)
{
    if (trace_input_read(reader->input, to, count) == count)
        return true;
    return damaged(reader, err, trace_input_error(reader->input) ? trace_input_error(reader->input) : "is truncated");
}

/* Checks the end record, whose header has been read, and that nothing follows it. */
static bool read_end(struct trace_reader *reader, uint32_t crc, struct err *err)
{
    uint8_t count[8];
    if (!read_bytes(reader, count, sizeof count, err))
        return false;
    if (crc32(0, count, sizeof count) != crc || trace_get(count, 8) != reader->count)
        return damaged(reader, err, "has a wrong reference count");
    if (trace_input_read(reader->input, count, 1) != 0)
        return damaged(reader, err, "is the last, but more data follow");
    reader->ended = true;
    return true;
}

static bool read_block(struct trace_reader *reader, struct err *err)
{
    uint8_t header[TRACE_BLOCK_HEADER_BYTES];
    reader->blocks++;
    if (!read_bytes(reader, header, sizeof header, err))
        return false;
    uLongf used = trace_get(header, 4);
    size_t stored = (size_t)trace_get(header + 4, 4);
    uint32_t crc = (uint32_t)trace_get(header + 8, 4);
    if (used == 0 && stored == 8)
        return read_end(reader, crc, err);
    if (used == 0 || used > sizeof reader->block || stored > sizeof reader->packed)
        return damaged(reader, err, "has an impossible size");
    if (!read_bytes(reader, reader->packed, stored, err))
        return false;
    if (crc32(0, reader->packed, (uInt)stored) != crc)
        return damaged(reader, err, "has a wrong checksum");
    reader->used = used;
    if (uncompress(reader->block, &used, reader->packed, stored) != Z_OK || used != reader->used)
        return damaged(reader, err, "cannot be unpacked");
    reader->at = 0;
    reader->state = (struct trace_state){.cpu = 0};
    return true;
}

double trace_reader_fraction(const struct trace_reader *reader)
{
    return trace_input_fraction(reader->input);
}

/* The next reference of din text. */
static enum trace_next next_line(struct trace_reader *reader, struct reference *reference, struct err *err)
{
    for (;;) {
        size_t length = line_length(reader);
        if (reader->at + length == reader->used) {
            read_text(reader);
            length = line_length(reader);
        }
        reader->blocks++;
        const char *wrong = trace_input_error(reader->input);
        if (!wrong && reader->used == 0)
            return TRACE_END;
        if (!wrong && length == sizeof reader->block)
            wrong = "is too long";
        const char *line = (const char *)reader->block + reader->at;
        enum din_line kind = wrong ? DIN_BAD : din_decode(line, length, reference);
        if (kind == DIN_BAD) {
            reader->damaged = true;
            err_set(err, "trace %s: line %llu %s", reader->path, (unsigned long long)reader->blocks,
                    wrong ? wrong
                          : "is not \"LABEL ADDRESS\", a label from 0 to 4 and a hexadecimal address to ffffffff");
            return TRACE_DAMAGED;
        }
        reader->at += length + (reader->at + length < reader->used);
        if (kind == DIN_REFERENCE) {
            reader->count++;
            return TRACE_REFERENCE;
        }
    }
}

enum trace_next trace_reader_next(struct trace_reader *reader, struct reference *reference, struct err *err)
{
    if (reader->damaged)
        return TRACE_DAMAGED;
    if (reader->info.is_din)
        return next_line(reader, reference, err);
    if (reader->at == reader->used && !reader->ended && !read_block(reader, err))
        return TRACE_DAMAGED;
    if (reader->ended)
        return TRACE_END;
    size_t length = trace_decode(&reader->state, reader->block + reader->at, reader->used - reader->at,
                                 trace_fields_of(reader->info.level, reader->info.times, reader->info.calls),
                                 reader->info.cpus, reference);
    if (length == 0) {
        damaged(reader, err, "holds an invalid reference");
        return TRACE_DAMAGED;
    }
    reader->at += length;
    reader->count++;
    return TRACE_REFERENCE;
}
