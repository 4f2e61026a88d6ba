#include "src/memory/physmem_history.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES = 1 << (32 - PAGE_SHIFT), LANES = 8 };

struct content {
    uint64_t low, high;
};

struct physmem_history {
    uint32_t present;           /* number of the present file */
    uint32_t files[PAGES];      /* file that holds the page; valid for RAM only */
    struct content hash[PAGES]; /* hash of the page at the last file */
};

/* For each lane, every step is a permutation of the word's values, and the final sum multiplies each lane by an odd
 * number: so a change of a single word always changes the hash. Several lanes use the host's multipliers in
 * parallel. */
static struct content content_of(const uint8_t *page)
{
    uint64_t lane[LANES] = {1, 2, 3, 4, 5, 6, 7, 8}, word;
    for (unsigned i = 0; i < PAGE_SIZE; i += 8 * LANES)
        for (unsigned j = 0; j < LANES; j++) {
            memcpy(&word, page + i + 8 * j, sizeof word);
            lane[j] = (lane[j] ^ word) * 0xff51afd7ed558ccd;
            lane[j] ^= lane[j] >> 32;
        }
    return (struct content){lane[0] + lane[1] * 0x9e3779b97f4a7c15 + lane[2] * 0xc2b2ae3d27d4eb4f + lane[3] * 5,
                            lane[4] + lane[5] * 0x9e3779b97f4a7c15 + lane[6] * 0xc2b2ae3d27d4eb4f + lane[7] * 5};
}

static bool is_ram(const struct physmem *mem, uint32_t page)
{
    return mem->page_flags[page] & PAGE_IS_RAM;
}

void physmem_history_begin(struct physmem *mem, uint32_t number)
{
    if (!mem->history)
        mem->history = checked_memory(calloc(1, sizeof *mem->history)); /* sparse: entries outside RAM stay unmapped */
    struct physmem_history *history = mem->history;
    history->present = number;
    for (uint32_t page = 0; page < PAGES; page++) {
        if (!is_ram(mem, page))
            continue;
        struct content content = content_of(physmem_host(mem, page << PAGE_SHIFT));
        bool same = content.low == history->hash[page].low && content.high == history->hash[page].high;
        history->hash[page] = content;
        if (!same || number == 0)
            history->files[page] = number;
    }
}

void physmem_history_free(struct physmem_history *history)
{
    free(history);
}

bool physmem_history_is_own(const struct physmem_history *history, uint32_t page)
{
    return history->files[page] == history->present;
}

void physmem_history_count(const struct physmem *mem, uint64_t *units)
{
    for (uint32_t page = 0; page < PAGES; page++)
        if (is_ram(mem, page))
            units[mem->history->files[page]]++;
}

void physmem_history_take_over(struct physmem *mem, uint32_t file)
{
    struct physmem_history *history = mem->history;
    for (uint32_t page = 0; page < PAGES; page++)
        if (is_ram(mem, page) && history->files[page] == file)
            history->files[page] = history->present;
}
