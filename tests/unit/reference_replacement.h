/*
 * Reference model, part 2: the replacement policies, a row each. A set is an array of sectors, of a line each unless
 * the cache is sectored, with the times of their last use and of their fill; pseudo-LRU has a tree of flags beside it.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_REPLACEMENT_H
#define SIMOS_TESTS_UNIT_REFERENCE_REPLACEMENT_H

#include "tests/unit/reference_cache.h"

static inline struct ref_sector *ref_set_of_sector(const struct ref_cache *c, const struct ref_sector *sector)
{
    return c->sectors + (size_t)(sector - c->sectors) / c->s.ways * c->s.ways;
}

/* The sector of SET with the lowest TIME. */
static inline struct ref_sector *ref_earliest(struct ref_cache *c, struct ref_sector *set,
                                              uint64_t (*time)(const struct ref_sector *sector))
{
    struct ref_sector *earliest = set;
    for (uint32_t way = 1; way < c->s.ways; way++)
        if (time(&set[way]) < time(earliest))
            earliest = &set[way];
    return earliest;
}

/* --- lru, fifo, random ------------------------------------------------------------------------------------------ */

static inline uint64_t ref_time_used(const struct ref_sector *sector)
{
    return sector->used;
}
static inline uint64_t ref_time_filled(const struct ref_sector *sector)
{
    return sector->filled;
}

static inline struct ref_sector *ref_least_recently_used(struct ref_cache *c, struct ref_sector *set)
{
    return ref_earliest(c, set, ref_time_used);
}
static inline struct ref_sector *ref_first_filled(struct ref_cache *c, struct ref_sector *set)
{
    return ref_earliest(c, set, ref_time_filled);
}

static inline bool ref_is_most_recently_used(const struct ref_cache *c, const struct ref_sector *sector)
{
    const struct ref_sector *set = ref_set_of_sector(c, sector);
    for (uint32_t i = 0; i < c->s.ways; i++)
        if (ref_first_line(c, &set[i]) && set[i].used > sector->used)
            return false;
    return true;
}

static inline struct ref_sector *ref_drawn(struct ref_cache *c, struct ref_sector *set)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return &set[(c->random >> 8) % c->s.ways];
}

/* --- pseudo-LRU ------------------------------------------------------------------------------------------------- */

static inline bool *ref_tree_of_sector(const struct ref_cache *c, const struct ref_sector *sector)
{
    return c->tree[(size_t)(sector - c->sectors) / c->s.ways];
}

/* Is node LOW that of NODE, or below NODE? */
static inline bool ref_is_below(uint32_t node, uint32_t low)
{
    while (low > node)
        low /= 2;
    return low == node;
}

/* All nodes on the path to SECTOR point to the other side. */
static inline void ref_turn_away(struct ref_cache *c, struct ref_sector *sector)
{
    bool *tree = ref_tree_of_sector(c, sector);
    const uint32_t leaf = c->s.ways + (uint32_t)(sector - ref_set_of_sector(c, sector));
    for (uint32_t node = 1; node < c->s.ways; node = ref_is_below(2 * node, leaf) ? 2 * node : 2 * node + 1)
        tree[node] = ref_is_below(2 * node, leaf);
}

static inline bool ref_all_turned_away(const struct ref_cache *c, const struct ref_sector *sector)
{
    const bool *tree = ref_tree_of_sector(c, sector);
    const uint32_t leaf = c->s.ways + (uint32_t)(sector - ref_set_of_sector(c, sector));
    for (uint32_t node = 1; node < c->s.ways; node++)
        if (ref_is_below(node, leaf) && ref_is_below(2 * node + tree[node], leaf))
            return false;
    return true;
}

static inline struct ref_sector *ref_pointed_to(struct ref_cache *c, struct ref_sector *set)
{
    const bool *tree = ref_tree_of_sector(c, set);
    uint32_t node = 1;
    while (node < c->s.ways)
        node = 2 * node + tree[node];
    return &set[node - c->s.ways];
}

/* --- srrip ------------------------------------------------------------------------------------------------------ */

/* The prediction of a line counts from 0, it will be used soon, to 3, it will not. */
static inline void ref_expect_soon(struct ref_cache *c, struct ref_sector *sector)
{
    (void)c;
    sector->prediction = 0;
}
static inline void ref_expect_late(struct ref_cache *c, struct ref_sector *sector)
{
    (void)c;
    sector->prediction = 2;
}
static inline bool ref_is_expected_soon(const struct ref_cache *c, const struct ref_sector *sector)
{
    (void)c;
    return sector->prediction == 0;
}
static inline struct ref_sector *ref_least_expected(struct ref_cache *c, struct ref_sector *set)
{
    for (;;) {
        for (uint32_t way = 0; way < c->s.ways; way++)
            if (set[way].prediction == 3)
                return &set[way];
        for (uint32_t way = 0; way < c->s.ways; way++)
            set[way].prediction++;
    }
}

/* --- the table -------------------------------------------------------------------------------------------------- */

static const struct ref_policy {
    const char *name;                                                          /* value of cache.X.replacement */
    struct ref_sector *(*victim)(struct ref_cache *c, struct ref_sector *set); /* every sector of SET has a line */
    void (*hit)(struct ref_cache *c, struct ref_sector *sector);               /* NULL: nothing but the time of use */
    void (*fill)(struct ref_cache *c, struct ref_sector *sector);
    bool (*is_settled)(const struct ref_cache *c,
                       const struct ref_sector *sector); /* a hit changes nothing; NULL: none */
    /* Victims are taken by this time, so that it does not matter in which way a line is. NULL: it does. */
    uint64_t (*time)(const struct ref_sector *sector);
} ref_policies[] = {
    {.name = "lru", .victim = ref_least_recently_used, .is_settled = ref_is_most_recently_used, .time = ref_time_used},
    {.name = "random", .victim = ref_drawn},
    {.name = "plru",
     .victim = ref_pointed_to,
     .hit = ref_turn_away,
     .fill = ref_turn_away,
     .is_settled = ref_all_turned_away},
    {.name = "tree-plru",
     .victim = ref_pointed_to,
     .hit = ref_turn_away,
     .fill = ref_turn_away,
     .is_settled = ref_all_turned_away},
    {.name = "fifo", .victim = ref_first_filled, .time = ref_time_filled},
    {.name = "srrip",
     .victim = ref_least_expected,
     .hit = ref_expect_soon,
     .fill = ref_expect_late,
     .is_settled = ref_is_expected_soon},
};
enum { REF_POLICIES = sizeof ref_policies / sizeof *ref_policies, REF_OLD_POLICIES = 3 };

/* A hit of ENTRY, and a fill: a line that joins others of its sector is a use of the sector. */
static inline void ref_touch(struct ref_cache *c, struct ref_entry *entry)
{
    if (ref_is_assist(c, entry))
        return;
    struct ref_sector *sector = ref_sector_of_entry(c, entry);
    sector->used = ++*c->clock;
    if (ref_policies[c->s.replacement].hit)
        ref_policies[c->s.replacement].hit(c, sector);
}
static inline void ref_place(struct ref_cache *c, struct ref_entry *entry)
{
    if (ref_is_assist(c, entry))
        return;
    struct ref_sector *sector = ref_sector_of_entry(c, entry);
    for (uint32_t nth = 0; nth < c->s.sector_lines; nth++) {
        const struct ref_entry *other = ref_line_of_sector(c, sector, nth);
        if (other != entry && other->valid) {
            ref_touch(c, entry);
            return;
        }
    }
    sector->used = sector->filled = ++*c->clock;
    if (ref_policies[c->s.replacement].fill)
        ref_policies[c->s.replacement].fill(c, sector);
}

/* Would a hit of ENTRY leave the next victim unchanged? */
static inline bool ref_touch_changes_nothing(const struct ref_cache *c, const struct ref_entry *entry)
{
    const struct ref_policy *policy = &ref_policies[c->s.replacement];
    return c->s.ways == 1 || ref_is_assist(c, entry) || !policy->is_settled ||
           policy->is_settled(c, ref_sector_of_entry(c, entry));
}

/* The sector for a fill of PHYSICAL into the set of sectors SET: the one with other lines of its sector, one without
 * lines, or the victim. */
static inline struct ref_sector *ref_choose_sector(struct ref_cache *c, struct ref_sector *set, paddr physical)
{
    const uint32_t size = c->s.sector_lines * c->s.line;
    for (uint32_t way = 0; way < c->s.ways; way++) {
        const struct ref_entry *line = ref_first_line(c, &set[way]);
        if (line && line->line / size == physical / size)
            return &set[way];
    }
    for (uint32_t way = 0; way < c->s.ways; way++)
        if (!ref_first_line(c, &set[way]))
            return &set[way];
    return c->s.ways == 1 ? set : ref_policies[c->s.replacement].victim(c, set);
}

/* The entry for a fill with these addresses. The sector it is in may have lines of another. */
static inline struct ref_entry *ref_choose(struct ref_cache *c, paddr physical, vaddr virtual, uint8_t space)
{
    struct ref_sector *set = c->sectors + ref_set_index(c, physical, virtual, space) / c->s.sector_lines * c->s.ways;
    return ref_line_of_sector(c, ref_choose_sector(c, set, physical), physical / c->s.line % c->s.sector_lines);
}

#endif
