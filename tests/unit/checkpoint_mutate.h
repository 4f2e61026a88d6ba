/*
 * Damage to a checkpoint file: bits, lengths, missing ends; and the same in what the checksums cover, with the
 * checksums made right again, so that the values behind them are reached.
 */
#ifndef SIMOS_TESTS_CHECKPOINT_MUTATE_H
#define SIMOS_TESTS_CHECKPOINT_MUTATE_H

#include "checkpoint/format.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct image {
    uint8_t *bytes;
    size_t size;
};

struct dice {
    uint64_t state;
};

static inline uint64_t dice_throw(struct dice *dice, uint64_t sides)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (dice->state >> 11) % sides;
}

static inline bool image_read(struct image *image, const char *path)
{
    FILE *in = fopen(path, "rb");
    *image = (struct image){NULL, 0};
    if (!in || fseek(in, 0, SEEK_END) != 0)
        return false;
    image->size = (size_t)ftell(in);
    image->bytes = malloc(image->size + 1);
    rewind(in);
    bool done = fread(image->bytes, 1, image->size, in) == image->size;
    fclose(in);
    return done;
}

static inline bool image_write(const struct image *image, const char *path)
{
    FILE *out = fopen(path, "wb");
    bool done = out && fwrite(image->bytes, 1, image->size, out) == image->size;
    return out && fclose(out) == 0 && done;
}

/* A few bytes of BYTES become something else: a bit, a byte, a word of a kind that lengths are. */
static inline void mutate_bytes(struct dice *dice, uint8_t *bytes, size_t size)
{
    static const uint64_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 40, INT64_MAX, UINT64_MAX};
    for (uint64_t changes = 1 + dice_throw(dice, 3); size && changes; changes--) {
        size_t at = dice_throw(dice, size);
        uint64_t word = words[dice_throw(dice, sizeof words / sizeof words[0])];
        size_t width = (size_t)1 << dice_throw(dice, 4);
        switch (dice_throw(dice, 3)) {
        case 0: bytes[at] ^= (uint8_t)(1 << dice_throw(dice, 8)); break;
        case 1: bytes[at] = (uint8_t)dice_throw(dice, 256); break;
        default: memcpy(bytes + at, &word, width < size - at ? width : size - at); break;
        }
    }
}

/* The bytes of the file as they are: flipped, cut, or with something behind them. */
static inline void mutate_plain(struct dice *dice, struct image *image)
{
    switch (dice_throw(dice, 4)) {
    case 0: image->size = dice_throw(dice, image->size); break;
    case 1:
        if (dice_throw(dice, 8) == 0) {
            image->bytes[image->size++] = 0;
            break;
        }
        /* fall through */
    default: mutate_bytes(dice, image->bytes, image->size); break;
    }
}

static inline void append(struct image *image, const void *bytes, size_t count)
{
    image->bytes = realloc(image->bytes, image->size + count + 1);
    memcpy(image->bytes + image->size, bytes, count);
    image->size += count;
}

/* SECTION with its content CHANGED by CHANGE, as a reader finds it who trusts checksums. */
static inline void append_section(struct image *to, struct format_section section, const uint8_t *content, size_t size)
{
    uLongf stored = compressBound(size);
    uint8_t *packed = malloc(stored);
    if (compress2(packed, &stored, content, size, 1) != Z_OK)
        abort();
    section.stored = stored;
    section.stored_checksum = (uint32_t)crc32_z(0, packed, stored);
    section.checksum = (uint32_t)crc32_z(0, (const void *)&section, offsetof(struct format_section, checksum));
    append(to, &section, sizeof section);
    append(to, packed, stored);
    free(packed);
}

/* A section of a file that is being signed again: may be changed, and left out. */
struct unpacked {
    struct format_section section;
    uint8_t *content;
    size_t size; /* what there is of it; section.size is what it says */
    bool dropped;
};

/* IMAGE, a whole file, with its section NUMBER as CHANGE leaves it, and all checksums right. */
static inline void change_section(struct image *image, size_t number,
                                  void (*change)(void *opaque, struct unpacked *unpacked), void *opaque)
{
    struct image to = {NULL, 0};
    struct format_header header;
    memcpy(&header, image->bytes, sizeof header);
    append(&to, &header, sizeof header);
    size_t at = sizeof header;
    for (uint32_t i = 0, count = header.sections; i < count; i++) {
        struct unpacked unpacked = {.dropped = false};
        memcpy(&unpacked.section, image->bytes + at, sizeof unpacked.section);
        uLongf size = unpacked.section.size;
        unpacked.content = malloc(size + 1);
        at += sizeof unpacked.section;
        if (uncompress(unpacked.content, &size, image->bytes + at, unpacked.section.stored) != Z_OK)
            abort();
        at += unpacked.section.stored;
        unpacked.size = size;
        if (i == number)
            change(opaque, &unpacked);
        if (unpacked.dropped)
            header.sections--;
        else
            append_section(&to, unpacked.section, unpacked.content, unpacked.size);
        free(unpacked.content);
    }
    header.checksum = (uint32_t)crc32_z(0, (const void *)&header, offsetof(struct format_header, checksum));
    memcpy(to.bytes, &header, sizeof header);
    struct format_end end = {FORMAT_END_MARK, (uint32_t)crc32_z(0, to.bytes, to.size)};
    append(&to, &end, sizeof end);
    free(image->bytes);
    *image = to;
}

/* One section's header or content is damaged, near the front, where lengths and tables are, more often than not. */
static inline void damage_section(void *opaque, struct unpacked *unpacked)
{
    struct dice *dice = opaque;
    switch (dice_throw(dice, 10)) {
    case 0:
    case 1: mutate_bytes(dice, (uint8_t *)&unpacked->section, sizeof unpacked->section); break;
    case 2: unpacked->section.size = unpacked->size = dice_throw(dice, unpacked->size + 1); break;
    case 3: unpacked->dropped = true; break;
    case 4: mutate_bytes(dice, unpacked->content, unpacked->size); break;
    default: mutate_bytes(dice, unpacked->content, unpacked->size < 400 ? unpacked->size : 400); break;
    }
}

static inline void mutate_signed(struct dice *dice, struct image *image)
{
    struct format_header header;
    memcpy(&header, image->bytes, sizeof header);
    change_section(image, dice_throw(dice, header.sections), damage_section, dice);
}

#endif
