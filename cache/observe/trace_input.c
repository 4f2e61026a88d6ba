#include "cache/observe/trace_input.h"

#include "src/base/input_file.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MARK = 6, BLOCK = 1 << 16 };

struct trace_input {
    FILE *file;
    struct archive *archive; /* NULL: not compressed */
    const char *error;
    char text[200];       /* of libarchive's error */
    size_t mark, at_mark; /* bytes read to recognise the file, and those of them that have been delivered */
    uint8_t block[BLOCK]; /* begins with these; then libarchive's input */
};

static void fail(struct trace_input *input, const char *why)
{
    snprintf(input->text, sizeof input->text, "%s", why ? why : "cannot be unpacked");
    input->error = input->text;
}

/* libarchive's input: first what has been read to recognise the file. */
static la_ssize_t read_file(struct archive *archive, void *opaque, const void **bytes)
{
    struct trace_input *input = opaque;
    size_t count = input->mark - input->at_mark;
    *bytes = input->block + input->at_mark;
    if (count == 0) {
        *bytes = input->block;
        errno = 0;
        count = fread(input->block, 1, sizeof input->block, input->file);
        if (count == 0 && ferror(input->file)) {
            archive_set_error(archive, errno, "%s", strerror(errno));
            return -1;
        }
    }
    input->at_mark = input->mark;
    return (la_ssize_t)count;
}

/* How a file is compressed, by its first bytes. */
struct compression {
    size_t length;
    uint8_t magic[MARK];
    int (*support)(struct archive *archive);
};

/* NULL: not at all. */
static const struct compression *compression_of(const struct trace_input *input)
{
    static const struct compression all[] = {
        {2, {0x1f, 0x8b}, archive_read_support_filter_gzip},
        {6, {0xfd, '7', 'z', 'X', 'Z', 0}, archive_read_support_filter_xz},
        {4, {0x28, 0xb5, 0x2f, 0xfd}, archive_read_support_filter_zstd},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (input->mark >= all[i].length && memcmp(input->block, all[i].magic, all[i].length) == 0)
            return &all[i];
    return NULL;
}

static void start_unpacking(struct trace_input *input, const struct compression *compression)
{
    struct archive_entry *entry;
    struct archive *archive = input->archive = checked_memory(archive_read_new());
    if (compression->support(archive) != ARCHIVE_OK || archive_read_support_format_raw(archive) != ARCHIVE_OK ||
        archive_read_support_format_empty(archive) != ARCHIVE_OK ||
        archive_read_open(archive, input, NULL, read_file, NULL) != ARCHIVE_OK)
        fail(input, archive_error_string(archive));
    else if (archive_read_next_header(archive, &entry) < ARCHIVE_OK)
        fail(input, archive_error_string(archive));
}

struct trace_input *trace_input_open(const char *path, struct err *err)
{
    FILE *file = input_file_stream(INPUT_TRACE, path, err);
    if (!file)
        return NULL;
    struct trace_input *input = checked_memory(calloc(1, sizeof *input));
    input->file = file;
    errno = 0;
    input->mark = fread(input->block, 1, MARK, file);
    if (input->mark < MARK && ferror(file))
        fail(input, strerror(errno));
    else if (compression_of(input))
        start_unpacking(input, compression_of(input));
    return input;
}

void trace_input_close(struct trace_input *input)
{
    if (!input)
        return;
    archive_read_free(input->archive);
    fclose(input->file);
    free(input);
}

static size_t read_plain(struct trace_input *input, uint8_t *to, size_t count)
{
    size_t first = input->mark - input->at_mark;
    first = first < count ? first : count;
    memcpy(to, input->block + input->at_mark, first);
    input->at_mark += first;
    errno = 0;
    const size_t rest = fread(to + first, 1, count - first, input->file);
    if (rest < count - first && ferror(input->file))
        fail(input, strerror(errno));
    return first + rest;
}

size_t trace_input_read(struct trace_input *input, void *to, size_t count)
{
    size_t done = 0;
    if (input->error)
        return 0;
    if (!input->archive)
        return read_plain(input, to, count);
    while (done < count) {
        la_ssize_t part = archive_read_data(input->archive, (uint8_t *)to + done, count - done);
        if (part < 0)
            fail(input, archive_error_string(input->archive));
        if (part <= 0)
            break;
        done += (size_t)part;
    }
    return done;
}

const char *trace_input_error(const struct trace_input *input)
{
    return input->error;
}

double trace_input_fraction(const struct trace_input *input)
{
    struct stat file;
    const off_t at = ftello(input->file);
    if (fstat(fileno(input->file), &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0 || at < 0)
        return -1;
    return at < file.st_size ? (double)at / (double)file.st_size : 1;
}
