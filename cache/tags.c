#include "cache/tags.h"

#include "src/log.h"
#include <stdlib.h>
#include <string.h>

/* Shift the entries FIRST .. ENTRY-1 back by one, over ENTRY. */
static void shift_back(struct tags *tags, uint32_t first, uint32_t entry)
{
    for (; entry > first; entry--) {
        tags->tag[entry] = tags->tag[entry - 1];
        tags->state[entry] = tags->state[entry - 1];
    }
}

void tags_init(struct tags *tags, uint32_t size, uint32_t line, uint32_t ways)
{
    size_t entries = size / line;
    tags->line_shift = (uint32_t)__builtin_ctz(line);
    tags->line_mask = ~(line - 1);
    tags->ways = ways;
    tags->way_shift = (uint32_t)__builtin_ctz(ways);
    tags->set_mask = size / line / ways - 1;
    tags->tag = malloc(entries * sizeof *tags->tag);
    tags->state = malloc(entries * sizeof *tags->state);
    if (!tags->tag || !tags->state)
        log_bug("out of memory for the tags of a cache of %u bytes", size);
    tags_clear(tags);
}

void tags_release(struct tags *tags)
{
    free(tags->tag);
    free(tags->state);
    tags->tag = NULL;
    tags->state = NULL;
}

void tags_clear(struct tags *tags)
{
    uint32_t entries = tags_entries(tags);
    for (uint32_t entry = 0; entry < entries; entry++)
        tags->tag[entry] = TAGS_INVALID;
    memset(tags->state, 0, entries);
}

uint32_t tags_move_to_front(struct tags *tags, uint32_t entry)
{
    uint32_t first = entry & ~(tags->ways - 1);
    paddr line = tags->tag[entry];
    uint8_t state = tags->state[entry];
    shift_back(tags, first, entry);
    tags->tag[first] = line;
    tags->state[first] = state;
    return first;
}

struct tags_victim tags_insert(struct tags *tags, paddr line, uint8_t state)
{
    uint32_t first = tags_first(tags, line);
    uint32_t last = first + tags->ways - 1;
    struct tags_victim victim = {tags->tag[last], tags->state[last]};
    shift_back(tags, first, last);
    tags->tag[first] = line;
    tags->state[first] = state;
    return victim;
}

void tags_remove(struct tags *tags, uint32_t entry)
{
    uint32_t last = entry | (tags->ways - 1);
    for (; entry < last; entry++) {
        tags->tag[entry] = tags->tag[entry + 1];
        tags->state[entry] = tags->state[entry + 1];
    }
    tags->tag[last] = TAGS_INVALID;
    tags->state[last] = 0;
}
