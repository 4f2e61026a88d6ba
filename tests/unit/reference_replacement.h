/*
 * Reference model, part 2: the replacement policies, a row each. A set is an array of entries with the times of their
 * last use and of their fill; pseudo-LRU has a tree of flags beside it.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_REPLACEMENT_H
#define SIMOS_TESTS_UNIT_REFERENCE_REPLACEMENT_H

#include "tests/unit/reference_cache.h"

static inline struct ref_entry *ref_set_of_entry(const struct ref_cache *c, const struct ref_entry *entry)
{
    return c->entries + (size_t)(entry - c->entries) / c->s.ways * c->s.ways;
}

/* The entry of SET with the lowest TIME. */
static inline struct ref_entry *ref_earliest(struct ref_cache *c, struct ref_entry *set,
                                             uint64_t (*time)(const struct ref_entry *entry))
{
    struct ref_entry *earliest = set;
    for (uint32_t way = 1; way < c->s.ways; way++)
        if (time(&set[way]) < time(earliest))
            earliest = &set[way];
    return earliest;
}

/* --- lru, fifo, random ------------------------------------------------------------------------------------------ */

static inline uint64_t ref_time_used(const struct ref_entry *entry)
{
    return entry->used;
}
static inline uint64_t ref_time_filled(const struct ref_entry *entry)
{
    return entry->filled;
}

static inline struct ref_entry *ref_least_recently_used(struct ref_cache *c, struct ref_entry *set)
{
    return ref_earliest(c, set, ref_time_used);
}
static inline struct ref_entry *ref_first_filled(struct ref_cache *c, struct ref_entry *set)
{
    return ref_earliest(c, set, ref_time_filled);
}

static inline bool ref_is_most_recently_used(const struct ref_cache *c, const struct ref_entry *entry)
{
    const struct ref_entry *set = ref_set_of_entry(c, entry);
    for (uint32_t i = 0; i < c->s.ways; i++)
        if (set[i].valid && set[i].used > entry->used)
            return false;
    return true;
}

static inline struct ref_entry *ref_drawn(struct ref_cache *c, struct ref_entry *set)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return &set[(c->random >> 8) % c->s.ways];
}

/* --- pseudo-LRU ------------------------------------------------------------------------------------------------- */

static inline bool *ref_tree_of_entry(const struct ref_cache *c, const struct ref_entry *entry)
{
    return c->tree[(size_t)(entry - c->entries) / c->s.ways];
}

/* Is node LOW that of NODE, or below NODE? */
static inline bool ref_is_below(uint32_t node, uint32_t low)
{
    while (low > node)
        low /= 2;
    return low == node;
}

/* All nodes on the path to ENTRY point to the other side. */
static inline void ref_turn_away(struct ref_cache *c, struct ref_entry *entry)
{
    bool *tree = ref_tree_of_entry(c, entry);
    const uint32_t leaf = c->s.ways + (uint32_t)(entry - ref_set_of_entry(c, entry));
    for (uint32_t node = 1; node < c->s.ways; node = ref_is_below(2 * node, leaf) ? 2 * node : 2 * node + 1)
        tree[node] = ref_is_below(2 * node, leaf);
}

static inline bool ref_all_turned_away(const struct ref_cache *c, const struct ref_entry *entry)
{
    const bool *tree = ref_tree_of_entry(c, entry);
    const uint32_t leaf = c->s.ways + (uint32_t)(entry - ref_set_of_entry(c, entry));
    for (uint32_t node = 1; node < c->s.ways; node++)
        if (ref_is_below(node, leaf) && ref_is_below(2 * node + tree[node], leaf))
            return false;
    return true;
}

static inline struct ref_entry *ref_pointed_to(struct ref_cache *c, struct ref_entry *set)
{
    const bool *tree = ref_tree_of_entry(c, set);
    uint32_t node = 1;
    while (node < c->s.ways)
        node = 2 * node + tree[node];
    return &set[node - c->s.ways];
}

/* --- srrip ------------------------------------------------------------------------------------------------------ */

/* The prediction of a line counts from 0, it will be used soon, to 3, it will not. */
static inline void ref_expect_soon(struct ref_cache *c, struct ref_entry *entry)
{
    (void)c;
    entry->prediction = 0;
}
static inline void ref_expect_late(struct ref_cache *c, struct ref_entry *entry)
{
    (void)c;
    entry->prediction = 2;
}
static inline bool ref_is_expected_soon(const struct ref_cache *c, const struct ref_entry *entry)
{
    (void)c;
    return entry->prediction == 0;
}
static inline struct ref_entry *ref_least_expected(struct ref_cache *c, struct ref_entry *set)
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
    const char *name;                                                        /* value of cache.X.replacement */
    struct ref_entry *(*victim)(struct ref_cache *c, struct ref_entry *set); /* all entries of SET are valid */
    void (*hit)(struct ref_cache *c, struct ref_entry *entry);               /* NULL: nothing but the time of use */
    void (*fill)(struct ref_cache *c, struct ref_entry *entry);
    bool (*is_settled)(const struct ref_cache *c,
                       const struct ref_entry *entry); /* a hit changes nothing; NULL: none */
    /* Victims are taken by this time, so that it does not matter in which way a line is. NULL: it does. */
    uint64_t (*time)(const struct ref_entry *entry);
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

/* A hit of ENTRY, and a fill. */
static inline void ref_touch(struct ref_cache *c, struct ref_entry *entry)
{
    if (ref_is_assist(c, entry))
        return;
    entry->used = ++*c->clock;
    if (ref_policies[c->s.replacement].hit)
        ref_policies[c->s.replacement].hit(c, entry);
}
static inline void ref_place(struct ref_cache *c, struct ref_entry *entry)
{
    if (ref_is_assist(c, entry))
        return;
    entry->used = entry->filled = ++*c->clock;
    if (ref_policies[c->s.replacement].fill)
        ref_policies[c->s.replacement].fill(c, entry);
}

/* Would a hit of ENTRY leave the next victim unchanged? */
static inline bool ref_touch_changes_nothing(const struct ref_cache *c, const struct ref_entry *entry)
{
    const struct ref_policy *policy = &ref_policies[c->s.replacement];
    return c->s.ways == 1 || ref_is_assist(c, entry) || !policy->is_settled || policy->is_settled(c, entry);
}

/* The entry for a fill with these addresses: an invalid one, or the victim. */
static inline struct ref_entry *ref_choose(struct ref_cache *c, paddr physical, vaddr virtual, uint8_t space)
{
    struct ref_entry *set = ref_set(c, physical, virtual, space);
    for (uint32_t way = 0; way < c->s.ways; way++)
        if (!set[way].valid)
            return &set[way];
    return c->s.ways == 1 ? set : ref_policies[c->s.replacement].victim(c, set);
}

#endif
