#include "src/regress/regress_pairs.h"

#include "src/results/evictions.h"
#include "src/tcl/tcl_versions.h"
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 512, CACHE_MAX = 8 };

/* Between the parts of a pair's text. */
static const char colon[] = ": ", between[] = ", evicted by ";

void regress_pairs_read(struct regress_pairs *pairs, const struct results *results)
{
    struct evictions evictions;
    evictions_read(results, &evictions);
    for (size_t i = 0; i < evictions.count; i++) {
        const struct eviction *row = &evictions.row[i];
        char text[TEXT_MAX];
        snprintf(text, sizeof text, "%.6s%s%.200s%s%.200s", row->cache, colon, row->missed, between, row->evicted_by);
        if (row->misses <= INT64_MAX / REGRESS_PLACES)
            regress_parts_add(&pairs->misses, text, (int64_t)row->misses);
        if (row->in_one_set && row->cpu == 0)
            regress_parts_add(&pairs->sets, text, (int64_t)row->set + 1);
    }
    evictions_release(&evictions);
    regress_parts_join(&pairs->misses);
    regress_parts_join(&pairs->sets);
}

void regress_pairs_release(struct regress_pairs *pairs)
{
    regress_parts_release(&pairs->misses);
    regress_parts_release(&pairs->sets);
}

void regress_pair_names(const struct regress_pair *pair, char missed[REGRESS_PAIR_NAME],
                        char evicted_by[REGRESS_PAIR_NAME])
{
    const char *first = strstr(pair->text, colon), *second = strstr(pair->text, between);
    snprintf(missed, REGRESS_PAIR_NAME, "%.*s", (int)(second - first - strlen(colon)), first + strlen(colon));
    snprintf(evicted_by, REGRESS_PAIR_NAME, "%s", second + strlen(between));
}

/* Is the pair TEXT in a cache of ROW? */
static bool is_in_cache(const char *text, const struct regress_row *row)
{
    char cache[CACHE_MAX];
    snprintf(cache, sizeof cache, "%.*s", (int)strcspn(text, ":"), text);
    return !row->pattern[REGRESS_CACHE] || Tcl_StringMatch(cache, row->pattern[REGRESS_CACHE]);
}

/* Put PAIR among the COUNT of FOUND, which are sorted; returns how many there are then. */
static unsigned insert(struct regress_pair found[REGRESS_PAIRS_SHOWN], unsigned count, struct regress_pair pair)
{
    unsigned at = count;
    while (at > 0 && found[at - 1].more < pair.more)
        at--;
    if (at == REGRESS_PAIRS_SHOWN)
        return count;
    const unsigned kept = count < REGRESS_PAIRS_SHOWN ? count : REGRESS_PAIRS_SHOWN - 1;
    memmove(found + at + 1, found + at, (kept - at) * sizeof *found);
    found[at] = pair;
    return kept + 1;
}

unsigned regress_pairs_compare(const struct regress_pairs *linked, const struct regress_pairs *held,
                               const struct regress_row *row, struct regress_pair found[REGRESS_PAIRS_SHOWN])
{
    unsigned count = 0;
    for (size_t i = 0; i < linked->misses.count; i++) {
        const struct regress_part *part = &linked->misses.parts[i];
        const struct regress_part *before = regress_parts_find(&held->misses, part->place);
        const struct regress_part *set = regress_parts_find(&linked->sets, part->place);
        const int64_t more = part->amount - (before ? before->amount : 0);
        if (more > 0 && is_in_cache(part->place, row))
            count = insert(found, count, (struct regress_pair){part->place, more, set ? set->amount - 1 : -1});
    }
    return count;
}
