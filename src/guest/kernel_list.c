#include "src/guest/kernel_list.h"

#include "cpu/segments.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT_KEPT = 16, DATA_STEP = 1 << 20 };

bool kernel_list_has_one(const struct kernel_objects *objects, const char *name)
{
    unsigned count = 0;
    for (size_t i = 0; i < objects->count; i++)
        count += strcmp(objects->object[i].name, name) == 0;
    return count == 1;
}

static void put_line(vaddr address, char type, const char *name, FILE *out)
{
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at <= ' ')
            return;
    fprintf(out, "%08x %c %s\n", address, type, name);
}

static void put_object(const struct kernel_object *object, paddr at, FILE *out)
{
    static const char types[] = {[KERNEL_CODE] = 't', [KERNEL_DATA] = 'd', [KERNEL_BSS] = 'b'};
    put_line(vaddr_of_kseg0(at), types[object->section], object->name, out);
}

/* The order of functions */

/* A function, and its turn: the first ones in their order, then all others in theirs. */
struct turn {
    size_t rank, index;
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* A name that comes first, and when. */
struct named {
    const char *name;
    size_t rank;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_name(const void *name, const void *element)
{
    const struct named *named = element;
    return strcmp(name, named->name);
}

/* The turns of the functions, *COUNT of them. The caller frees them. The kernel's first function stays the first. */
static struct turn *make_turns(const struct kernel_objects *objects, const struct kernel_link *link, size_t *count)
{
    struct named *names = checked_memory(calloc(link->first_count + 1, sizeof *names));
    struct turn *turns = checked_memory(calloc(objects->count + 1, sizeof *turns));
    for (size_t i = 0; i < link->first_count; i++)
        names[i] = (struct named){link->first[i], i + 1};
    qsort(names, link->first_count, sizeof *names, by_name);
    *count = 0;
    for (size_t i = 0; i < objects->count; i++) {
        const struct kernel_object *object = &objects->object[i];
        if (object->section != KERNEL_CODE)
            continue;
        const struct named *named = bsearch(object->name, names, link->first_count, sizeof *names, compare_name);
        const size_t rank = object->at == objects->first[KERNEL_CODE] ? 0 : named ? named->rank : link->first_count + 1;
        turns[(*count)++] = (struct turn){rank, i};
    }
    qsort(turns, *count, sizeof *turns, by_turn);
    free(names);
    return turns;
}

static paddr rounded_up(paddr at, uint32_t alignment)
{
    return (at + alignment - 1) & ~(paddr)(alignment - 1);
}

/* Where OBJECT is, whose predecessor ends at AT. */
static paddr place_of(const struct kernel_object *object, const struct kernel_link *link, paddr at)
{
    const uint32_t own = (object->at | ALIGNMENT_KEPT) & -(object->at | ALIGNMENT_KEPT);
    if (link->first == NULL && link->alignment == 0)
        return object->at;
    return rounded_up(at, link->alignment > own ? link->alignment : own);
}

/* The list */

/* Write the functions. Returns the address behind them. */
static paddr put_functions(const struct kernel_objects *objects, const struct kernel_link *link, FILE *out)
{
    size_t count;
    struct turn *turns = make_turns(objects, link, &count);
    paddr at = objects->first[KERNEL_CODE], end = objects->end[KERNEL_CODE];
    for (size_t i = 0; i < count; i++) {
        const struct kernel_object *object = &objects->object[turns[i].index];
        at = place_of(object, link, at);
        if (link->last == NULL || strcmp(object->name, link->last) != 0)
            put_object(object, at, out);
        at += object->size;
        end = at > end ? at : end;
    }
    free(turns);
    return end;
}

void kernel_list_write(const struct kernel_objects *objects, const struct kernel_link *link, FILE *out)
{
    static const char *const bounds[][2] = {[KERNEL_CODE] = {"_text", "_etext"},
                                            [KERNEL_DATA] = {NULL, "__init_begin"},
                                            [KERNEL_BSS] = {"__init_end", "_end"}};
    const paddr end = put_functions(objects, link, out),
                higher = rounded_up(end - objects->end[KERNEL_CODE], DATA_STEP);
    for (unsigned i = 0; i < KERNEL_SECTIONS; i++) {
        const paddr by = i == KERNEL_CODE ? 0 : higher;
        if (objects->first[i] == objects->end[i])
            continue;
        if (bounds[i][0] != NULL)
            put_line(vaddr_of_kseg0(objects->first[i] + by), 'A', bounds[i][0], out);
        put_line(vaddr_of_kseg0(objects->end[i] + (i == KERNEL_CODE ? higher : by)), 'A', bounds[i][1], out);
    }
    for (size_t i = 0; i < objects->count; i++) {
        const struct kernel_object *object = &objects->object[i];
        if (object->section != KERNEL_CODE && (link->last == NULL || strcmp(object->name, link->last) != 0))
            put_object(object, object->at + higher, out);
    }
}
