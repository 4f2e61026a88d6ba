#include "cpu/observe/code_places.h"

#include "src/base/array.h"
#include "src/base/log.h"
#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
    const paddr x = *(const paddr *)a, y = *(const paddr *)b;
    return (x > y) - (x < y);
}

void code_places_sort(paddr *address, size_t count)
{
    qsort(address, count, sizeof *address, by_address);
}

static int by_count(const void *a, const void *b)
{
    const struct place_run *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

static void find_runs(struct code_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        if (i > 0 && places->address[i] == places->address[i - 1] + 4) {
            places->run[places->runs - 1].count++;
            continue;
        }
        places->run = array_room(places->run, places->runs, sizeof *places->run);
        places->run[places->runs++] = (struct place_run){i, 1};
    }
    if (places->runs > 0)
        qsort(places->run, places->runs, sizeof *places->run, by_count);
}

void code_places_create(struct code_places *places, const struct code_blocks *blocks, const paddr *at, uint32_t line,
                        uint32_t way)
{
    const size_t count = blocks->code->words;
    *places = (struct code_places){.blocks = blocks, .count = count, .line = line, .way = way};
    places->address = checked_memory(calloc(count + 1, sizeof *places->address));
    places->word = checked_memory(calloc(count + 1, sizeof *places->word));
    places->of = checked_memory(calloc(count + 1, sizeof *places->of));
    places->placed = checked_memory(calloc(count + 1, sizeof *places->placed));
    places->reserved = checked_memory(calloc(way / line, sizeof *places->reserved));
    for (size_t i = 0; i < count; i++) {
        places->address[i] = at[i];
        places->word[i] = PROFILED_NONE;
    }
    code_places_sort(places->address, count);
    find_runs(places);
}

void code_places_release(struct code_places *places)
{
    free(places->address);
    free(places->word);
    free(places->of);
    free(places->placed);
    free(places->run);
    free(places->reserved);
}

static size_t set_of(const struct code_places *places, paddr address)
{
    return address % places->way / places->line;
}

bool code_places_reserve(struct code_places *places, paddr address)
{
    bool *reserved = &places->reserved[set_of(places, address)];
    const bool is_new = !*reserved;
    *reserved = true;
    return is_new;
}

/* Give COUNT words from WORD on the places from PLACE on. */
static void put_words(struct code_places *places, size_t word, size_t count, size_t place)
{
    for (size_t i = 0; i < count; i++) {
        places->word[place + i] = (ptrdiff_t)(word + i);
        places->of[word + i] = place + i;
        places->placed[word + i] = true;
    }
}

/* Of the COUNT places from PLACE on, the last one that is taken or, if HEEDS, in a reserved set. PROFILED_NONE: none.
 */
static ptrdiff_t last_obstacle(const struct code_places *places, size_t place, size_t count, bool heeds)
{
    for (size_t i = count; i-- > 0;)
        if (places->word[place + i] != PROFILED_NONE ||
            (heeds && places->reserved[set_of(places, places->address[place + i])]))
            return (ptrdiff_t)(place + i);
    return PROFILED_NONE;
}

static bool put_block(struct code_places *places, const struct code_block *block, bool heeds)
{
    size_t next = places->next;
    for (size_t i = places->at_run; i < places->runs; i++, next = 0) {
        const struct place_run *run = &places->run[i];
        while (next + block->words <= run->count) {
            const ptrdiff_t obstacle = last_obstacle(places, run->first + next, block->words, heeds);
            if (obstacle == PROFILED_NONE) {
                put_words(places, block->first, block->words, run->first + next);
                places->at_run = i;
                places->next = next + block->words;
                return true;
            }
            next = (size_t)obstacle - run->first + 1;
        }
    }
    return false;
}

bool code_places_put(struct code_places *places, size_t number)
{
    const struct code_block *block = &places->blocks->block[number];
    return put_block(places, block, true) || put_block(places, block, false);
}

bool code_places_put_area(struct code_places *places, const size_t *block, size_t count, size_t words)
{
    const struct place_run *run = places->run;
    for (size_t next = 0; places->runs > 0 && next + words <= run->count; next++) {
        const size_t first = run->first + next;
        if (places->address[first] % places->line != 0 || last_obstacle(places, first, words, true) != PROFILED_NONE)
            continue;
        size_t place = first;
        for (size_t i = 0; i < count; i++) {
            const struct code_block *put = &places->blocks->block[block[i]];
            put_words(places, put->first, put->words, place);
            place += put->words;
        }
        for (place = first; place < first + words; place++)
            code_places_reserve(places, places->address[place]);
        return true;
    }
    return false;
}

/* The words that have no place, in order; those before `next` have one, or are `single`s that were taken early. */
struct rest {
    const struct code_places *places;
    size_t next, single;
};

static bool is_pair(const struct code_places *places, size_t word)
{
    return places->blocks->flags[word] & CODE_PAIRED && !places->placed[word + 1];
}

/* The next word without a place; one that fits a single place if there is ROOM for no more and such a word is left. */
static size_t take_rest(struct rest *rest, size_t room)
{
    const struct code_places *places = rest->places;
    while (places->placed[rest->next])
        rest->next++;
    if (room > 1 || !is_pair(places, rest->next))
        return rest->next;
    size_t *at = &rest->single;
    if (*at < rest->next)
        *at = rest->next;
    while (*at < places->count && (places->placed[*at] || is_pair(places, *at)))
        *at += places->placed[*at] ? 1 : 2;
    return *at < places->count ? *at : rest->next;
}

void code_places_fill(struct code_places *places)
{
    struct rest rest = {.places = places};
    for (size_t place = 0, room; place < places->count; place++) {
        if (places->word[place] != PROFILED_NONE)
            continue;
        for (room = 1; room < 2 && place + room < places->count && places->word[place + room] == PROFILED_NONE &&
                       places->address[place + room] == places->address[place] + 4 * room;)
            room++;
        const size_t word = take_rest(&rest, room);
        const size_t words = is_pair(places, word) && room > 1 ? 2 : 1;
        put_words(places, word, words, place);
    }
}

ptrdiff_t code_places_behind(const struct code_places *places, size_t number)
{
    const struct code_block *block = &places->blocks->block[number];
    const size_t last = places->of[block->first + block->words - 1];
    if (last + 1 == places->count || places->address[last + 1] != places->address[last] + 4)
        return PROFILED_NONE;
    return code_blocks_at(places->blocks, places->word[last + 1]);
}
