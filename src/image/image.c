#include "src/image/image.h"

#include "src/base/array.h"
#include "src/base/input_file.h"
#include "src/base/read_at.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Content */

bool image_copy(const struct image *image, uint64_t offset, uint64_t size, void *to, struct err *err)
{
    if (offset > image->size || size > image->size - offset)
        log_bug("image: bytes %llu to %llu of %llu", (unsigned long long)offset, (unsigned long long)(offset + size),
                (unsigned long long)image->size);
    if (image->fd < 0) {
        memcpy(to, image->bytes + offset, size);
        return true;
    }
    if (read_at(image->fd, to, size, offset) != (int64_t)size)
        return err_set(err, "kernel %s: cannot be read", image->path);
    return true;
}

void image_replace(struct image *image, uint8_t *bytes, size_t size)
{
    if (image->fd >= 0)
        close(image->fd);
    image->fd = -1;
    free(image->bytes);
    image->bytes = bytes;
    image->size = size;
}

bool image_hold(struct image *image, struct err *err)
{
    if (image->fd < 0)
        return true;
    if (image->size > IMAGE_MAX_BYTES)
        return err_set(err, "kernel %s: %llu bytes, and no ELF file; at most %u MB", image->path,
                       (unsigned long long)image->size, IMAGE_MAX_BYTES >> 20);
    uint8_t *bytes = checked_memory(malloc(image->size + 1));
    if (!image_copy(image, 0, image->size, bytes, err)) {
        free(bytes);
        return false;
    }
    image_replace(image, bytes, image->size);
    return true;
}

void image_add(struct image *image, const struct image_piece *piece)
{
    image->pieces = array_room(image->pieces, image->count, sizeof *image->pieces);
    image->pieces[image->count++] = *piece;
}

void image_close(struct image *image)
{
    if (image->fd >= 0)
        close(image->fd);
    free(image->bytes);
    free(image->pieces);
}

/* gzip */

/* Expand one member; *TO and *LENGTH grow. */
static bool expand_member(const struct image *image, z_stream *stream, uint8_t **to, size_t *length, struct err *err)
{
    enum { PART = 1 << 20, GZIP_ONLY = 16 };
    int state = inflateInit2(stream, MAX_WBITS + GZIP_ONLY);
    if (state != Z_OK)
        log_bug("zlib: %d", state);
    while (state == Z_OK) {
        if (*length > IMAGE_MAX_BYTES)
            break;
        *to = checked_memory(realloc(*to, *length + PART));
        stream->next_out = *to + *length;
        stream->avail_out = PART;
        state = inflate(stream, Z_NO_FLUSH);
        *length += PART - stream->avail_out;
    }
    inflateEnd(stream);
    if (*length > IMAGE_MAX_BYTES)
        return err_set(err, "kernel %s: more than %u MB when expanded", image->path, IMAGE_MAX_BYTES >> 20);
    return state == Z_STREAM_END ||
           err_set(err, "kernel %s: its gzip data are %s", image->path, state == Z_BUF_ERROR ? "truncated" : "damaged");
}

static bool is_gzip(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

uint8_t *image_expand(const struct image *image, const uint8_t *from, size_t size, size_t *length, struct err *err)
{
    /* zlib does not change its input, and IMAGE_MAX_BYTES fits its counters */
    z_stream stream = {.next_in = (uint8_t *)(uintptr_t)from, .avail_in = (uInt)size};
    uint8_t *to = NULL;
    *length = 0;
    do {
        if (!expand_member(image, &stream, &to, length, err)) {
            free(to);
            return NULL;
        }
    } while (is_gzip(stream.next_in, stream.avail_in)); /* gzip files may be concatenated; gzip ignores other bytes */
    return to;
}

bool image_open(struct image *image, const char *path, struct err *err)
{
    uint8_t magic[2];
    *image = (struct image){.path = path, .fd = -1};
    image->fd = input_file_open(INPUT_KERNEL, path, &image->size, err);
    if (image->fd < 0)
        return false;
    if (image->size < sizeof magic)
        return true;
    if (!image_copy(image, 0, sizeof magic, magic, err))
        return false;
    if (!is_gzip(magic, sizeof magic))
        return true;
    size_t length;
    if (!image_hold(image, err))
        return false;
    uint8_t *expanded = image_expand(image, image->bytes, (size_t)image->size, &length, err);
    if (expanded)
        image_replace(image, expanded, length);
    return expanded;
}

/* Format */

/* What the content begins with. Files that cannot be loaded are listed so that the message names them. */
static const struct mark {
    const char *bytes;
    unsigned length;
    enum image_format format;
    const char *refused;
} marks[] = {
    {"\177ELF", 4, IMAGE_ELF, NULL},
    {"\x27\x05\x19\x56", 4, IMAGE_UIMAGE, NULL},
    {"\xd0\x0d\xfe\xed", 4, IMAGE_UNKNOWN,
     "a FIT image or a device tree; dumpimage extracts the kernel of a FIT image"},
    {"\x1f\x8b", 2, IMAGE_UNKNOWN, "compressed twice with gzip"},
    {"\xfd"
     "7zXZ",
     5, IMAGE_UNKNOWN, "compressed with xz; expand it first"},
    {"BZh", 3, IMAGE_UNKNOWN, "compressed with bzip2; expand it first"},
    {"\x28\xb5\x2f\xfd", 4, IMAGE_UNKNOWN, "compressed with zstd; expand it first"},
    {"\x02\x21\x4c\x18", 4, IMAGE_UNKNOWN, "compressed with lz4; expand it first"},
    {"\x04\x22\x4d\x18", 4, IMAGE_UNKNOWN, "compressed with lz4; expand it first"},
    {"\x5d\0\0", 3, IMAGE_UNKNOWN, "compressed with lzma; expand it first"},
    {"MZ", 2, IMAGE_UNKNOWN, "a program for EFI, Windows or DOS"},
    {"070701", 6, IMAGE_UNKNOWN, "a cpio archive: an initial RAM disk is named with --initrd"},
    {"!<arch>\n", 8, IMAGE_UNKNOWN, "an archive (ar, or a package of Debian)"},
};
enum { LONGEST_MARK = 16 };

static bool is_record(const char *text, size_t length)
{
    return length >= 4 && text[0] == 'S' && isdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]) &&
           isxdigit((unsigned char)text[3]);
}

static bool is_hex_record(const char *text, size_t length)
{
    if (length < 11 || text[0] != ':')
        return false;
    for (size_t i = 1; i < 11; i++)
        if (!isxdigit((unsigned char)text[i]))
            return false;
    return true;
}

bool image_recognise(const struct image *image, enum image_format *format, struct err *err)
{
    char first[LONGEST_MARK];
    const size_t length = image->size < sizeof first ? (size_t)image->size : sizeof first;
    *format = IMAGE_UNKNOWN;
    if (!image_copy(image, 0, length, first, err))
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (length < marks[i].length || memcmp(first, marks[i].bytes, marks[i].length) != 0)
            continue;
        if (marks[i].refused)
            return err_set(err, "kernel %s: %s", image->path, marks[i].refused);
        *format = marks[i].format;
        return true;
    }
    if (is_record(first, length))
        *format = IMAGE_S_RECORDS;
    else if (is_hex_record(first, length))
        *format = IMAGE_INTEL_HEX;
    return true;
}
