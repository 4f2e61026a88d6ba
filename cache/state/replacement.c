#include "cache/state/replacement.h"

#include <string.h>

/* A list of ways, first the one that is to be the last victim (lru, fifo): up to 16 ways one word (lru_touch), above
 * that eight bits a way, eight ways a word. */

static bool is_short(uint32_t ways)
{
    return ways <= LRU_SHORT_WAYS;
}

static uint32_t list_words(uint32_t ways)
{
    return is_short(ways) ? 1 : (ways + 7) / 8;
}

static unsigned list_at(const uint64_t *order, uint32_t ways, unsigned place)
{
    return is_short(ways) ? order[0] >> 4 * place & 0xf : order[place / 8] >> 8 * (place % 8) & 0xff;
}

static void list_put(uint64_t *order, uint32_t ways, unsigned place, uint64_t way)
{
    const unsigned bits = is_short(ways) ? 4 : 8, at = bits * place % 64;
    uint64_t *word = &order[bits * place / 64];
    *word = (*word & ~(((UINT64_C(1) << bits) - 1) << at)) | way << at;
}

static void list_initial(uint64_t *order, uint32_t ways)
{
    memset(order, 0, list_words(ways) * sizeof *order);
    for (unsigned way = 0; way < ways; way++)
        list_put(order, ways, way, way);
}

static unsigned list_rank(const uint64_t *order, uint32_t ways, unsigned way)
{
    if (is_short(ways))
        return lru_position(*order, way) / 4;
    unsigned place = 0;
    while (list_at(order, ways, place) != way)
        place++;
    return place;
}

/* Moves WAY to the front of a list of eight bits a way, word by word. */
static void long_to_front(uint64_t *order, unsigned way)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    for (uint64_t first = way;; order++) {
        const uint64_t x = *order ^ each * way, found = (x - each) & ~x & each << 7;
        if (found) { /* the lowest bit is that of WAY's field */
            const uint64_t before = (UINT64_C(1) << (__builtin_ctzll(found) & ~7)) - 1;
            *order = (*order & ~(before << 8 | 0xff)) | (*order & before) << 8 | first;
            return;
        }
        const uint64_t last = *order >> 56;
        *order = *order << 8 | first;
        first = last;
    }
}

static void list_to_front(uint64_t *order, uint32_t ways, unsigned way)
{
    if (is_short(ways))
        *order = lru_touch(*order, way);
    else
        long_to_front(order, way);
}

static void list_to_end(uint64_t *order, uint32_t ways, unsigned way)
{
    if (is_short(ways)) {
        *order = lru_empty(*order, way, ways);
        return;
    }
    for (unsigned place = list_rank(order, ways, way); place < ways - 1; place++)
        list_put(order, ways, place, list_at(order, ways, place + 1));
    list_put(order, ways, ways - 1, way);
}

static unsigned list_last(uint64_t *order, uint32_t ways, uint32_t among, uint32_t *random)
{
    unsigned place = ways - 1;
    (void)random;
    while (!(among >> list_at(order, ways, place) & 1))
        place--;
    return list_at(order, ways, place);
}

static bool list_is_valid(const uint64_t *order, uint32_t ways)
{
    uint64_t rebuilt[REPLACEMENT_WORDS] = {0}, seen = 0;
    for (unsigned place = 0; place < ways; place++) {
        const unsigned way = list_at(order, ways, place);
        seen |= UINT64_C(1) << (way & 63);
        list_put(rebuilt, ways, place, way);
    }
    return seen == (UINT64_C(1) << ways) - 1 && memcmp(order, rebuilt, list_words(ways) * sizeof *order) == 0;
}

/* Random */

/* Advances the generator at *STATE, which is not 0, and returns its value: Marsaglia's xorshift. */
static uint32_t random_step(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static unsigned random_victim(uint64_t *order, uint32_t ways, uint32_t among, uint32_t *random)
{
    (void)order;
    (void)ways;
    for (unsigned skip = (random_step(random) >> 8) % (unsigned)__builtin_popcount(among); skip > 0; skip--)
        among &= among - 1;
    return (unsigned)__builtin_ctz(among);
}

/* A binary tree for any number of ways (plru): the nodes are numbered from the root, 1, and the children of node I are
 * 2 I and 2 I + 1; numbers from WAYS on are the ways. Bit I is node I: 0 if the next victim is below its left child. */

static void tree_turn_away(uint64_t *order, uint32_t ways, unsigned way)
{
    for (uint32_t node = ways + way; node > 1; node /= 2) {
        const uint64_t parent = UINT64_C(1) << node / 2;
        *order = node & 1 ? *order & ~parent : *order | parent;
    }
}

/* Whether a way of AMONG is below NODE. */
static bool tree_has(uint32_t node, uint32_t ways, uint32_t among)
{
    return node >= ways ? among >> (node - ways) & 1
                        : tree_has(2 * node, ways, among) || tree_has(2 * node + 1, ways, among);
}

/* Where a child has none of AMONG below it, the other one is taken. */
static unsigned tree_victim(uint64_t *order, uint32_t ways, uint32_t among, uint32_t *random)
{
    const bool all = among == UINT32_MAX >> (32 - ways);
    (void)random;
    uint32_t node = 1;
    while (node < ways) {
        node = 2 * node + (*order >> node & 1);
        if (!all && !tree_has(node, ways, among))
            node ^= 1;
    }
    return node - ways;
}

static bool tree_is_valid(const uint64_t *order, uint32_t ways)
{
    return *order >> ways == 0 && !(*order & 1);
}

/* SRRIP-HP: A. Jaleel, K. Theobald, S. Steely, J. Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. Two bits a way, from bit 0 on, are its re-reference prediction value: 0,
 * near-immediate, after a hit; 2, long, after a fill; the victim is the lowest way of value 3, distant, up to which all
 * values rise. */

enum { RRPV_LONG = 2, RRPV_DISTANT = 3 };

static uint64_t all_values(uint32_t ways)
{
    return ways == 32 ? UINT64_MAX : (UINT64_C(1) << 2 * ways) - 1;
}

static void srrip_set(uint64_t *order, unsigned way, uint64_t value)
{
    *order = (*order & ~(UINT64_C(3) << 2 * way)) | value << 2 * way;
}

static void srrip_initial(uint64_t *order, uint32_t ways)
{
    *order = all_values(ways);
}

static void srrip_promote(uint64_t *order, uint32_t ways, unsigned way)
{
    (void)ways;
    srrip_set(order, way, 0);
}

static void srrip_insert(uint64_t *order, uint32_t ways, unsigned way)
{
    (void)ways;
    srrip_set(order, way, RRPV_LONG);
}

static void srrip_empty(uint64_t *order, uint32_t ways, unsigned way)
{
    (void)ways;
    srrip_set(order, way, RRPV_DISTANT);
}

/* Of some ways, only their values rise. */
static unsigned srrip_victim(uint64_t *order, uint32_t ways, uint32_t among, uint32_t *random)
{
    uint64_t each = 0;
    (void)random;
    for (uint32_t way = 0; way < ways; way++)
        each |= (uint64_t)(among >> way & 1) << 2 * way;
    for (;;) {
        const uint64_t distant = *order & *order >> 1 & each;
        if (distant)
            return (unsigned)__builtin_ctzll(distant) / 2;
        *order += each;
    }
}

static bool srrip_is_valid(const uint64_t *order, uint32_t ways)
{
    return (*order & ~all_values(ways)) == 0;
}

/* The table */

static const struct replacement policies[] = {
#define REPLACEMENT(NAME, LABEL, BRIEF, ...) {.name = NAME, .label = LABEL, .brief = BRIEF, __VA_ARGS__},
#include "cache/state/replacement.def"
#undef REPLACEMENT
};

const char replacement_choices[] =
#define REPLACEMENT(NAME, ...) "|" NAME
#include "cache/state/replacement.def"
#undef REPLACEMENT
    ;

const char replacement_help[] = "replacement policy"
#define REPLACEMENT(NAME, LABEL, BRIEF, ...) "; " NAME ": " BRIEF
#include "cache/state/replacement.def"
#undef REPLACEMENT
    ;

unsigned replacement_count(void)
{
    return sizeof policies / sizeof *policies;
}

const struct replacement *replacement_at(unsigned i)
{
    return &policies[i];
}

const struct replacement *replacement_named(const char *name)
{
    const struct replacement *policy = policies;
    while (strcmp(policy->name, name) != 0)
        policy++;
    return policy;
}

const struct replacement *replacement_lru(void)
{
    return replacement_named("lru");
}
