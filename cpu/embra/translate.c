/* Traces: which segments are translated together. */
#include "cpu/embra/embra.h"
#include "cpu/embra/host.h"
#include "src/log.h"

enum { TRACE_SEGMENTS = 16 };

struct translation {
    const struct embra_cache *cache;
    const struct embra_page *page;
};

static bool is_translated(const void *opaque, vaddr pc)
{
    const struct translation *t = opaque;
    return embra_is_translated(t->cache, t->page, pc);
}

static uint32_t *entry_of(struct embra_page *page, vaddr pc)
{
    return &page->entry[pc >> 2 & (PAGE_INSNS - 1)];
}

static void print_bytes(const uint8_t *at, const uint8_t *end, FILE *out)
{
    for (unsigned column = 0; at < end; at++, column++)
        fprintf(out, "%s%02x", column == 0 ? "" : column % 32 == 0 ? "\n" : " ", *at);
    fputc('\n', out);
}

bool embra_translate(struct embra *e, struct embra_page *page, vaddr pc, FILE *dump)
{
    struct embra_cache *cache = e->cache;
    struct core *core = e->in.core;
    struct translation translation = {cache, page};
    struct build_context context = {
        .core = core,
        .words = (const uint32_t *)(const void *)physmem_host(core->mem, page->frame),
        .page = page->page,
        .user = page->user,
        .fr = core->s.cp0[CP0_STATUS] & STATUS_FR,
        .line_mask = cache->l1i != NULL ? cache->l1i->line_mask : 0,
        .max_insns = cache->max_insns,
        .is_translated = is_translated,
        .opaque = &translation,
    };
    struct ir_segment *segment = &cache->segment;
    segment->temps = 0;
    struct host_emitter *emitter = host_begin(cache, page, &context);
    uint32_t start = host_place(emitter);
    bool follows = true;
    unsigned count = 0;
    for (; follows && count < TRACE_SEGMENTS && host_has_room(emitter); count++) {
        build_segment(segment, &context, pc);
        if (dump != NULL)
            ir_print(segment, core->decoder, context.words + (pc >> 2 & (PAGE_INSNS - 1)), dump);
        *entry_of(page, pc) = host_place(emitter);
        follows = host_emit(emitter, segment, &pc);
        cache->translated_insns += segment->insns;
    }
    if (follows && count > 0)
        host_jump(emitter, pc);
    host_end(emitter);
    page->has_code = true;
    if (count == 0)
        cache->full = true;
    cache->translated_bytes += (uintptr_t)cache->at - start;
    if (dump != NULL)
        print_bytes((const uint8_t *)(uintptr_t)start, cache->at, dump);
    if (!(core->mem->page_flags[page->frame >> PAGE_SHIFT] & PAGE_HAS_CODE))
        core_protect_code(core, page->frame);
    return count > 0;
}
