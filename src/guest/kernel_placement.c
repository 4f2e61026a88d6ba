#include "src/guest/kernel_placement.h"

#include "cpu/segments.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"
#include "src/base/splitmix.h"
#include <stdlib.h>
#include <string.h>

/* Alignment that an object keeps: longer ones than a page are not of the object's making. */
enum { ALIGNMENT_MOST = PAGE_SIZE, GAP_MOST = 1 << 16 };

/* Objects */

/* Physical address of SYMBOL, rounded down to a unit; false if it is not in low memory. */
static bool symbol_place(const struct symbol *symbol, paddr *place)
{
    if (symbol == NULL || !vaddr_in_kseg0(symbol->address))
        return false;
    *place = vaddr_physical(symbol->address) & ~(paddr)(LAYOUT_UNIT - 1);
    return *place < BOARD_LOW_RAM_MAX;
}

/* Sets the bounds of SECTION from two symbols. False if one is missing, or nothing is between them. */
static bool find_section(struct kernel_objects *objects, enum kernel_section section, const struct symbols *symbols,
                         const char *first, const char *end)
{
    const bool found = symbol_place(symbols_find(symbols, first), &objects->first[section]) &&
                       symbol_place(symbols_find(symbols, end), &objects->end[section]) &&
                       objects->first[section] < objects->end[section];
    if (!found)
        objects->first[section] = objects->end[section] = 0;
    return found;
}

static enum kernel_section section_of(const struct kernel_objects *objects, paddr place)
{
    unsigned section = 0;
    while (section < KERNEL_SECTIONS && (place < objects->first[section] || place >= objects->end[section]))
        section++;
    return (enum kernel_section)section;
}

/* Add the object at PLACE; the last of several there gives its name. */
static void add_object(struct kernel_objects *objects, const char *name, paddr place, enum kernel_section section)
{
    struct kernel_object *last = objects->count > 0 ? &objects->object[objects->count - 1] : NULL;
    if (last != NULL && last->at == place)
        last->name = name;
    else
        objects->object[objects->count++] =
            (struct kernel_object){.name = name, .at = place, .section = (uint8_t)section};
}

static void set_sizes(struct kernel_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        struct kernel_object *object = &objects->object[i];
        const struct kernel_object *next = i + 1 < objects->count ? object + 1 : NULL;
        const bool goes_on = next != NULL && next->section == object->section;
        object->size = (goes_on ? next->at : objects->end[object->section]) - object->at;
    }
}

bool kernel_objects_find(struct kernel_objects *objects, const struct symbols *symbols, bool data, struct err *err)
{
    const struct symbol *symbol;
    size_t count = 0;
    *objects = (struct kernel_objects){.count = 0};
    if (symbols == NULL || !find_section(objects, KERNEL_CODE, symbols, "_text", "_etext"))
        return err_set(err, "the kernel's symbols _text and _etext, in memory below 0x%x, are not known",
                       BOARD_LOW_RAM_MAX);
    if (symbols_moved_by(symbols) != 0)
        return err_set(err, "the kernel has moved itself (nokaslr in guest.bootargs prevents this)");
    if (data) {
        find_section(objects, KERNEL_DATA, symbols, "_etext", "__init_begin");
        find_section(objects, KERNEL_BSS, symbols, "__init_end", "_end");
    }
    while (symbols_get(symbols, count) != NULL)
        count++;
    objects->object = checked_memory(calloc(count + 1, sizeof *objects->object));
    for (size_t i = 0; (symbol = symbols_get(symbols, i)) != NULL; i++) {
        paddr place;
        if (!symbol_place(symbol, &place))
            continue;
        const enum kernel_section section = section_of(objects, place);
        if (section != KERNEL_SECTIONS)
            add_object(objects, symbol->name, place, section);
    }
    set_sizes(objects);
    return true;
}

void kernel_objects_release(struct kernel_objects *objects)
{
    free(objects->object);
    *objects = (struct kernel_objects){.count = 0};
}

/* Objects of the same name */

/* An object among those of its name. */
struct namesake {
    const struct kernel_object *object;
    const char *before; /* the last object before it whose name no other has; "" if there is none */
    size_t after;       /* how many namesakes lie between the two */
    size_t index;
    bool is_matched;
};

static int by_name(const void *a, const void *b)
{
    const struct namesake *x = a, *y = b;
    const int order = strcmp(x->object->name, y->object->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_neighbour(const void *a, const void *b)
{
    const struct namesake *x = a, *y = b;
    const int order = strcmp(x->before, y->before);
    return order ? order : (x->after > y->after) - (x->after < y->after);
}

static int by_index(const void *a, const void *b)
{
    const struct namesake *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* How many from LIST on have its first one's name. */
static size_t count_name(const struct namesake *list, size_t count)
{
    size_t same = 1;
    while (same < count && strcmp(list[same].object->name, list[0].object->name) == 0)
        same++;
    return same;
}

/* Set `before` and `after` of LIST, which is by name. */
static void find_neighbours(struct namesake *list, const struct kernel_objects *objects)
{
    const size_t count = objects->count;
    struct namesake **at = checked_memory(calloc(count + 1, sizeof(void *)));
    const char *before = "";
    for (size_t i = 0, same; i < count; i += same) {
        same = count_name(list + i, count - i);
        for (size_t k = 0; k < same; k++) {
            at[list[i + k].index] = &list[i + k];
            list[i + k].after = same; /* for now: how many have this name */
        }
    }
    for (size_t i = 0; i < count; i++) {
        at[i]->before = before;
        if (at[i]->after == 1)
            before = objects->object[i].name;
    }
    for (size_t i = 0; i < count; i++)
        list[i].after =
            i > 0 && strcmp(list[i].object->name, list[i - 1].object->name) == 0 && list[i].before == list[i - 1].before
                ? list[i - 1].after + 1
                : 0;
    free(at);
}

static struct namesake *list_names(const struct kernel_objects *objects)
{
    struct namesake *list = checked_memory(calloc(objects->count + 1, sizeof *list));
    for (size_t i = 0; i < objects->count; i++)
        list[i] = (struct namesake){.object = &objects->object[i], .index = i};
    qsort(list, objects->count, sizeof *list, by_name);
    find_neighbours(list, objects);
    return list;
}

static void match(struct namesake *own, struct namesake *like, int64_t *where)
{
    own->is_matched = like->is_matched = true;
    where[own->index] = (int64_t)like->index;
}

/* Of one name, OWN_COUNT and LIKE_COUNT objects: those with the same neighbours are the same. */
static void match_neighbours(struct namesake *own, size_t own_count, struct namesake *like, size_t like_count,
                             int64_t *where)
{
    qsort(own, own_count, sizeof *own, by_neighbour);
    qsort(like, like_count, sizeof *like, by_neighbour);
    for (size_t i = 0, k = 0; i < own_count && k < like_count;) {
        const int order = by_neighbour(&own[i], &like[k]);
        if (order == 0)
            match(&own[i], &like[k], where);
        i += order <= 0;
        k += order >= 0;
    }
    qsort(own, own_count, sizeof *own, by_index);
    qsort(like, like_count, sizeof *like, by_index);
}

/* The next one from *AT on that is not matched. */
static struct namesake *next_left(struct namesake *list, size_t count, size_t *at)
{
    while (*at < count && list[*at].is_matched)
        ++*at;
    return *at < count ? &list[(*at)++] : NULL;
}

/* As many are left in both: in their order they are the same. */
static void match_left(struct namesake *own, size_t own_count, struct namesake *like, size_t like_count, int64_t *where)
{
    size_t left = 0, at[2] = {0, 0};
    for (size_t i = 0; i < own_count; i++)
        left += !own[i].is_matched;
    for (size_t i = 0; i < like_count; i++)
        left -= !like[i].is_matched;
    if (left != 0)
        return;
    for (struct namesake *one; (one = next_left(own, own_count, &at[0])) != NULL;)
        match(one, next_left(like, like_count, &at[1]), where);
}

void kernel_objects_match(const struct kernel_objects *own, const struct kernel_objects *like, int64_t *where)
{
    struct namesake *mine = list_names(own), *theirs = list_names(like);
    for (size_t i = 0; i < own->count; i++)
        where[i] = KERNEL_OBJECT_NEW;
    for (size_t i = 0, k = 0; i < own->count && k < like->count;) {
        const int order = strcmp(mine[i].object->name, theirs[k].object->name);
        const size_t own_count = count_name(mine + i, own->count - i),
                     like_count = count_name(theirs + k, like->count - k);
        if (order == 0 && own_count + like_count > 2)
            match_neighbours(mine + i, own_count, theirs + k, like_count, where);
        if (order == 0)
            match_left(mine + i, own_count, theirs + k, like_count, where);
        i += order <= 0 ? own_count : 0;
        k += order >= 0 ? like_count : 0;
    }
    free(mine);
    free(theirs);
}

/* Places */

/* An object in the order in which objects are placed. */
struct turn {
    uint64_t chance; /* by which the order is random; 0: there is none */
    const struct kernel_object *object;
    size_t index;
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->object->section != y->object->section)
        return x->object->section - y->object->section;
    if (x->chance != y->chance)
        return x->chance < y->chance ? -1 : 1;
    const int order = x->chance ? strcmp(x->object->name, y->object->name) : 0;
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static uint64_t chance_of(uint32_t seed, const char *name)
{
    uint64_t state = hash_text(name) + seed;
    return seed == 0 ? 0 : splitmix_next(&state) | 1;
}

/* The objects of OBJECTS for which WANTED says so (NULL: all), in order. The caller frees them. */
static struct turn *make_turns(const struct kernel_objects *objects, const bool *wanted, uint32_t seed, size_t *count)
{
    struct turn *turns = checked_memory(calloc(objects->count + 1, sizeof *turns));
    *count = 0;
    for (size_t i = 0; i < objects->count; i++)
        if (wanted == NULL || wanted[i])
            turns[(*count)++] = (struct turn){chance_of(seed, objects->object[i].name), &objects->object[i], i};
    qsort(turns, *count, sizeof *turns, by_turn);
    return turns;
}

/* The first address from AT on that has OBJECT's alignment. */
static uint64_t aligned(uint64_t at, const struct kernel_object *object)
{
    const uint64_t alignment = (object->at | ALIGNMENT_MOST) & -(object->at | ALIGNMENT_MOST);
    return (at + alignment - 1) & ~(alignment - 1);
}

/* Set the PLACES of all objects by SEED. Returns the address behind them. */
static uint64_t place_all(const struct kernel_objects *objects, uint32_t seed, uint64_t *places)
{
    size_t count;
    struct turn *turns = make_turns(objects, NULL, seed, &count);
    uint64_t at = 0, end = 0;
    for (size_t i = 0; i < count; i++) {
        const struct kernel_object *object = turns[i].object;
        if (i == 0 || object->section != turns[i - 1].object->section)
            at = at > objects->first[object->section] ? at : objects->first[object->section];
        places[turns[i].index] = at = seed ? aligned(at, object) : object->at;
        at += object->size;
        end = at > end ? at : end;
    }
    free(turns);
    return end;
}

/* Set the places of the objects NEW, from AT on. Returns the address behind them. */
static uint64_t place_new(const struct kernel_objects *objects, const bool *new, uint32_t seed, uint64_t at,
                          uint64_t *places)
{
    size_t count;
    struct turn *turns = make_turns(objects, new, seed, &count);
    uint64_t state = seed;
    at = (at + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
    at += seed ? splitmix_below(&state, GAP_MOST) & ~(LAYOUT_UNIT - 1) : 0; /* they begin in any set */
    for (size_t i = 0; i < count; i++) {
        places[turns[i].index] = at = aligned(at, turns[i].object);
        at += turns[i].object->size;
    }
    free(turns);
    return count > 0 ? at : 0;
}

bool kernel_placement_make(const struct kernel_objects *own, const struct kernel_objects *like, uint32_t seed,
                           struct layout_piece *pieces, bool *moved, struct err *err)
{
    int64_t *where = checked_memory(calloc(own->count + 1, sizeof *where));
    uint64_t *theirs = checked_memory(calloc(like->count + 1, sizeof *theirs));
    uint64_t *places = checked_memory(calloc(own->count + 1, sizeof *places));
    bool *new = checked_memory(calloc(own->count + 1, sizeof *new));
    kernel_objects_match(own, like, where);
    const uint64_t behind = place_all(like, seed, theirs);
    for (size_t i = 0; i < own->count; i++) {
        new[i] = where[i] == KERNEL_OBJECT_NEW || own->object[i].size > like->object[where[i]].size ||
                 own->object[i].section != like->object[where[i]].section;
        places[i] = new[i] ? 0 : theirs[where[i]];
    }
    const uint64_t end = place_new(own, new, seed, behind, places);
    const bool fits = behind <= BOARD_PLACED_SIZE && end <= BOARD_PLACED_SIZE;
    *moved = false;
    for (size_t i = 0; i < own->count && fits; i++) {
        *moved = *moved || places[i] != own->object[i].at;
        pieces[i] = (struct layout_piece){own->object[i].at, BOARD_PLACED_BASE + (paddr)places[i], own->object[i].size};
    }
    free(new);
    free(places);
    free(theirs);
    free(where);
    return fits || err_set(err, "the kernel's functions and data have no room in %u MB", BOARD_PLACED_SIZE >> 20);
}
