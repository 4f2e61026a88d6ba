/*
 * The content of the section: the number of pages of RAM, then runs that cover them in the order of their addresses.
 *
 *     zero   run, pages
 *     same   run, pages, number of the first page of those, earlier ones, that these are equal to
 *     data   run, pages, their bytes
 */
#include "src/physmem_saved.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES = 1 << (32 - PAGE_SHIFT), WORDS = PAGE_SIZE / 8 };
enum run_kind { RUN_ZERO, RUN_SAME, RUN_DATA, RUN_KINDS };

struct run {
    enum run_kind kind;
    uint32_t first, count; /* pages; `first` counts all of physical memory, `count` those that are RAM */
    uint32_t source;       /* of RUN_SAME */
};

/* Pages by their content: a hash table without removal. */
struct contents {
    uint32_t *pages; /* number + 1; 0: free */
    uint32_t mask;
};

static const uint8_t *page_at(const struct physmem *mem, uint32_t page)
{
    return physmem_host(mem, page << PAGE_SHIFT);
}

/* The first page of RAM from PAGE on, or PAGES. */
static uint32_t next_ram(const struct physmem *mem, uint32_t page)
{
    while (page < PAGES && !(mem->page_flags[page] & PAGE_IS_RAM))
        page++;
    return page;
}

static bool is_zero(const uint8_t *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE_SIZE - 1) == 0;
}

static uint64_t hash(const uint8_t *page)
{
    uint64_t value = 0x9e3779b97f4a7c15, word;
    for (unsigned i = 0; i < WORDS; i++) {
        memcpy(&word, page + 8 * i, sizeof word);
        value = (value ^ word) * 0xff51afd7ed558ccd;
        value ^= value >> 32;
    }
    return value;
}

/* An earlier page equal to PAGE, or PAGES; from now on PAGE is one of the earlier ones. */
static uint32_t find_equal(struct contents *contents, const struct physmem *mem, uint32_t page)
{
    uint32_t at = (uint32_t)hash(page_at(mem, page)) & contents->mask;
    for (; contents->pages[at]; at = (at + 1) & contents->mask)
        if (memcmp(page_at(mem, contents->pages[at] - 1), page_at(mem, page), PAGE_SIZE) == 0)
            return contents->pages[at] - 1;
    contents->pages[at] = page + 1;
    return PAGES;
}

static struct run describe(struct contents *contents, const struct physmem *mem, uint32_t page)
{
    struct run run = {.kind = RUN_ZERO, .first = page, .count = 1};
    if (is_zero(page_at(mem, page)))
        return run;
    run.source = find_equal(contents, mem, page);
    run.kind = run.source < PAGES ? RUN_SAME : RUN_DATA;
    return run;
}

static bool extends(const struct run *run, const struct run *next)
{
    return run->kind == next->kind && (run->kind != RUN_SAME || run->source + run->count == next->source);
}

static void put_run(const struct physmem *mem, const struct run *run, struct saved_out *out)
{
    uint8_t kind = (uint8_t)run->kind;
    if (run->count == 0)
        return;
    saved_put(out, &kind, 1);
    saved_put_u32(out, run->count);
    if (run->kind == RUN_SAME)
        saved_put_u32(out, run->source);
    uint32_t page = run->first;
    for (uint32_t i = 0; run->kind == RUN_DATA && i < run->count; i++) {
        page = next_ram(mem, page);
        saved_put(out, page_at(mem, page++), PAGE_SIZE);
    }
}

static void write_pages(void *base, struct saved_out *out)
{
    const struct physmem *mem = base;
    uint32_t pages = (uint32_t)(mem->ram_bytes >> PAGE_SHIFT), places = 1;
    while (places < 2 * pages)
        places *= 2;
    struct contents contents = {checked_memory(calloc(places, sizeof(uint32_t))), places - 1};
    struct run run = {.count = 0};
    saved_put_u32(out, pages);
    for (uint32_t page = next_ram(mem, 0); page < PAGES; page = next_ram(mem, page + 1)) {
        struct run next = describe(&contents, mem, page);
        if (run.count && extends(&run, &next)) {
            run.count++;
            continue;
        }
        put_run(mem, &run, out);
        run = next;
    }
    put_run(mem, &run, out);
    free(contents.pages);
}

/* PAGE of a RUN, the one with INDEX in it. */
static bool get_page(struct physmem *mem, const struct run *run, uint32_t index, uint32_t page, struct saved_in *in,
                     struct err *err)
{
    uint32_t source = run->source + index;
    switch (run->kind) {
    case RUN_SAME:
        if (source >= page || !(mem->page_flags[source] & PAGE_IS_RAM))
            return err_set(err, "page 0x%x is to be equal to 0x%x, which is no earlier page of RAM", page, source);
        memcpy(physmem_host(mem, page << PAGE_SHIFT), page_at(mem, source), PAGE_SIZE);
        return true;
    case RUN_DATA: return saved_get(in, physmem_host(mem, page << PAGE_SHIFT), PAGE_SIZE);
    default: return true; /* it is zero already */
    }
}

static bool get_run(struct saved_in *in, struct run *run, uint32_t left, struct err *err)
{
    uint8_t kind;
    if (!saved_get(in, &kind, 1) || !saved_get_u32(in, &run->count))
        return false;
    if (kind >= RUN_KINDS || run->count == 0 || run->count > left)
        return err_set(err, "%u pages of kind %u where %u are left", run->count, kind, left);
    run->kind = kind;
    run->source = 0;
    return kind != RUN_SAME || (saved_get_u32(in, &run->source) && run->source < PAGES) ||
           err_set(err, "no page has the number 0x%x", run->source);
}

static bool read_pages(void *base, struct saved_in *in, struct err *err)
{
    struct physmem *mem = base;
    uint32_t pages = (uint32_t)(mem->ram_bytes >> PAGE_SHIFT), left, page = 0;
    if (!saved_get_u32(in, &left))
        return false;
    if (left != pages)
        return err_set(err, "%u pages of RAM; this machine has %u", left, pages);
    while (left) {
        struct run run;
        if (!get_run(in, &run, left, err))
            return false;
        for (uint32_t i = 0; i < run.count; i++) {
            page = next_ram(mem, page);
            if (!get_page(mem, &run, i, page++, in, err))
                return false;
        }
        left -= run.count;
    }
    return true;
}

static const struct saved_ops memory_ops = {.write = write_pages, .read = read_pages};

void physmem_register_saved(struct physmem *mem, struct saved *saved)
{
    saved_add(saved, &(struct saved_section){.name = "memory", .version = 1, .base = mem, .ops = &memory_ops});
}
