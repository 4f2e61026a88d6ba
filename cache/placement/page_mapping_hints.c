/* Page shading and page numbering (Nagle, Uhlig and Mudge 1992, section 3.3), with the hints of a profile in place of a
 * compiler's; and that profile. */
#include "cache/placement/page_mapping_state.h"
#include <stdlib.h>
#include <string.h>

/* The weight of a fragment that all accesses are to. */
#define WEIGHT_MAX (UINT64_C(1) << 20)

static bool has_hints(const struct page_mapping *mapping)
{
    return mapping->options.hints != NULL;
}

bool page_mapping_names_pages(const struct page_mapping *mapping)
{
    return has_hints(mapping) || mapping->options.profiles;
}

/* Adds to the life of the page of FRAME what it has been there. */
static void age(const struct page_mapping *mapping, uint32_t frame)
{
    if (mapping->profiled[frame] == 0)
        return;
    page_hints_at(mapping->profile, mapping->profiled[frame] - 1)->life += mapping->accesses - mapping->born[frame];
    mapping->born[frame] = mapping->accesses;
}

const struct page_hints *page_mapping_profile(struct page_mapping *mapping)
{
    for (uint32_t frame = 0; mapping->profile != NULL && frame < MAPPING_FRAMES; frame++)
        age(mapping, frame);
    return mapping->profile;
}

/* Hints for the bins of the machine */

/* COUNTS by life, and both together. */
static void weigh(uint32_t weight[MAPPING_WEIGHTS][PAGE_FRAGMENTS], const uint64_t counts[PAGE_USES][PAGE_FRAGMENTS],
                  uint64_t life)
{
    for (unsigned i = 0; i < PAGE_FRAGMENTS; i++)
        for (unsigned use = 0; use < PAGE_USES; use++) {
            const uint64_t rate = counts[use][i] * WEIGHT_MAX / life;
            weight[use][i] = rate < WEIGHT_MAX ? (uint32_t)rate : WEIGHT_MAX;
            weight[MAPPING_BOTH][i] += weight[use][i];
        }
}

static uint64_t weight_of(const struct mapping_hint *hint)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < PAGE_FRAGMENTS; i++)
        sum += hint->accesses[MAPPING_BOTH][i];
    return sum;
}

static void prepare_hint(struct mapping_hint *made, const struct page_hint *hint)
{
    made->owner = page_identity_owner(&hint->of);
    weigh(made->accesses, hint->accesses, hint->life);
    weigh(made->turns, hint->turns, hint->life);
}

/* A hint to be numbered. */
struct numbered {
    const struct page_identity *of;
    uint64_t weight;
    uint32_t index;
};

static int by_owner(const struct page_identity *a, const struct page_identity *b)
{
    const int process = memcmp(a->process, b->process, sizeof a->process);
    if (process != 0 || a->process[0] != '\0')
        return process;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Pages of the same file or process together, those with most accesses first. */
static int by_weight(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    const int owner = by_owner(x->of, y->of);
    if (owner != 0)
        return owner;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return memcmp(x->of, y->of, sizeof *x->of);
}

/* The N pages of a file or process with most accesses, N bins, are a set with the numbers 0 to N - 1, the next N pages
 * are the next set, and so on. Every other set is in reverse order, so that those of a set with most accesses have the
 * numbers of those with least of the set before. */
static void number_pages(struct page_mapping *mapping, uint32_t count)
{
    const uint32_t bins = mapping->options.bins - mapping->options.reserved;
    struct numbered *order = checked_memory(calloc(count + 1, sizeof *order));
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct numbered){&page_hints_at(mapping->options.hints, i)->of, weight_of(&mapping->hints[i]), i};
    qsort(order, count, sizeof *order, by_weight);
    for (uint32_t i = 0, rank = 0; i < count; i++, rank++) {
        if (i == 0 || by_owner(order[i - 1].of, order[i].of) != 0) {
            mapping->sets++;
            rank = 0;
        }
        struct mapping_hint *hint = &mapping->hints[order[i].index];
        hint->set = mapping->sets - 1;
        hint->number = rank / bins % 2 == 0 ? rank % bins : bins - 1 - rank % bins;
    }
    free(order);
}

void mapping_hints_create(struct page_mapping *mapping)
{
    const uint32_t count = has_hints(mapping) ? page_hints_count(mapping->options.hints) : 0;
    if (has_hints(mapping)) {
        mapping->hint = checked_memory(calloc(MAPPING_FRAMES, sizeof *mapping->hint));
        mapping->hints = checked_memory(calloc(count + 1, sizeof *mapping->hints));
        mapping->hinted_frame = checked_memory(calloc(MAPPING_FRAMES, sizeof *mapping->hinted_frame));
        mapping->place = checked_memory(calloc(MAPPING_FRAMES, sizeof *mapping->place));
        for (uint32_t i = 0; i < count; i++)
            prepare_hint(&mapping->hints[i], page_hints_at(mapping->options.hints, i));
        number_pages(mapping, count);
        mapping->set_base = checked_memory(calloc(mapping->sets + 1, sizeof *mapping->set_base));
    }
    if (mapping->options.profiles) {
        mapping->profile = page_hints_create();
        mapping->profiled = checked_memory(calloc(MAPPING_FRAMES, sizeof *mapping->profiled));
        mapping->born = checked_memory(calloc(MAPPING_FRAMES, sizeof *mapping->born));
    }
}

void mapping_hints_free(struct page_mapping *mapping)
{
    free(mapping->hint);
    free(mapping->hints);
    free(mapping->hinted_frame);
    free(mapping->place);
    free(mapping->set_base);
    free(mapping->profiled);
    free(mapping->born);
    page_hints_free(mapping->profile);
    page_hints_free(mapping->options.hints);
}

/* Policies */

uint32_t mapping_hint_of(const struct page_mapping *mapping, const struct page_identity *of)
{
    return has_hints(mapping) ? (uint32_t)(page_hints_find(mapping->options.hints, of) + 1) : 0;
}

/* How often, at most, two pages in one bin can be in each other's way, where both have hot fragments: at each access of
 * both if they are of one owner, otherwise when the owners take turns. */
static uint32_t overlap(const struct mapping_hint *a, const struct mapping_hint *b, unsigned use)
{
    const bool is_own = a->owner == b->owner;
    const uint32_t *of_a = is_own ? a->accesses[use] : a->turns[use], *of_b = is_own ? b->accesses[use] : b->turns[use];
    uint32_t sum = 0;
    for (unsigned i = 0; i < PAGE_FRAGMENTS; i++)
        sum += of_a[i] < of_b[i] ? of_a[i] : of_b[i];
    return sum;
}
_Static_assert(WEIGHT_MAX *PAGE_USES *PAGE_FRAGMENTS <= UINT32_MAX, "an overlap has 32 bits");

/* Adds to COST[BIN] how much a page with HINT overlaps with those in CACHE that are in each other's way with BIN. */
static void add_overlaps(const struct page_mapping *mapping, const struct mapping_hint *hint,
                         const struct page_mapping_cache *cache, uint64_t *cost)
{
    uint64_t *of_bin = checked_memory(calloc(cache->bins, sizeof *of_bin));
    const unsigned use = !cache->has_data ? PAGE_CODE : !cache->has_code ? PAGE_DATA : MAPPING_BOTH;
    for (uint32_t i = 0; i < mapping->hinted_frames; i++) {
        const uint32_t frame = mapping->hinted_frame[i];
        of_bin[mapping_seen(mapping, frame) % cache->bins] +=
            overlap(hint, &mapping->hints[mapping->hint[frame] - 1], use);
    }
    for (uint32_t bin = 0; bin < mapping->options.bins; bin++)
        cost[bin] += of_bin[bin % cache->bins];
    free(of_bin);
}

/* The bin whose pages, of all processes, overlap least. */
static uint32_t shaded_bin(struct page_mapping *mapping, const struct mapping_space *space,
                           const struct mapping_hint *hint, uint32_t frame)
{
    uint64_t *cost = checked_memory(calloc(mapping->options.bins, sizeof *cost));
    for (unsigned i = 0; i < PAGE_MAPPING_CACHES && mapping->options.cache[i].bins > 1; i++)
        add_overlaps(mapping, hint, &mapping->options.cache[i], cost);
    const uint32_t best = mapping_best_bin(mapping, space, cost, frame);
    free(cost);
    return best;
}

uint32_t mapping_shaded_bin(struct page_mapping *mapping, struct mapping_space *space, uint32_t number, uint32_t frame)
{
    return shaded_bin(mapping, space, &mapping->hints[number - 1], frame);
}

uint32_t mapping_numbered_bin(struct page_mapping *mapping, struct mapping_space *space, uint32_t number,
                              uint32_t frame)
{
    (void)frame;
    const struct mapping_hint *hint = &mapping->hints[number - 1];
    const uint32_t low = mapping->options.reserved, bins = mapping->options.bins - low;
    const bool is_of_file = page_hints_at(mapping->options.hints, number - 1)->of.kind == PAGE_OF_FILE;
    uint32_t *base = is_of_file || space == NULL ? &mapping->set_base[hint->set] : &space->base;
    if (*base == 0)
        *base = mapping_draw(mapping) + 1;
    return low + (*base - 1 - low + hint->number) % bins;
}

/* Which page a frame has */

void mapping_set_hint(struct page_mapping *mapping, uint32_t frame, uint32_t hint)
{
    if (mapping->hint[frame] != 0) {
        const uint32_t last = mapping->hinted_frame[--mapping->hinted_frames];
        mapping->hinted_frame[mapping->place[frame]] = last;
        mapping->place[last] = mapping->place[frame];
    }
    mapping->hint[frame] = hint;
    if (hint != 0) {
        mapping->place[frame] = mapping->hinted_frames;
        mapping->hinted_frame[mapping->hinted_frames++] = frame;
    }
}

void page_mapping_used(struct page_mapping *mapping, uint32_t frame, const struct page_identity *of)
{
    if (has_hints(mapping))
        mapping_set_hint(mapping, frame, mapping_hint_of(mapping, of));
    if (!mapping->options.profiles)
        return;
    age(mapping, frame);
    mapping->profiled[frame] = (uint32_t)(page_hints_add(mapping->profile, of) + 1);
    mapping->born[frame] = mapping->accesses;
}

void mapping_forget(struct page_mapping *mapping, uint32_t frame)
{
    if (has_hints(mapping))
        mapping_set_hint(mapping, frame, 0);
    if (mapping->options.profiles) {
        age(mapping, frame);
        mapping->profiled[frame] = 0;
    }
}

void page_mapping_accessed(struct page_mapping *mapping, unsigned cpu, paddr seen, enum page_use use)
{
    const uint32_t frame = mapping_holder(mapping, seen >> PAGE_SHIFT), entry = mapping->profiled[frame],
                   fragment = seen % PAGE_SIZE / PAGE_FRAGMENT_BYTES, number = frame * PAGE_FRAGMENTS + fragment + 1;
    uint32_t *last = &mapping->last[cpu].fragment[use], *turn = &mapping->last[cpu].turn[use],
             *owner = &mapping->last[cpu].owner[use];
    mapping->accesses++;
    if (number == *last)
        return;
    *last = number;
    struct page_hint *hint = entry != 0 ? page_hints_at(mapping->profile, entry - 1) : NULL;
    const uint32_t now = hint ? page_identity_owner(&hint->of) : (uint32_t)PAGE_OWNER_KERNEL;
    if (now != *owner || *turn == 0) {
        *owner = now;
        *turn = ++mapping->turns;
    }
    if (!hint)
        return;
    hint->accesses[use][fragment]++;
    hint->turns[use][fragment] += hint->turn[use][fragment] != *turn;
    hint->turn[use][fragment] = *turn;
}
