/*
 * Mutations of a checkpoint file: changed bits and lengths, truncation. mutate_signed() mutates data that checksums
 * cover and then recomputes the checksums, so that the parsers behind them are tested.
 */
#ifndef SIMOS_TESTS_UNIT_CHECKPOINT_MUTATE_H
#define SIMOS_TESTS_UNIT_CHECKPOINT_MUTATE_H

#include "tests/checkpoint/contents.h"

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

/* Change a few bytes of BYTES: one bit, one byte, or a word to a boundary value of lengths. */
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

/* Mutate the raw file: change bytes, truncate, or append. */
static inline void mutate_plain(struct dice *dice, struct bytes *file)
{
    switch (dice_throw(dice, 4)) {
    case 0: file->size = dice_throw(dice, file->size); break;
    case 1:
        if (dice_throw(dice, 8) == 0) {
            file->at[file->size++] = 0;
            break;
        }
        /* fall through */
    default: mutate_bytes(dice, file->at, file->size); break;
    }
}

/* Mutate the header or content of one section, mostly near its beginning, where lengths and tables are; or remove the
 * section. */
static inline void damage_section(struct dice *dice, struct contents *contents, uint32_t number)
{
    struct section *section = &contents->sections[number];
    struct bytes *content = &section->content;
    switch (dice_throw(dice, 10)) {
    case 0:
    case 1: mutate_bytes(dice, (uint8_t *)&section->header, sizeof section->header); break;
    case 2: section->header.size = content->size = dice_throw(dice, content->size + 1); break;
    case 3:
        free(content->at);
        memmove(section, section + 1, (--contents->count - number) * sizeof *section);
        break;
    case 4: mutate_bytes(dice, content->at, content->size); break;
    default: mutate_bytes(dice, content->at, content->size < 400 ? content->size : 400); break;
    }
}

/* Mutate one section of FILE and recompute all checksums. */
static inline void mutate_signed(struct dice *dice, struct bytes *file)
{
    struct contents contents;
    if (!contents_of(&contents, file))
        abort();
    damage_section(dice, &contents, (uint32_t)dice_throw(dice, contents.count));
    free(file->at);
    *file = contents_to_file(&contents, Z_BEST_SPEED);
    contents_free(&contents);
}

#endif
