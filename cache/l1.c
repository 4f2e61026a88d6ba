#include "cache/l1.h"

#include "src/log.h"
#include <stdlib.h>

/* Shift the entries FIRST .. ENTRY-1 back by one, over ENTRY. */
static inline void shift_back(struct l1_cache *l1, uint32_t first, uint32_t entry)
{
    for (; entry > first; entry--) {
        l1->tag[entry] = l1->tag[entry - 1];
        l1->write_tag[entry] = l1->write_tag[entry - 1];
    }
}

static inline uint32_t move_to_front(struct l1_cache *l1, uint32_t first, uint32_t entry)
{
    uint32_t tag = l1->tag[entry];
    uint32_t write_tag = l1->write_tag[entry];
    shift_back(l1, first, entry);
    l1->tag[first] = tag;
    l1->write_tag[first] = write_tag;
    return first;
}

bool l1_hit_behind(struct l1_cache *l1, uint32_t first, uint32_t line, bool write)
{
    const uint32_t *tags = write ? l1->write_tag : l1->tag;
    for (uint32_t entry = first + 1; entry < first + l1->ways; entry++) {
        if (tags[entry] == line) {
            move_to_front(l1, first, entry);
            return true;
        }
    }
    return false;
}

uint32_t l1_touch(struct l1_cache *l1, uint32_t entry)
{
    return move_to_front(l1, entry & ~(l1->ways - 1), entry);
}

void l1_init(struct l1_cache *l1, uint32_t size, uint32_t line, uint32_t ways)
{
    size_t entries = size / line;
    l1->line_shift = (uint32_t)__builtin_ctz(line);
    l1->line_mask = ~(line - 1);
    l1->ways = ways;
    l1->set_mask = size / line / ways - 1;
    /* Lines have at least 8 bytes and sets at most 8 ways, so the shift is never negative. */
    l1->first_shift = l1->line_shift - (uint32_t)__builtin_ctz(ways);
    l1->first_mask = l1->set_mask * ways;
    l1->tag = malloc(entries * sizeof *l1->tag);
    l1->write_tag = malloc(entries * sizeof *l1->write_tag);
    if (!l1->tag || !l1->write_tag)
        log_bug("out of memory for the tags of a cache of %u bytes", size);
    l1_clear(l1);
}

void l1_release(struct l1_cache *l1)
{
    free(l1->tag);
    free(l1->write_tag);
    l1->tag = NULL;
    l1->write_tag = NULL;
}

void l1_clear(struct l1_cache *l1)
{
    size_t entries = (size_t)(l1->set_mask + 1) * l1->ways;
    for (size_t entry = 0; entry < entries; entry++) {
        l1->tag[entry] = L1_INVALID;
        l1->write_tag[entry] = L1_INVALID;
    }
}

bool l1_fill(struct l1_cache *l1, paddr line, bool dirty)
{
    uint32_t first = l1_first(l1, line);
    uint32_t last = first + l1->ways - 1;
    bool victim_dirty = l1->write_tag[last] != L1_INVALID;
    shift_back(l1, first, last);
    l1->tag[first] = line;
    l1->write_tag[first] = dirty ? line : L1_INVALID;
    return victim_dirty;
}

enum l1_found l1_remove(struct l1_cache *l1, paddr line)
{
    uint32_t entry = l1_find(l1, line);
    if (entry == L1_NOWHERE)
        return L1_ABSENT;
    enum l1_found found = l1->write_tag[entry] == line ? L1_DIRTY : L1_CLEAN;
    uint32_t last = entry | (l1->ways - 1);
    for (; entry < last; entry++) {
        l1->tag[entry] = l1->tag[entry + 1];
        l1->write_tag[entry] = l1->write_tag[entry + 1];
    }
    l1->tag[last] = L1_INVALID;
    l1->write_tag[last] = L1_INVALID;
    return found;
}

enum l1_found l1_clean(struct l1_cache *l1, paddr line)
{
    uint32_t entry = l1_find(l1, line);
    if (entry == L1_NOWHERE)
        return L1_ABSENT;
    enum l1_found found = l1->write_tag[entry] == line ? L1_DIRTY : L1_CLEAN;
    l1->write_tag[entry] = L1_INVALID;
    return found;
}
