/*
 * Damage to a checkpoint file: bits, lengths, missing ends; and the same in what the checksums cover, with the
 * checksums made right again, so that the values behind them are reached.
 */
#ifndef SIMOS_TESTS_CHECKPOINT_MUTATE_H
#define SIMOS_TESTS_CHECKPOINT_MUTATE_H

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

/* One section's header or content is damaged, near the front, where lengths and tables are, more often than not; or the
 * section is left out. */
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

/* FILE with a section damaged, and all checksums right: as a reader finds it who trusts them. */
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
