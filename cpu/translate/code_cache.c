/* Storage of translated code: memory, pages, links. */
#include "cpu/translate/translate.h"
#include "cpu/translate/host.h"
#include "cpu/privileged/vmap.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Flags that some hosts lack; the attempts below work without them. */
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

enum {
    FRAMES = 1 << 20,
    PAGES = 6144,     /* maximum number of code pages, 4 KB each: enough for a kernel and a few programs */
    LINK_BYTES = 48,  /* minimum size of the code per link */
    BLOCK_BYTES = 64, /* minimum size of the code per block */
};

bool translate_supported(void)
{
    void *page = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && munmap(page, PAGE_SIZE) == 0;
}

static void *map_low(uintptr_t hint, size_t size, int protection, int flag)
{
    void *memory = mmap((void *)hint, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flag, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if ((uintptr_t)memory + size <= 0x80000000u)
        return memory;
    munmap(memory, size);
    return NULL;
}

/* Reserve memory below 2 GB, so that addresses fit in 32 bits. Untouched pages cost nothing. NULL: the host refuses. */
static void *reserve_low(size_t size, int protection)
{
    void *memory = map_low(0, size, protection, MAP_32BIT);
    for (uintptr_t hint = 0x10000000; memory == NULL && hint < 0x70000000; hint += 0x4000000)
        memory = map_low(hint, size, protection, MAP_FIXED_NOREPLACE);
    return memory;
}

static bool reserve_all(struct code_cache *cache, size_t code_bytes, struct err *err)
{
    cache->page_limit = PAGES;
    cache->link_limit = (unsigned)(code_bytes / LINK_BYTES);
    cache->code = reserve_low(code_bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
    /* Huge pages, because a running kernel's code is spread over the whole memory. A refusal costs only speed. */
    if (cache->code != NULL)
        (void)madvise(cache->code, code_bytes, MADV_HUGEPAGE);
    cache->pages = reserve_low(PAGES * sizeof *cache->pages, PROT_READ | PROT_WRITE);
    cache->links = reserve_low(cache->link_limit * sizeof *cache->links, PROT_READ | PROT_WRITE);
    cache->block_limit =
        code_bytes / BLOCK_BYTES < EXECUTED_COUNTERS / 2 ? (unsigned)(code_bytes / BLOCK_BYTES) : EXECUTED_COUNTERS / 2;
    cache->blocks = mmap(NULL, cache->block_limit * sizeof *cache->blocks, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cache->by_frame = mmap(NULL, FRAMES * sizeof *cache->by_frame, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cache->line_block_frame = checked_memory(calloc(PAGES, sizeof *cache->line_block_frame));
    if (cache->code == NULL || cache->pages == NULL || cache->links == NULL || cache->blocks == MAP_FAILED ||
        cache->by_frame == MAP_FAILED)
        return err_set(err, "embra.code_cache: the host refuses %zu MB of executable memory below 2 GB",
                       code_bytes >> 20);
    cache->code_end = cache->code + code_bytes;
    return true;
}

struct code_cache *code_cache_create(const struct translated *e, const struct translate_options *options,
                                     struct err *err)
{
    struct code_cache *cache = checked_memory(calloc(1, sizeof *cache));
    cache->architecture = e->in.core->architecture;
    cache->hot_threshold = options->after;
    cache->cached = e->in.memsys != NULL;
    cache->layout = e->in.layout;
    cache->fetch_line = e->in.fetch_line;
    cache->data_line = e->in.data_line;
    cache->fetch_sets = e->in.fetch_sets;
    cache->data_sets = e->in.data_sets;
    cache->fetch_shift = e->in.fetch_shift;
    cache->data_shift = e->in.data_shift;
    cache->data_by_physical_line = e->in.data_permits != NULL;
    cache->prefetches = e->in.prefetches;
    cache->costs_of_models = e->in.costs;
    cache->costs = e->in.has_costs ? &cache->costs_of_models : NULL;
    cache->records_use_stamps = e->in.data_uses.time != NULL;
    cache->fetch_index_bits = e->in.fetch_permits != NULL ? e->in.fetch_index_bits : 0;
    cache->link_count = 1;
    if (!reserve_all(cache, options->code_bytes, err)) {
        code_cache_free(cache);
        return NULL;
    }
    host_make_stubs(cache);
    return cache;
}

static void release(void *memory, size_t size)
{
    if (memory != NULL && memory != MAP_FAILED)
        munmap(memory, size);
}

void code_cache_free(struct code_cache *cache)
{
    host_free(cache);
    release(cache->code, (size_t)(cache->code_end - cache->code));
    release(cache->pages, cache->page_limit * sizeof *cache->pages);
    release(cache->links, cache->link_limit * sizeof *cache->links);
    release(cache->blocks, cache->block_limit * sizeof *cache->blocks);
    release(cache->by_frame, FRAMES * sizeof *cache->by_frame);
    free(cache->line_block_frame);
    free(cache);
}

/* Pages */

static void reset_entries(const struct code_cache *cache, struct code_page *page)
{
    for (unsigned i = 0; i < PAGE_INSNS; i++)
        page->entry[i] = cache->stub[STUB_LOOKUP];
    page->has_code = page->loops_known = false;
    page->exact = NULL;
}

void code_add_exact_table(struct code_cache *cache, struct code_page *page)
{
    const uintptr_t table = ((uintptr_t)cache->next_free + 63) & ~(uintptr_t)63;
    page->exact = (struct exact_entry *)table;
    cache->next_free = (uint8_t *)(page->exact + PAGE_INSNS);
    memset(page->exact, 0, PAGE_INSNS * sizeof *page->exact);
}

/* Index of the permission byte of NEW's first line: the physical line number, or, with fetch_index_bits, an index
 * shared with those of PAGES, which have the same frame, that select the same sets of the instruction cache. */
static uint32_t first_line(struct code_cache *cache, const struct code_page *pages, const struct code_page *new,
                           const struct core *core)
{
    if (cache->fetch_index_bits == 0)
        return new->frame >> cache->fetch_shift;
    for (; pages != NULL; pages = pages->next)
        if (((pages->page ^ new->page) & cache->fetch_index_bits) == 0)
            return pages->line;
    const uint32_t lines = (uint32_t)PAGE_SIZE >> cache->fetch_shift, line = cache->line_block_count * lines;
    cache->line_block_frame[cache->line_block_count++] = new->frame;
    for (unsigned i = 0; core != NULL && i < core->cpus; i++)
        memset(core->peers[i]->permits[PERMIT_TABLE_CODE] + line, PERMIT_NONE, lines);
    return line;
}

struct code_page *code_page_find(const struct code_cache *cache, paddr frame, vaddr page, bool user, bool uncached)
{
    struct code_page *known = cache->by_frame[frame >> PAGE_SHIFT];
    while (known != NULL && (known->page != page || known->user != user || known->uncached != uncached))
        known = known->next;
    return known;
}

struct code_page *code_page_get(struct code_cache *cache, const struct core *core, paddr frame, vaddr page, bool user,
                                bool uncached)
{
    struct code_page **head = &cache->by_frame[frame >> PAGE_SHIFT];
    struct code_page *known = code_page_find(cache, frame, page, user, uncached);
    if (known != NULL)
        return known;
    if (cache->page_count == cache->page_limit) {
        cache->full = true;
        return NULL;
    }
    struct code_page *new = &cache->pages[cache->page_count++];
    *new = (struct code_page){.frame = frame, .page = page, .user = user, .uncached = uncached, .next = *head};
    new->line = first_line(cache, *head, new, core);
    reset_entries(cache, new);
    *head = new;
    return new;
}

static void unlink_jumps(struct code_cache *cache, struct code_page *page)
{
    for (uint32_t index = page->links; index != 0;) {
        struct code_link *link = &cache->links[index];
        host_patch_jump(link->jump, link->exit_stub);
        index = link->next;
        link->next = link->previous = 0;
        link->to = NULL;
    }
    page->links = 0;
}

void code_discard_page(struct code_cache *cache, struct code_page *page)
{
    if (!page->has_code)
        return;
    unlink_jumps(cache, page);
    reset_entries(cache, page);
    cache->discards++;
    cache->figures.dropped_pages++;
}

void code_discard_frame(struct code_cache *cache, paddr frame)
{
    for (struct code_page *page = cache->by_frame[frame >> PAGE_SHIFT]; page != NULL; page = page->next)
        code_discard_page(cache, page);
}

void code_discard_all(struct code_cache *cache)
{
    for (unsigned i = 0; i < cache->page_count; i++)
        code_discard_page(cache, &cache->pages[i]);
}

void code_flush(struct code_cache *cache, struct core *core)
{
    for (unsigned cpu = 0; cpu < core->cpus && core->executions != NULL; cpu++)
        executions_flush(core->peers[cpu]);
    for (unsigned i = 0; i < cache->page_count; i++) {
        paddr frame = cache->pages[i].frame;
        cache->by_frame[frame >> PAGE_SHIFT] = NULL;
        for (unsigned cpu = 0; cpu < core->cpus; cpu++)
            vmap_invalidate_code(core->peers[cpu], frame);
    }
    cache->discards++;
    cache->page_count = cache->line_block_count = 0;
    cache->link_count = 1;
    cache->block_count = 0;
    cache->next_free = cache->stubs_end;
    cache->full = false;
    cache->figures.flushes++;
}

/* Links */

uint32_t code_link_add(struct code_cache *cache, struct code_link link)
{
    if (cache->link_count == cache->link_limit) {
        cache->full = true;
        return 0;
    }
    cache->links[cache->link_count] = link;
    return cache->link_count++;
}

static void unchain(struct code_cache *cache, struct code_link *link)
{
    if (link->to == NULL)
        return;
    if (link->previous)
        cache->links[link->previous].next = link->next;
    else
        link->to->links = link->next;
    if (link->next)
        cache->links[link->next].previous = link->previous;
}

void code_link_to(struct code_cache *cache, uint32_t index, struct code_page *page, uint32_t code)
{
    struct code_link *link = &cache->links[index];
    if (link->to == page && link->code == code)
        return; /* the page was not mapped for a while; to write code costs the host much */
    unchain(cache, link);
    if (link->check)
        host_patch_check(link->check, (uint32_t)(uintptr_t)page);
    host_patch_jump(link->jump, code);
    link->to = page;
    link->code = code;
    link->previous = 0;
    link->next = page->links;
    if (page->links)
        cache->links[page->links].previous = index;
    page->links = index;
}

/* Statistics of the translator's own work */

_Static_assert(sizeof embra_figures / sizeof embra_figures[0] ==
                   sizeof(struct translate_figures) / sizeof(uint64_t) + 1,
               "a row each");

uint64_t translate_figure(const struct inorder *in, unsigned index)
{
    const struct translated *e = (const struct translated *)in;
    const struct translate_figures *f = &e->cache->figures;
    const uint64_t values[] = {f->superblocks, f->translated_insns, f->code_bytes, f->dropped_pages, f->flushes};
    return values[index];
}
