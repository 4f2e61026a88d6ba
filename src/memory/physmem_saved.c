/*
 * Content of the section: the number of RAM pages (ROM included), then runs that cover them in ascending order of
 * addresses.
 *
 *     zero    run, pages
 *     same    run, pages, number of the first of the earlier pages in this file that equal them
 *     data    run, pages, their bytes
 *     before  run, pages: held by an earlier file of the series; from version 2 on
 */
#include "src/memory/physmem_saved.h"

#include "src/base/hash_map.h"
#include "src/memory/physmem_history.h"
#include <stdlib.h>
#include <string.h>

enum { PAGES = 1 << (32 - PAGE_SHIFT), WORDS = PAGE_SIZE / 8 };
enum run_kind { RUN_ZERO, RUN_SAME, RUN_DATA, RUN_BEFORE, RUN_KINDS, RUN_KINDS_OF_VERSION_1 = RUN_BEFORE };

struct run {
    enum run_kind kind;
    uint32_t first, count; /* pages; `first` counts all of physical memory, `count` only RAM */
    uint32_t source;       /* for RUN_SAME */
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

static uint32_t page_count(const struct physmem *mem)
{
    return (uint32_t)((mem->ram_bytes + mem->rom_bytes) >> PAGE_SHIFT);
}

static bool is_zero(const uint8_t *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE_SIZE - 1) == 0;
}

uint32_t physmem_used_pages(const struct physmem *mem)
{
    uint32_t used = 0;
    for (uint32_t page = next_ram(mem, 0); page < PAGES; page = next_ram(mem, page + 1))
        used += !(mem->page_flags[page] & PAGE_IS_ROM) && !is_zero(page_at(mem, page));
    return used;
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

/* A page, and the memory that it and the pages in the map are in. */
struct content {
    const struct physmem *mem;
    uint32_t page;
};

static bool has_content(const void *sought, const struct hash_slot *slot)
{
    const struct content *content = sought;
    return memcmp(page_at(content->mem, (uint32_t)slot->number), page_at(content->mem, content->page), PAGE_SIZE) == 0;
}

/* Find the first page equal to PAGE in CONTENTS, the page numbers by content; if there is none, add PAGE and return
 * PAGES. */
static uint32_t find_equal(struct hash_map *contents, const struct physmem *mem, uint32_t page)
{
    const uint64_t key = hash(page_at(mem, page));
    const struct hash_slot *slot = hash_map_find_equal(contents, key, has_content, &(struct content){mem, page});
    if (slot)
        return (uint32_t)slot->number;
    hash_map_add(contents, key)->number = page;
    return PAGES;
}

static struct run describe(struct hash_map *contents, const struct physmem *mem, uint32_t page, bool part)
{
    struct run run = {.kind = RUN_ZERO, .first = page, .count = 1};
    if (part && !physmem_history_is_own(mem->history, page)) {
        run.kind = RUN_BEFORE;
        return run;
    }
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
    uint32_t pages = page_count(mem);
    struct hash_map contents = {.count = 0};
    struct run run = {.count = 0};
    saved_put_u32(out, pages);
    for (uint32_t page = next_ram(mem, 0); page < PAGES; page = next_ram(mem, page + 1)) {
        struct run next = describe(&contents, mem, page, out->series);
        if (run.count && extends(&run, &next)) {
            run.count++;
            continue;
        }
        put_run(mem, &run, out);
        run = next;
    }
    put_run(mem, &run, out);
    hash_map_release(&contents);
}

/* State while RAM is read. */
struct reading {
    struct physmem *mem;
    struct saved_in *in;
    uint8_t *own; /* for each page: is it held by this file? */
    struct err *err;
};

/* Read PAGE, the page with INDEX in RUN. */
static bool get_page(const struct reading *reading, const struct run *run, uint32_t index, uint32_t page)
{
    struct physmem *mem = reading->mem;
    uint8_t *at = physmem_host(mem, page << PAGE_SHIFT);
    uint32_t source = run->source + index;
    reading->own[page] = run->kind != RUN_BEFORE;
    switch (run->kind) {
    case RUN_SAME:
        if (source >= page || !reading->own[source])
            return err_set(reading->err,
                           "page 0x%x is a copy of 0x%x, which is not an earlier page of RAM in this file", page,
                           source);
        memcpy(at, page_at(mem, source), PAGE_SIZE);
        return true;
    case RUN_DATA: return saved_get(reading->in, at, PAGE_SIZE);
    case RUN_ZERO:
        if (reading->in->continues) /* otherwise memory is zero already */
            memset(at, 0, PAGE_SIZE);
        return true;
    default: return true;
    }
}

static bool get_run(const struct reading *reading, struct run *run, uint32_t left)
{
    struct saved_in *in = reading->in;
    uint8_t kind, kinds = in->version == 1 ? RUN_KINDS_OF_VERSION_1 : RUN_KINDS;
    if (!saved_get(in, &kind, 1) || !saved_get_u32(in, &run->count))
        return false;
    if (kind >= kinds || run->count == 0 || run->count > left)
        return err_set(reading->err, "%u pages of kind %u where %u are left", run->count, kind, left);
    if (kind == RUN_BEFORE && !in->continues)
        return err_set(reading->err, "%u pages are in earlier files, but this file names none", run->count);
    run->kind = kind;
    run->source = 0;
    return kind != RUN_SAME || (saved_get_u32(in, &run->source) && run->source < PAGES) ||
           err_set(reading->err, "invalid page number 0x%x", run->source);
}

static bool read_runs(const struct reading *reading, uint32_t left)
{
    uint32_t page = 0;
    while (left) {
        struct run run;
        if (!get_run(reading, &run, left))
            return false;
        for (uint32_t i = 0; i < run.count; i++) {
            page = next_ram(reading->mem, page);
            if (!get_page(reading, &run, i, page++))
                return false;
        }
        left -= run.count;
    }
    return true;
}

static bool read_pages(void *base, struct saved_in *in, struct err *err)
{
    struct physmem *mem = base;
    uint32_t pages = page_count(mem), count;
    if (!saved_get_u32(in, &count))
        return false;
    if (count != pages)
        return err_set(err, "%u pages of RAM; this machine has %u", count, pages);
    struct reading reading = {mem, in, checked_memory(calloc(PAGES, 1)), err};
    bool done = read_runs(&reading, pages);
    free(reading.own);
    return done;
}

static void begin_part(void *base, uint32_t number)
{
    physmem_history_begin(base, number);
}

static void count_parts(const void *base, uint64_t *units)
{
    physmem_history_count(base, units);
}

static void take_over_part(void *base, uint32_t file)
{
    physmem_history_take_over(base, file);
}

static const struct saved_parts memory_parts = {begin_part, count_parts, take_over_part};
static const struct saved_ops memory_ops = {.write = write_pages, .read = read_pages, .parts = &memory_parts};

void physmem_register_saved(struct physmem *mem, struct saved *saved)
{
    saved_add(saved,
              &(struct saved_section){.name = "memory", .version = 2, .oldest = 1, .base = mem, .ops = &memory_ops});
}
