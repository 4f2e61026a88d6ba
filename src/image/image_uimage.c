/*
 * The legacy image format of U-Boot (uImage; include/image.h of U-Boot, struct legacy_img_hdr): a header of 64 bytes,
 * all numbers big-endian, then the data.
 */
#include "src/image/image.h"

#include <string.h>
#include <zlib.h>

enum { HEADER_BYTES = 64, AT_SUM = 4, AT_SIZE = 12, AT_LOAD = 16, AT_ENTRY = 20, AT_DATA_SUM = 24, AT_ARCH = 29 };
enum { AT_TYPE = 30, AT_COMPRESSION = 31, ARCH_MIPS = 5, COMPRESSION_NONE = 0, COMPRESSION_GZIP = 1 };

static uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t sum(const uint8_t *bytes, uint64_t size)
{
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

/* Name NUMBER in the list NAMES of COUNT; NULL: not in it. */
static const char *name_of(const char *const *names, size_t count, unsigned number)
{
    return number < count ? names[number] : NULL;
}
#define NAME_OF(names, number) name_of(names, sizeof(names) / sizeof(names)[0], number)

/* Is it for this machine? */
static bool check_kind(const struct image *image, const uint8_t *header, struct err *err)
{
    static const char *const archs[] = {NULL,      "Alpha", "ARM",    "x86",   "Itanium", "MIPS", "MIPS64",
                                        "PowerPC", "S390",  "SuperH", "SPARC", "SPARC64", "M68K"};
    static const char *const types[] = {NULL,       "standalone program", "kernel",
                                        "RAM disk", "multi-file image",   "firmware",
                                        "script",   "file system",        "device tree"};
    static const char *const compressions[] = {NULL, NULL, "bzip2", "lzma", "lzo", "lz4", "zstd"};
    static const bool loadable[] = {[1] = true, [2] = true, [5] = true};
    const unsigned arch = header[AT_ARCH], type = header[AT_TYPE], compression = header[AT_COMPRESSION];
    const char *name;
    if (arch != ARCH_MIPS) {
        name = NAME_OF(archs, arch);
        return err_set(err, "kernel %s: uImage for %s (architecture %u), not MIPS", image->path,
                       name ? name : "another CPU", arch);
    }
    if (type >= sizeof loadable / sizeof loadable[0] || !loadable[type]) {
        name = NAME_OF(types, type);
        return err_set(err, "kernel %s: uImage of a %s (type %u), not a kernel, program or firmware", image->path,
                       name ? name : "thing unknown here", type);
    }
    if (compression > COMPRESSION_GZIP) {
        name = NAME_OF(compressions, compression);
        return err_set(err, "kernel %s: uImage compressed with %s (%u); only gzip is expanded", image->path,
                       name ? name : "another program", compression);
    }
    return true;
}

bool image_read_uimage(struct image *image, struct err *err)
{
    uint8_t header[HEADER_BYTES], without[HEADER_BYTES];
    if (!image_hold(image, err))
        return false;
    if (image->size < HEADER_BYTES)
        return err_set(err, "kernel %s: uImage truncated in its header", image->path);
    memcpy(header, image->bytes, HEADER_BYTES);
    memcpy(without, header, HEADER_BYTES);
    memset(without + AT_SUM, 0, 4); /* the checksum is made with 0 in its own place */
    const uint32_t size = word(header + AT_SIZE);
    if (sum(without, HEADER_BYTES) != word(header + AT_SUM))
        return err_set(err, "kernel %s: uImage damaged: the checksum of its header is wrong", image->path);
    if (size > image->size - HEADER_BYTES)
        return err_set(err, "kernel %s: uImage truncated: %llu bytes of data, the header says %u", image->path,
                       (unsigned long long)(image->size - HEADER_BYTES), size);
    if (sum(image->bytes + HEADER_BYTES, size) != word(header + AT_DATA_SUM))
        return err_set(err, "kernel %s: uImage damaged: the checksum of its data is wrong", image->path);
    if (!check_kind(image, header, err))
        return false;
    struct image_piece piece = {.address = word(header + AT_LOAD), .offset = HEADER_BYTES, .size = size};
    if (header[AT_COMPRESSION] == COMPRESSION_GZIP) {
        size_t length;
        uint8_t *expanded = image_expand(image, image->bytes + HEADER_BYTES, size, &length, err);
        if (!expanded)
            return false;
        image_replace(image, expanded, length);
        piece.offset = 0;
        piece.size = length;
    }
    piece.memory = piece.size;
    if (piece.size > 0)
        image_add(image, &piece);
    image->has_entry = true;
    image->entry = word(header + AT_ENTRY);
    return true;
}
