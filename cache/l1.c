#include "cache/l1.h"

#include "src/log.h"
#include <stdlib.h>
#include <string.h>

static inline void swap(uint32_t *a, uint32_t *b)
{
    uint32_t old = *a;
    *a = *b;
    *b = old;
}

void l1_swap(struct l1_cache *l1, uint32_t first)
{
    uint8_t *quick = l1->quick[first];
    swap(&l1->tag[first], &l1->tag[first + 1]);
    swap(&l1->write_tag[first], &l1->write_tag[first + 1]);
    l1->quick[first] = l1->quick[first + 1];
    l1->quick[first + 1] = quick;
    l1->front[first >> 1] ^= QUICK_WAY;
}

void l1_settle_all(struct l1_cache *l1)
{
    for (uint32_t set = 0; set <= l1->set_mask; set++)
        l1_settle(l1, set * l1->ways);
}

void l1_report_use(struct l1_cache *l1, uint8_t *last)
{
    l1_settle_all(l1);
    for (uint32_t set = 0; set <= l1->set_mask; set++) {
        l1_forget_quick(l1, 2 * set);
        l1_forget_quick(l1, 2 * set + 1);
        last[set] = l1->front[set];
    }
    l1->last = last;
}

uint32_t l1_touch(struct l1_cache *l1, uint32_t entry)
{
    if (l1->last && entry & 1) {
        l1_swap(l1, entry - 1);
        l1->last[entry >> 1] = l1->front[entry >> 1];
        return entry - 1;
    }
    if (entry & (l1->ways - 1))
        l1_forget_quick(l1, entry & ~(l1->ways - 1));
    for (; entry & (l1->ways - 1); entry--) {
        swap(&l1->tag[entry], &l1->tag[entry - 1]);
        swap(&l1->write_tag[entry], &l1->write_tag[entry - 1]);
    }
    return entry;
}

void l1_init(struct l1_cache *l1, uint32_t size, uint32_t line, uint32_t ways)
{
    size_t entries = size / line;
    l1->line_shift = (uint32_t)__builtin_ctz(line);
    l1->line_mask = ~(line - 1);
    l1->ways = ways;
    l1->way_shift = (uint32_t)__builtin_ctz(ways);
    l1->set_mask = size / line / ways - 1;
    /* Lines have at least 8 bytes and sets at most 8 ways, so the shift is never negative. */
    l1->first_shift = l1->line_shift - (uint32_t)__builtin_ctz(ways);
    l1->first_mask = l1->set_mask * ways;
    l1->tag = malloc(entries * sizeof *l1->tag);
    l1->write_tag = malloc(entries * sizeof *l1->write_tag);
    l1->quick = malloc(entries * sizeof *l1->quick);
    l1->front = calloc(entries / ways, 1);
    l1->last = NULL;
    if (!l1->tag || !l1->write_tag || !l1->quick || !l1->front)
        log_bug("out of memory for the tags of a cache of %u bytes", size);
    for (size_t entry = 0; entry < entries; entry++)
        l1->quick[entry] = &l1->nobody;
    l1_clear(l1);
}

static size_t entry_count(const struct l1_cache *l1)
{
    return (size_t)(l1->set_mask + 1) * l1->ways;
}

void l1_release(struct l1_cache *l1)
{
    free(l1->tag);
    free(l1->write_tag);
    free(l1->quick);
    free(l1->front);
}

void l1_clear(struct l1_cache *l1)
{
    size_t entries = entry_count(l1);
    for (size_t entry = 0; entry < entries; entry++) {
        l1_forget_quick(l1, (uint32_t)entry);
        l1->tag[entry] = L1_INVALID;
        l1->write_tag[entry] = L1_INVALID;
    }
}

/* Take ENTRY out, closing the gap. */
static enum l1_found remove_entry(struct l1_cache *l1, uint32_t entry)
{
    enum l1_found found = l1->write_tag[entry] != L1_INVALID ? L1_DIRTY : L1_CLEAN;
    uint32_t last = entry | (l1->ways - 1);
    l1_forget_quick(l1, entry);
    if (l1->last && !(entry & 1))
        l1->last[entry >> 1] = l1->front[entry >> 1] ^= QUICK_WAY;
    for (; entry < last; entry++) {
        l1->quick[entry] = l1->quick[entry + 1];
        l1->tag[entry] = l1->tag[entry + 1];
        l1->write_tag[entry] = l1->write_tag[entry + 1];
    }
    l1->tag[last] = L1_INVALID;
    l1->write_tag[last] = L1_INVALID;
    l1->quick[last] = &l1->nobody;
    return found;
}

enum l1_found l1_remove(struct l1_cache *l1, paddr line)
{
    l1_settle(l1, l1_first(l1, line));
    uint32_t entry = l1_find(l1, line);
    return entry == L1_NOWHERE ? L1_ABSENT : remove_entry(l1, entry);
}

static void clean_entry(struct l1_cache *l1, uint32_t entry)
{
    l1->write_tag[entry] = L1_INVALID;
    l1_forget_quick(l1, entry);
}

enum l1_found l1_clean(struct l1_cache *l1, paddr line)
{
    uint32_t entry = l1_find(l1, line);
    if (entry == L1_NOWHERE)
        return L1_ABSENT;
    enum l1_found found = l1->write_tag[entry] != L1_INVALID ? L1_DIRTY : L1_CLEAN;
    clean_entry(l1, entry);
    return found;
}

/* The lines inside an aligned line of the next level select consecutive sets, so their entries are one stretch of the
 * arrays that starts at l1_first(outer): its length. */
static inline uint32_t range_entries(const struct l1_cache *l1, uint32_t outer_size)
{
    uint32_t sets = outer_size >> l1->line_shift;
    return (sets <= l1->set_mask ? sets : l1->set_mask + 1) * l1->ways;
}

/* Is TAG (a tag or a write tag) a line inside the OUTER_SIZE bytes from OUTER? */
static inline bool is_inside(uint32_t tag, paddr outer, uint32_t outer_size)
{
    return (tag ^ outer) < outer_size && tag != L1_INVALID;
}

uint32_t l1_remove_range(struct l1_cache *l1, paddr outer, uint32_t outer_size, uint64_t *dirty)
{
    uint32_t removed = 0;
    const uint32_t *tag = l1->tag + l1_first(l1, outer);
    const uint32_t *end = tag + range_entries(l1, outer_size);
    if (l1->last)
        for (const uint32_t *set = tag; set < end; set += 2)
            l1_settle(l1, (uint32_t)(set - l1->tag));
    do {
        /* A removal moves the set's next line into this entry: look again. */
        while (SIM_UNLIKELY(is_inside(*tag, outer, outer_size))) {
            *dirty += remove_entry(l1, (uint32_t)(tag - l1->tag)) == L1_DIRTY;
            removed++;
        }
    } while (++tag < end);
    return removed;
}

void l1_clean_range(struct l1_cache *l1, paddr outer, uint32_t outer_size, uint64_t *dirty)
{
    uint32_t first = l1_first(l1, outer);
    uint32_t end = first + range_entries(l1, outer_size);
    for (uint32_t entry = first; entry < end; entry++) {
        if (is_inside(l1->write_tag[entry], outer, outer_size)) {
            clean_entry(l1, entry);
            (*dirty)++;
        }
    }
}
