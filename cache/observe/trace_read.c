#include "cache/observe/trace.h"
#include "cache/observe/trace_block.h"

#include "src/base/input_file.h"
#include "src/base/log.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

struct trace_reader {
    FILE *file;
    char *path;
    struct trace_info info;
    uint64_t blocks, count; /* blocks started, references returned */
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
                                .fetch_line = (uint32_t)trace_get(header + 12, 4)};
    if (memcmp(header, TRACE_MAGIC, 8) != 0)
        return "is not a binary trace of simos";
    if (header[8] != TRACE_VERSION)
        return "is a trace of another version";
    if (info->level < 1 || info->level > 3 || info->cpus < 1 || info->cpus > BOARD_MAX_CPUS ||
        header[11] & ~(TRACE_FLAG_TIMES | TRACE_FLAG_WHOLE))
        return "damaged: invalid header";
    return NULL;
}

struct trace_reader *trace_reader_open(const char *path, struct trace_info *info, struct err *err)
{
    uint8_t header[TRACE_HEADER_BYTES] = {0};
    FILE *file = input_file_stream(INPUT_TRACE, path, err);
    if (!file)
        return NULL;
    errno = 0;
    size_t got = fread(header, 1, sizeof header, file);
    const char *wrong = errno ? strerror(errno) : check_header(header, info);
    if (!wrong && got < sizeof header)
        wrong = "damaged: truncated header";
    if (wrong) {
        err_set(err, "trace %s: %s", path, wrong);
        fclose(file);
        return NULL;
    }
    struct trace_reader *reader = calloc(1, sizeof *reader);
    if (!reader || !(reader->path = strdup(path)))
        log_bug("out of memory");
    reader->file = file;
    reader->info = *info;
    return reader;
}

void trace_reader_close(struct trace_reader *reader)
{
    if (!reader)
        return;
    fclose(reader->file);
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
    errno = 0;
    if (fread(to, 1, count, reader->file) == count)
        return true;
    return damaged(reader, err, errno ? strerror(errno) : "is truncated");
}

/* Checks the end record, whose header has been read, and that nothing follows it. */
static bool read_end(struct trace_reader *reader, uint32_t crc, struct err *err)
{
    uint8_t count[8];
    if (!read_bytes(reader, count, sizeof count, err))
        return false;
    if (crc32(0, count, sizeof count) != crc || trace_get(count, 8) != reader->count)
        return damaged(reader, err, "has a wrong reference count");
    if (fgetc(reader->file) != EOF)
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
    struct stat file;
    const off_t at = ftello(reader->file);
    if (fstat(fileno(reader->file), &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0 || at < 0)
        return -1;
    return at < file.st_size ? (double)at / (double)file.st_size : 1;
}

enum trace_next trace_reader_next(struct trace_reader *reader, struct reference *reference, struct err *err)
{
    if (reader->damaged)
        return TRACE_DAMAGED;
    if (reader->at == reader->used && !reader->ended && !read_block(reader, err))
        return TRACE_DAMAGED;
    if (reader->ended)
        return TRACE_END;
    size_t length = trace_decode(&reader->state, reader->block + reader->at, reader->used - reader->at,
                                 reader->info.times, reader->info.cpus, reference);
    if (length == 0) {
        damaged(reader, err, "holds an invalid reference");
        return TRACE_DAMAGED;
    }
    reader->at += length;
    reader->count++;
    return TRACE_REFERENCE;
}
