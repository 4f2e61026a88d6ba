#include "cpu/observe/execution_pages.h"

#include "src/base/hash_map.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

struct execution_pages {
    struct execution_page *page; /* [count], in the order in which they were seen */
    size_t count, room;
    struct hash_map by_key, by_frame; /* numbers of pages; of a frame: of the page that was seen in it first */
};

struct execution_pages *execution_pages_create(void)
{
    return checked_memory(calloc(1, sizeof(struct execution_pages)));
}

void execution_pages_free(struct execution_pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++)
        free(pages->page[i].word);
    hash_map_release(&pages->by_key);
    hash_map_release(&pages->by_frame);
    free(pages->page);
    free(pages);
}

static void move(struct execution_page *page)
{
    free(page->word);
    page->word = NULL;
    page->moved = true;
}

static void add(struct execution_pages *pages, struct core *core, uint64_t key, vaddr address, paddr frame)
{
    if (pages->count == pages->room) {
        pages->room = pages->room ? 2 * pages->room : 256;
        pages->page = checked_memory(realloc(pages->page, pages->room * sizeof *pages->page));
    }
    struct execution_page *page = &pages->page[pages->count];
    *page = (struct execution_page){.key = key, .address = address, .frame = frame};
    hash_map_add(&pages->by_key, key)->number = pages->count;
    const struct hash_slot *other = hash_map_find(&pages->by_frame, frame);
    if (other) {
        move(&pages->page[other->number]);
        move(page);
    } else {
        hash_map_add(&pages->by_frame, frame)->number = pages->count;
        page->word = checked_memory(malloc(PAGE_SIZE));
        memcpy(page->word, physmem_host(core->mem, frame), PAGE_SIZE);
    }
    pages->count++;
}

/* The page NUMBER executes in FRAME, not where it was. */
static void see_elsewhere(struct execution_pages *pages, size_t number, paddr frame)
{
    const struct hash_slot *other = hash_map_find(&pages->by_frame, frame);
    move(&pages->page[number]);
    if (other)
        move(&pages->page[other->number]);
}

void execution_pages_see(struct execution_pages *pages, struct core *core, uint64_t key, vaddr address)
{
    const vaddr offset = address % PAGE_SIZE;
    paddr at;
    if (key % PAGE_SIZE != offset || !core_debug_translate(core, address, &at) ||
        !physmem_page_is_ram(core->mem, at - offset))
        return;
    const struct hash_slot *slot = hash_map_find(&pages->by_key, key - offset);
    if (!slot)
        add(pages, core, key - offset, address - offset, at - offset);
    else if (pages->page[slot->number].frame != at - offset)
        see_elsewhere(pages, slot->number, at - offset);
}

static int by_key(const void *a, const void *b)
{
    const struct execution_page *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

struct execution_page *execution_pages_sorted(const struct execution_pages *pages, size_t *count)
{
    *count = pages->count;
    if (pages->count == 0)
        return NULL;
    struct execution_page *sorted = checked_memory(malloc(pages->count * sizeof *sorted));
    memcpy(sorted, pages->page, pages->count * sizeof *sorted);
    qsort(sorted, pages->count, sizeof *sorted, by_key);
    return sorted;
}
